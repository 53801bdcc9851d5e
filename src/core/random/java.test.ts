import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JavaRandom } from './java.ts';

interface Golden {
  nextInt_cycle_1_2_3_10_16_100_1000003: number[];
  nextFloat: number[];
  nextDouble: number[];
  nextBoolean: boolean[];
  scala_shuffle_range10: number[];
}

const recorded = new URL('../../../../shared/data/rng/golden_java_util_random.json', import.meta.url);
const absent = !existsSync(recorded);
if (absent) console.info('skipped: recorded draws of java.util.Random are not beside this clone');

describe('JavaRandom', () => {
  it('draws what Java draws for seed 42', () => {
    const random = new JavaRandom(42);
    expect([random.nextInt(), random.nextInt(10), random.nextInt(16), random.nextInt(1000003)]).toEqual([
      -1170105035, 3, 10, 948578,
    ]);
  });

  it.skipIf(absent)('equals every recorded draw', () => {
    const golden = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, Golden>;
    const bounds = [1, 2, 3, 10, 16, 100, 1000003];
    for (const [seed, draws] of Object.entries(golden)) {
      const random = new JavaRandom(BigInt(seed));
      const ints = draws.nextInt_cycle_1_2_3_10_16_100_1000003;
      expect(ints.map((_, i) => random.nextInt(bounds[i % bounds.length]))).toEqual(ints);
      expect(draws.nextFloat.map(() => random.nextFloat())).toEqual(draws.nextFloat.map((x) => Math.fround(x)));
      expect(draws.nextDouble.map(() => random.nextDouble())).toEqual(draws.nextDouble);
      expect(draws.nextBoolean.map(() => random.nextBoolean())).toEqual(draws.nextBoolean);
      expect(random.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual(draws.scala_shuffle_range10);
    }
  });

  it('refuses a bound that Java refuses', () => {
    expect(() => new JavaRandom(0).nextInt(0)).toThrow(RangeError);
  });
});
