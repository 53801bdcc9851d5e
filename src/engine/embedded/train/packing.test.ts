import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Datum } from '../../engine.ts';
import { presetConfig } from '../network/config.ts';
import { pack, type Pack } from './packing.ts';
import { shardRows, shardsOf } from './replicas/shards.ts';
import { tile } from './tiles.ts';

const config = presetConfig('xxs', { vocabulary: 4 });

/** Few letters and long common starts, so that prefixes are shared often. */
const batches = fc
  .array(fc.tuple(fc.nat(2), fc.nat(60), fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }), fc.boolean()), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) =>
    list.map(([start, shared, rest, scored]): Datum => {
      const tokens = [...Array.from({ length: shared }, (_, i) => (start + i * i) % 4), ...rest];
      return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > 0 && scored && i % 2 === 1 ? 1 : 0)) };
    }),
  );

/** The rows that each row attends to, itself included, read back from indices and masks. */
function visibleRows({ rows, ...rest }: Pack, window?: number): number[][] {
  const visible: number[][] = Array.from({ length: rows }, () => []);
  const tableHeads = config.heads + config.keyValueHeads;
  for (const group of tile({ rows, ...rest }, config, window).groups) {
    for (let t = 0; t < group.tiles; t++) {
      for (let query = 0; query < group.queries; query++) {
        const at = t * config.heads * group.queries + query;
        if (group.resultIndex[at] === rows * config.heads) continue;
        const row = Math.floor(group.queryIndex[at]! / tableHeads);
        for (let key = 0; key < group.keys; key++) {
          const mask = group.mask[((group.masks === 1 ? 0 : t) * group.queries + query) * group.keys + key];
          if (mask === 0 && group.keyRows[t * group.keys + key]! >= 0) visible[row]!.push(group.keyRows[t * group.keys + key]!);
        }
      }
    }
  }
  return visible;
}

test('each scored token is predicted by a row that sees exactly the tokens before it', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const seen = new Set<string>();
      const one = pack(batch);
      const visible = one.rows === 0 ? [] : visibleRows(one);
      const { scored } = one;
      scored.rows.forEach((row, i) => {
        const datum = batch[scored.datums[i]!]!;
        const positions = [...datum.mask.keys()].filter((position) => datum.mask[position] === 1);
        const position = positions[scored.places[i]!]!;
        const rows = [...visible[row]!].sort((a, b) => one.positions[a]! - one.positions[b]!);
        expect(rows.map((other) => one.tokens[other])).toEqual([...datum.tokens].slice(0, position));
        expect(rows.map((other) => one.positions[other])).toEqual([...Array(position).keys()]);
        expect(scored.targets[i]).toBe(datum.tokens[position]);
        seen.add(`${scored.datums[i]} ${scored.places[i]}`);
      });
      expect(seen.size).toBe(batch.reduce((sum, { mask }) => sum + mask.filter((flag) => flag === 1).length, 0));
    }),
    { numRuns: 60 },
  );
});

test('with a window, each row sees the last tokens of its own sequence and no other', () => {
  fc.assert(
    fc.property(batches, fc.integer({ min: 1, max: 70 }), (batch, window) => {
      const one = pack(batch);
      if (one.rows === 0) return;
      const all = visibleRows(one);
      visibleRows(one, window).forEach((rows, row) => {
        const wanted = all[row]!.filter((other) => one.positions[other]! > one.positions[row]! - window);
        expect(rows.sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b));
      });
    }),
    { numRuns: 60 },
  );
});

test('members of a group share their prompt, equal sequences share everything', () => {
  const prompt = Array.from({ length: 50 }, (_, i) => i % 4);
  const scoredFrom = (from: number, tokens: number[]): Datum => ({
    tokens,
    mask: Uint8Array.from(tokens, (_, i) => (i >= from ? 1 : 0)),
  });
  const replies = [0, 1, 2, 3].map((first) => scoredFrom(50, [...prompt, first, 1, 2, 3, 0]));
  expect(pack(replies).rows).toBe(50 + 4 * 4);
  expect(pack([replies[0]!, replies[0]!]).rows).toBe(54);
  expect(pack([scoredFrom(99, prompt)]).rows).toBe(0);
});

test('shards hold every scored datum once, count the rows of their packs, and stay within their limits', () => {
  const limits = fc.record({
    enough: fc.integer({ min: 1, max: 60 }),
    most: fc.integer({ min: 20, max: 200 }),
    cutsFamilies: fc.boolean(),
  });
  fc.assert(
    fc.property(batches, limits, (batch, rows) => {
      const shards = shardsOf(batch, config, rows);
      const scored = [...batch.keys()].filter((i) => batch[i]!.mask.includes(1));
      expect(shards.flatMap(({ data }) => data).sort((a, b) => a - b)).toEqual(scored);
      for (const shard of shards) {
        expect(pack(shard.data.map((i) => batch[i]!)).rows).toBe(shard.rows);
        if (shard.data.length > 1) expect(shard.rows).toBeLessThanOrEqual(rows.most);
      }
    }),
  );
});

test.each([
  { why: 'a few groups with long replies are cut for more threads', groups: 2, prompt: 128, reply: 128, parts: 4 },
  { why: 'what is long and shared is not repeated for short replies', groups: 2, prompt: 800, reply: 40, parts: 1 },
  { why: 'as many groups as there are accumulators stay whole', groups: 16, prompt: 128, reply: 128, parts: 1 },
])('$why', ({ groups, prompt, reply, parts }) => {
  const batch = Array.from({ length: 8 * groups }, (_, i): Datum => {
    const group = i % groups; // members of a group need not stand side by side
    const start = Array.from({ length: prompt }, (_, at) => (at < 4 ? (group >> at) & 1 : 2));
    const tokens = [...start, ...Array.from({ length: reply + 1 }, (_, at) => (at < 3 ? ((i / groups) >> at) & 1 : 3))];
    return { tokens, mask: Uint8Array.from(tokens, (_, at) => (at >= prompt ? 1 : 0)) };
  });
  const shards = shardsOf(batch, config, shardRows(batch));
  expect(shards.map(({ data }) => data.length)).toEqual(Array.from({ length: parts * groups }, () => 8 / parts));
  expect(shards.every(({ data }) => new Set(data.map((i) => i % groups)).size === 1)).toBe(true);
});
