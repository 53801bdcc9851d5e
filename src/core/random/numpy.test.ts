import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NumpyRandom } from './numpy.ts';

const golden = new URL('../../../../shared/data/rng/golden_numpy_python.json', import.meta.url);

interface Recorded {
  readonly integers_0_n_cycle: readonly number[];
  readonly ints: readonly number[];
  readonly then_uniform01: readonly number[];
  readonly then_integers_3_9: readonly number[];
}

describe('NumpyRandom', () => {
  it.skipIf(!existsSync(golden))('draws what numpy drew (needs ../shared/data/rng)', () => {
    const { numpy_pcg64: seeds } = JSON.parse(readFileSync(golden, 'utf8')) as { numpy_pcg64: Record<string, Recorded> };
    expect(Object.keys(seeds).length).toBeGreaterThan(3);
    for (const [seed, recorded] of Object.entries(seeds)) {
      const random = new NumpyRandom(Number(seed));
      const ranges = recorded.integers_0_n_cycle;
      expect(recorded.ints.map((_, i) => random.integers(0, ranges[i % ranges.length]!))).toEqual(recorded.ints);
      expect(recorded.then_uniform01.map(() => random.uniform())).toEqual(recorded.then_uniform01);
      expect(recorded.then_integers_3_9.map(() => random.integers(3, 9))).toEqual(recorded.then_integers_3_9);
    }
  });

  it('starts seed 0 as numpy.random.default_rng(0) does', () => {
    const random = new NumpyRandom(0);
    // The value that numpy's own documentation prints for default_rng(0).random().
    expect(random.uniform()).toBe(0.6369616873214543);
    expect(new NumpyRandom(0n).uniform()).toBe(0.6369616873214543);
  });

  it('leaves the waiting half alone when it draws a double', () => {
    const mixed = new NumpyRandom(5);
    const plain = new NumpyRandom(5);
    const first = mixed.uint32();
    mixed.uniform();
    expect([first, mixed.uint32()]).toEqual([plain.uint32(), plain.uint32()]);
  });

  it('refuses what numpy refuses', () => {
    expect(() => new NumpyRandom(-1)).toThrow(/negative/);
    expect(() => new NumpyRandom(1.5)).toThrow(/integer/);
    expect(() => new NumpyRandom(1).integers(3, 3)).toThrow(/low < high/);
  });
});
