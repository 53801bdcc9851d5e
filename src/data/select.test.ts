import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Row } from './rows.ts';
import { envOf, evolveThreshold, fingerprint, planDedupe, planSplit, type SplitPlan } from './select.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-select-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function file(records: readonly object[]): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

/** One row for each entry: the item it belongs to. */
function rowsOf(items: readonly number[]): string {
  return file(items.map((item) => ({ messages: [{ role: 'user', content: `${item}` }], item_id: `textcraft_${item}` })));
}

const heldOf = (plan: SplitPlan): number[] =>
  Array.from({ length: plan.rows }, (_, i) => i + 1).filter((number) => plan.isHeld(number));

describe('a random split', () => {
  it('holds out exactly the share, rounded down, at least one row, and never all', async () => {
    const ten = rowsOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [share, want] of [
      [0.3, 3],
      [0.39, 3],
      [0.01, 1],
      [0.99, 9],
    ] as const)
      expect((await planSplit(ten, share, 1, false)).held, `share ${share}`).toBe(want);
  });

  it('is the same for the same seed, and another for another', async () => {
    const path = rowsOf(Array.from({ length: 40 }, (_, i) => i));
    const [a, b, c] = [
      await planSplit(path, 0.5, 1, false),
      await planSplit(path, 0.5, 1, false),
      await planSplit(path, 0.5, 2, false),
    ];
    expect(heldOf(a)).toEqual(heldOf(b));
    expect(heldOf(a)).not.toEqual(heldOf(c));
  });

  it('keeps the rows of an item together', async () => {
    const items = Array.from({ length: 60 }, (_, i) => i % 20);
    const plan = await planSplit(rowsOf(items), 0.25, 7, true);
    const sides = new Map<number, Set<boolean>>();
    items.forEach((item, i) => sides.set(item, (sides.get(item) ?? new Set()).add(plan.isHeld(i + 1))));
    expect([...sides.values()].every(({ size }) => size === 1)).toBe(true);
    expect(plan.held).toBe(15);
  });

  it('an item of many rows does not overrun the share', async () => {
    // Ninety rows of one task and ten tasks of one row: a tenth is the ten, or near it, in whatever order they are drawn.
    const items = [...Array<number>(90).fill(0), ...Array.from({ length: 10 }, (_, i) => i + 1)];
    for (let seed = 0; seed < 20; seed++) expect((await planSplit(rowsOf(items), 0.1, seed, true)).held).toBe(10);
  });

  it('items that are all larger than the share: the smallest', async () => {
    const items = [...Array<number>(30).fill(0), ...Array<number>(25).fill(1), ...Array<number>(45).fill(2)];
    expect((await planSplit(rowsOf(items), 0.1, 3, true)).held).toBe(25);
  });

  it('by item, neither side is ever empty and the share is as near as one item allows', async () => {
    const items = fc.array(fc.nat(6), { minLength: 2, maxLength: 30 }).filter((list) => new Set(list).size > 1);
    await fc.assert(
      fc.asyncProperty(items, fc.double({ min: 0.05, max: 0.95, noNaN: true }), async (list, share) => {
        const { rows, held } = await planSplit(rowsOf(list), share, 1, true);
        expect(held).toBeGreaterThan(0);
        expect(held).toBeLessThan(rows);
        const sizes = [...new Set(list)].map((item) => list.filter((other) => other === item).length);
        expect(Math.abs(held - Math.max(1, Math.floor(rows * share)))).toBeLessThanOrEqual(Math.max(...sizes));
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it.each([0, 1, -0.1, 1.5, NaN])('a share of %d is refused', async (share) => {
    await expect(planSplit(rowsOf([1, 2]), share, 1, false)).rejects.toThrow(/between 0 and 1/);
  });

  it('what cannot be split is said', async () => {
    await expect(planSplit(rowsOf([1]), 0.5, 1, false)).rejects.toThrow(/has 1 rows, too few/);
    await expect(planSplit(rowsOf([3, 3, 3]), 0.5, 1, true)).rejects.toThrow(/all rows .* are of one item/);
  });
});

describe('duplicates', () => {
  const talk = (item: string | undefined, reply: string, reward?: number): object => ({
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: reply },
    ],
    ...(item === undefined ? {} : { item_id: item }),
    ...(reward === undefined ? {} : { reward }),
  });
  const keep = async (by: 'words' | 'item' | 'best', ...records: object[]): Promise<number[]> =>
    [...(await planDedupe(file(records), by)).keep].sort((a, b) => a - b);

  it('by words: the first of equal conversations, whoever they belong to', async () => {
    expect(await keep('words', talk('a_1', 'x'), talk('a_2', 'x'), talk('a_1', 'y'))).toEqual([1, 3]);
  });
  it('by item: the first of each', async () => {
    expect(await keep('item', talk('a_1', 'x', 0), talk('a_2', 'x', 0), talk('a_1', 'y', 1))).toEqual([1, 2]);
  });
  it('best: the highest reward of each item, the first of equals', async () => {
    expect(await keep('best', talk('a_1', 'x', 0.2), talk('a_1', 'y', 0.9), talk('a_1', 'z', 0.9), talk('a_2', 'x', -1))).toEqual(
      [2, 4],
    );
  });
  it('best: a row without a reward loses against a bad one, wherever it stands', async () => {
    expect(await keep('best', talk('a_1', 'x'), talk('a_1', 'y', -1))).toEqual([2]);
    expect(await keep('best', talk('a_1', 'y', -1), talk('a_1', 'x'))).toEqual([1]);
  });
  it('by item needs items', async () => {
    await expect(keep('item', talk(undefined, 'x'))).rejects.toThrow(/row 1 has no item_id: remove duplicates by words/);
  });
});

describe('fingerprints', () => {
  const spoken = (...contents: [('user' | 'assistant')?, string?][]): Row => ({
    kind: 'conversation',
    messages: contents.map(([role = 'user', content = '']) => ({ role, content })),
  });
  it('know where one message ends and who said it', () => {
    const all = [
      spoken(['user', 'ab']),
      spoken(['user', 'a'], ['user', 'b']),
      spoken(['assistant', 'ab']),
      spoken(['user', 'a'], ['assistant', 'b']),
    ];
    expect(new Set(all.map(fingerprint)).size).toBe(all.length);
    expect(fingerprint(spoken(['user', 'ab']))).toBe(fingerprint({ ...spoken(['user', 'ab']), itemId: 'x_1' }));
  });
  it('of tasks are those of the task, not of the prompt that all of them share', () => {
    const prompt = [{ role: 'system', content: 's' }] as const;
    const tasks: Row[] = [
      { kind: 'task', prompt, itemId: 'a_1' },
      { kind: 'task', prompt, itemId: 'a_2' },
      { kind: 'task', prompt, extraInfo: { index: 1 } },
      { kind: 'task', prompt, extraInfo: { index: 2 } },
    ];
    expect(new Set(tasks.map(fingerprint)).size).toBe(4);
  });
});

it('AgentEvol’s thresholds, and the environment of a row', () => {
  expect(['babyai', 'sciworld', 'webshop', 'textcraft', 'sqlgym', 'maze'].map(evolveThreshold)).toEqual([
    0, 99, 0.99, 0.99, 0.99, 0.99,
  ]);
  expect(envOf({ kind: 'task', itemId: 'nq_3' })).toBe('searchqa');
  expect(envOf({ kind: 'task', itemId: 'nq_3', env: 'mine' })).toBe('mine');
  expect(envOf({ kind: 'task' })).toBeUndefined();
});
