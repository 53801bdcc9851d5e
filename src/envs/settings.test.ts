/** Settings of environments: what they may be is said in our words, whatever schema an environment has. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { between, flag, oneOf, range, readSettings, whole, words } from './settings.ts';

const shape = {
  size: whole(1, 9).optional(),
  share: between(0, 1).optional(),
  loud: flag().optional(),
  kind: oneOf(['red', 'blue']).optional(),
  depth: range(1, 4).optional(),
  names: words().optional(),
  // As somebody writes them who knows zod alone.
  count: z.number().int().min(2).max(5).optional(),
  mode: z.enum(['fast', 'slow']).optional(),
  either: z.union([z.number(), z.literal('all')]).optional(),
  even: z
    .number()
    .refine((n) => n % 2 === 0, { error: 'it is odd' })
    .optional(),
};

it('reads what YAML has and what a command line says', () => {
  expect(readSettings('e', shape, { size: '3', share: 1, loud: 'true', kind: 'red', depth: '1-3', names: 'a, b' })).toEqual({
    size: 3,
    share: 1,
    loud: true,
    kind: 'red',
    depth: [1, 3],
    names: ['a', 'b'],
  });
});

it.each([
  [{ size: '12' }, 'e.size is "12": set it to a whole number from 1 to 9'],
  [{ share: 'much' }, 'e.share is "much": set it to a number from 0 to 1'],
  [{ loud: 'maybe' }, 'e.loud is "maybe": set it to true or false'],
  [{ kind: 'green' }, 'e.kind is "green": set it to red or blue'],
  [{ depth: '3-1' }, 'e.depth is "3-1": set it to a number or a range within 1-4'],
  [{ count: '1' }, 'e.count is "1": give at least 2'],
  [{ count: 9 }, 'e.count is "9": give at most 5'],
  [{ count: 'two' }, 'e.count is "two": give a number'],
  [{ mode: 'fsat' }, 'e.mode is "fsat": did you mean "fast"? choose one of fast, slow'],
  [{ either: 'none' }, 'e.either is "none": give a number or "all"'],
  [{ even: 3 }, 'e.even is "3": it is odd: set it to what fits'],
  [{ sise: 3 }, 'e has no setting "sise": did you mean "size"?'],
])('%j: %s', (given, sentence) => {
  expect(() => readSettings('e', shape, given)).toThrow(sentence);
});

it('says what is missing where it must be given', () => {
  expect(() => readSettings('e', { file: z.string() }, {})).toThrow('e.file is absent: give a text');
});
