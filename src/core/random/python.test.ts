import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PythonRandom } from './python.ts';

const golden = fileURLToPath(new URL('../../../../shared/data/rng/golden_numpy_python.json', import.meta.url));
const missing = !existsSync(golden);
if (missing) console.log(`skipped: the recorded CPython draws are not at ${golden}`);

describe('PythonRandom', () => {
  it.skipIf(missing)('draws what CPython drew', () => {
    const recorded = (JSON.parse(readFileSync(golden, 'utf8')) as { python_random: Record<string, Record<string, unknown>> })
      .python_random;
    const range = (n: number) => Array.from({ length: n }, (_, i) => i);
    const times = <T>(n: number, draw: () => T) => Array.from({ length: n }, draw);
    for (const [seed, vectors] of Object.entries(recorded)) {
      if (!/^-?\d+$/.test(seed)) continue; // text seeds are left out
      const random = new PythonRandom(BigInt(seed));
      const draws: Record<string, () => unknown> = {
        random: () => times(5, () => random.random()),
        getrandbits32: () => times(5, () => random.getrandbits(32)),
        randrange_1000: () => times(10, () => random.randrange(1000)),
        uniform_10_20: () => times(3, () => random.uniform(10, 20)),
        choice_of_7: () => times(10, () => random.choice(range(7))),
        shuffle_range20: () => random.shuffle(range(20)),
        sample_range4_k2: () => times(5, () => random.sample(range(4), 2)),
        sample_range100_k10: () => random.sample(range(100), 10),
        sample_range10_k10: () => random.sample(range(10), 10),
        choices_az_k10: () => random.choices(Array.from('abcdefghijklmnopqrstuvwxyz'), 10),
        gauss: () => times(2, () => random.gauss()),
      };
      for (const [name, expected] of Object.entries(vectors)) {
        const draw = draws[name];
        if (!draw) throw new Error(`no draw is written for the recorded vector ${name}`);
        expect(draw(), `seed ${seed} ${name}`).toEqual(expected);
      }
    }
  });

  it('keeps the well-known first draws of seed 42', () => {
    const random = new PythonRandom(42);
    expect(random.random()).toBe(0.6394267984578837);
    expect(random.random()).toBe(0.025010755222666936);
  });

  it('refuses impossible requests', () => {
    expect(() => new PythonRandom(1).sample([1, 2], 3)).toThrow(RangeError);
    expect(() => new PythonRandom(1).randrange(0)).toThrow(RangeError);
  });
});
