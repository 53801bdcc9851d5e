import { describe, expect, it } from 'vitest';
import { rlRecipe, sftRecipe } from './recipe.ts';

const short = { run: 'x', tasks: [{ env: 'textcraft' }] };
const sft = { run: 'x', data: { train: 'a.jsonl' } };

describe('choosing', () => {
  it('happens on validation where a recipe says nothing', () => {
    expect(rlRecipe(short).evaluate).toMatchObject({ choose: true, split: 'validation' });
    expect(sftRecipe(sft).evaluate).toMatchObject({ choose: true, split: 'validation' });
  });
  it.each([
    { split: 'test' },
    { panels: [{ env: 'textcraft', split: 'test' }] },
    { panels: [{ env: 'babyai', split: 'generated-test' }] },
    { panels: [{ env: 'babyai', split: 'fresh' }] },
  ])('is refused on the test tasks, with the reason and the way out: %j', (evaluate) => {
    const reason = /chosen by them.*Evaluate on validation.*agoge eval on test.*evaluate\.choose=false/s;
    expect(() => rlRecipe({ ...short, evaluate })).toThrow(reason);
    expect(() => sftRecipe({ ...sft, evaluate })).toThrow(reason);
    expect(rlRecipe({ ...short, evaluate: { ...evaluate, choose: false } }).evaluate.choose).toBe(false);
  });
  it('is not had by the back door of an early stop', () => {
    const watched = { ...short, evaluate: { split: 'test', choose: false } };
    expect(() => rlRecipe({ ...watched, stop: { patience: 3 } })).toThrow(/stop\.patience and stop\.success choose/);
  });
});
