/** Two scores of one panel, made by hand: what is paired, what is left out, and what would be needed to tell them apart. */
import { describe, expect, it } from 'vitest';
import { compareScores, type Comparison } from './compare.ts';
import type { Panel } from './panel.ts';
import type { Score } from './score.ts';

type Outcomes = readonly (readonly number[])[];

/** Success of each sample of each task; an empty list is a task whose episodes all failed. */
function compared(a: Outcomes, b: Outcomes, samplings?: Parameters<typeof compareScores>[4]): Comparison {
  const limits = { turns: 5, tokensPerTurn: 5 };
  const tasks = a.map((_, index) => index);
  const panel: Panel = { env: 'toy', version: '1', split: 'test', tasks, format: 'direct', limits, hash: 'abc' };
  const score = (policy: string, outcomes: Outcomes): Score => {
    const perTask = outcomes.map((success, index) => ({
      index,
      item: '',
      category: '',
      samples: success.map((_, sample) => sample),
      success,
      reward: success,
    }));
    return { policy, perTask } as Partial<Score> as Score;
  };
  return compareScores(score('a', a), panel, score('b', b), panel, samplings);
}

const times = (n: number, ...outcome: number[]): number[][] => Array.from({ length: n }, () => outcome);

describe('a comparison', () => {
  it('pairs the tasks that both have a score for, and says how many it left out', () => {
    const { n, leftOut, success } = compared([[1], [], [0], [1], []], [[1], [1], [1], [], []]);
    expect({ n, leftOut }).toEqual({ n: 2, leftOut: 3 });
    expect(success).toMatchObject({ a: 0.5, b: 1, difference: 0.5, onlyA: 0, onlyB: 1, test: 'mcnemar' });
  });

  it('refuses where no task has both', () => {
    expect(() => compared([[1], []], [[], [0]])).toThrow(/no task has a score in both/);
  });

  it('never asks for fewer than six tasks: five equal pairs are no proof', () => {
    const five = compared(times(5, 0), times(5, 1));
    expect(five.success.p).toBeGreaterThan(0.05);
    expect(five).toMatchObject({ needed: 6, verdict: expect.stringContaining('about 6 tasks would be needed') as string });
    expect(compared(times(6, 0), times(6, 1)).verdict).toMatch(/^b solves more tasks than a: \+1\.000/);
  });

  it('names the better one, whichever side it stands on, by the test that fits', () => {
    expect(compared(times(8, 1), times(8, 0)).verdict).toMatch(/^a solves more tasks than b/);
    const sampled = compared(times(8, 0, 0), times(8, 1, 1));
    expect(sampled.success.test).toBe('sign-flip');
    expect(compared([[1], [0], [1]], [[0], [1], [1]]).verdict).toMatch(
      /^not distinguishable .* no difference in success was seen/,
    );
  });

  it('names what was sampled differently, in the verdict too', () => {
    const greedy = compared(times(8, 1), times(8, 0), { a: { temperature: 0 }, b: { temperature: 1, topK: 20 } });
    expect(greedy.verdict).toMatch(/^a \(temperature 0, top-k none\) solves more tasks than b \(temperature 1, top-k 20\): /);
    expect(greedy.sampled).toMatch(/^sampled differently \(temperature: 0 and 1; top-k: none and 20\)/);
    const alike = compared(times(8, 1), times(8, 0), { a: { temperature: 1 }, b: { temperature: 1 } });
    expect(alike).not.toHaveProperty('sampled');
    expect(alike.verdict).toMatch(/^a solves more tasks than b: /);
  });
});
