/** When imitation is told that it waits for its data, and when not: where threads would not help. */
import { expect, it } from 'vitest';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import { DataWaits } from './data-waits.ts';

const recipe = (data: object = {}, engine: object = {}) =>
  sftRecipe({ run: 'waits', data: { source: 'experts', experts: [{ env: 'maze' }], ...data }, engine, steps: 1 });

function told(waits: DataWaits, steps = 10, share = 0.8): string | undefined {
  for (let i = 0; i < steps; i++) waits.add(share, 1);
  return waits.sentence(waits.take());
}

it('says it once, with as many threads as there are idle cores', () => {
  const waits = new DataWaits(recipe({}, { threads: 2 }), 6);
  expect(told(waits)).toBe(
    '80 % of the time learning waits for demonstrations: data.threads=4 plays them beside it, and the run stays the same',
  );
  expect(told(waits)).toBeUndefined();
});

it('says nothing early, of short waits, without an idle core, or where threads play already', () => {
  expect(told(new DataWaits(recipe(), 6), 9)).toBeUndefined();
  expect(told(new DataWaits(recipe(), 6), 10, 0.4)).toBeUndefined();
  expect(told(new DataWaits(recipe(), 1))).toBeUndefined();
  expect(told(new DataWaits(recipe({ threads: 1 }), 6))).toBeUndefined();
  expect(told(new DataWaits(recipe({ experts: [{ env: 'maze', url: 'http://127.0.0.1:1' }] }), 6))).toBeUndefined();
  const files = sftRecipe({ run: 'waits', data: { source: 'files', train: 'a.json' }, steps: 1 });
  expect(told(new DataWaits(files, 6))).toBeUndefined();
});
