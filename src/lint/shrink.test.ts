import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shrink } from './shrink.ts';

it.each([
  ['one action that is enough', ['a', 'b', 'boom', 'c'], (actions: readonly string[]) => actions.includes('boom'), ['boom']],
  [
    'two in order',
    ['x', 'a', 'y', 'b', 'z'],
    (actions: readonly string[]) => actions.indexOf('b') > actions.indexOf('a') && actions.includes('a'),
    ['a', 'b'],
  ],
  ['a letter of a long text', ['so long a text!'], (actions: readonly string[]) => actions.join('').includes('!'), ['!']],
  ['as many as are needed', ['a', 'a', 'a', 'a', 'a'], (actions: readonly string[]) => actions.length >= 3, ['', '', '']],
  ['nothing at all', ['a', 'b'], () => true, []],
])('%s', async (_, actions, fails, small) => {
  expect(await shrink(actions, async (tried) => fails(tried))).toEqual(small);
});

it('asks no more often than it may, and what it gives still fails', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.string({ maxLength: 6 }), { maxLength: 12 }),
    fc.nat({ max: 40 }),
    async (actions, budget) => {
      let asked = 0;
      const fails = (tried: readonly string[]): boolean => tried.join('').length >= Math.floor(actions.join('').length / 2);
      const small = await shrink(
        actions,
        async (tried) => {
          asked++;
          return fails(tried);
        },
        budget,
      );
      expect(asked).toBeLessThanOrEqual(budget);
      expect(fails(small)).toBe(true);
      expect(small.length).toBeLessThanOrEqual(actions.length);
    },
  );
  await fc.assert(property, { seed: 1, numRuns: 50 });
});
