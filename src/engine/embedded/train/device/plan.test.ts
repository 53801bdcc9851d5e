/** What is kept between forward and backward on a device: the last passes first, and never more than the budget. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { presetConfig } from '../../network/config.ts';
import { pack } from '../packing.ts';
import { keepAlone, keptBytes, keptPasses, rowsThatFit, sizeOf, transientBytes, type PassKind } from './plan.ts';

const kind: PassKind = {
  config: presetConfig('s', { vocabulary: 300, context: 512 }),
  numbers: 'float32',
  kernels: true,
  logits: 2 ** 16,
};
const one = { rows: 256, entries: 256 * 128, largest: 256 * 128 };
const three = [one, one, one];
const needed = transientBytes(kind, one);
const values = keptBytes(kind, one, 'values');
const inputs = keptBytes(kind, one, 'inputs');

it('keeps everything where it fits, and nothing where not even one block does', () => {
  expect(keptPasses(kind, three, needed + 3 * values).keeps).toEqual(['values', 'values', 'values']);
  expect(keptPasses(kind, three, needed).keeps).toEqual(['nothing', 'nothing', 'nothing']);
  expect(keptPasses(kind, three, 0).keeps).toEqual(['nothing', 'nothing', 'nothing']);
});

it('keeps the values of the last passes, which go back first, then inputs', () => {
  expect(keptPasses(kind, three, needed + 2 * values + inputs).keeps).toEqual(['inputs', 'values', 'values']);
  expect(keptPasses(kind, three, needed + 3 * values - 1).keeps).toEqual(['inputs', 'values', 'values']);
  expect(keptPasses(kind, three, needed + values).keeps).toEqual(['nothing', 'nothing', 'values']);
});

it('never keeps more than the budget leaves beside the largest pass, and says how much is out at once', () => {
  const size = fc.record({
    rows: fc.integer({ min: 1, max: 2000 }),
    entries: fc.integer({ min: 1, max: 500_000 }),
    largest: fc.constant(1),
  });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 8 }), fc.double({ min: 0, max: 2e9, noNaN: true }), (sizes, budget) => {
      const { keeps, kept, transient } = keptPasses(kind, sizes, budget);
      const together = keeps.reduce((sum, keep, i) => sum + keptBytes(kind, sizes[i] ?? one, keep), 0);
      expect(together).toBeLessThanOrEqual(Math.max(0, budget - transient) + 1);
      expect(transient).toBe(Math.max(...sizes.map((each) => transientBytes(kind, each))));
      // Those that keep nothing come first, and are run once more one by one, when the others have gone back.
      const alone = sizes
        .slice(0, keeps.lastIndexOf('nothing') + 1)
        .map((each) => keptBytes(kind, each, keepAlone(kind, each, budget)));
      expect(kept).toBeCloseTo(Math.max(together, ...alone), 0);
      expect(keeps.slice(alone.length)).not.toContain('nothing');
      expect(new Set(keeps.slice(0, alone.length)).size).toBeLessThanOrEqual(1);
    }),
  );
});

it('cuts packs by what is free, between 256 and 16,384 rows', () => {
  expect(rowsThatFit(kind, 0)).toBe(256);
  expect(rowsThatFit(kind, Infinity)).toBe(16_384);
  const size = { rows: 1024, entries: 1024 * 512, largest: 1024 * 512 };
  const free = keptBytes(kind, size, 'inputs') + transientBytes(kind, size);
  expect(rowsThatFit(kind, free)).toBe(1024);
  expect(rowsThatFit(kind, free - 1)).toBe(512);
});

it('counts pairs of a query and a key as tiles have them: what rows share is seen by all of them and computed once', () => {
  const prefix = [1, 2, 3, 4, 5, 6, 7, 8];
  const datum = (end: readonly number[]) => {
    const tokens = Int32Array.from([...prefix, ...end]);
    return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i < prefix.length ? 0 : 1)) };
  };
  const alone = sizeOf(pack([datum([9, 10, 11])]));
  expect(alone).toEqual({ rows: 10, entries: 10 * 16, largest: 10 * 16 });
  const both = sizeOf(pack([datum([9, 10, 11]), datum([12, 13, 14])]));
  expect(both.rows).toBe(12);
  expect(both.entries).toBe(12 * 16);
});
