import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueInWords } from './issue-words.ts';

const recipe = z.object({
  steps: z.number().int().positive(),
  share: z.number().min(0).max(1),
  name: z.enum(['grpo', 'ppo', 'rloo']),
  tasks: z.array(z.string()).min(1),
  kl: z.union([z.literal(false), z.object({ coefficient: z.number() })]),
  own: z.string().refine((text) => text.startsWith('./'), 'a path begins with ./'),
});
const right = { steps: 1, share: 0.5, name: 'grpo', tasks: ['a'], kl: false, own: './x' };

it.each([
  [{ steps: -1 }, 'give a number above 0, not -1'],
  [{ steps: 'abc' }, 'give a number, not "abc"'],
  [{ steps: 1.5 }, 'give a whole number, not 1.5'],
  [{ steps: undefined }, 'it is missing: give a number'],
  [{ share: 2 }, 'give at most 1, not 2'],
  [{ name: 'grop' }, '"grop" is not known: did you mean "grpo"? choose one of grpo, ppo, rloo'],
  [{ name: 3 }, 'give "grpo", "ppo" or "rloo", not 3'],
  [{ tasks: [] }, 'it is empty: give at least one'],
  [{ tasks: 5 }, 'give a list, not 5'],
  [{ kl: 3 }, 'give false or keys with values ({ key: value }), not 3'],
  [{ own: 'x' }, 'a path begins with ./'],
])('%j is told in our words', (change, says) => {
  const { error } = recipe.safeParse({ ...right, ...change }, { error: issueInWords });
  expect(error?.issues.map(({ message }) => message)).toEqual([says]);
});
