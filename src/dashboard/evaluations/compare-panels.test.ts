/** Evaluations beside each other: who is on one panel, who is the first, what is paired, and what cannot be compared. */
import { describe, expect, it } from 'vitest';
import type { Panel } from '../../eval/panel.ts';
import type { Score } from '../../eval/score.ts';
import { comparePanels, type Played } from './compare-panels.ts';

const panelOf = (change: Partial<Panel> = {}): Panel => ({
  env: 'toy',
  version: '1',
  split: 'test',
  tasks: [0, 1, 2, 3, 4, 5, 6, 7],
  format: 'direct',
  limits: { turns: 5, tokensPerTurn: 5 },
  hash: 'abc',
  ...change,
});

/** One episode a task; undefined is one without a result. */
function played(
  run: string,
  policy: string,
  success: readonly (0 | 1 | undefined)[],
  panel = panelOf(),
  temperature = 1,
): Played {
  const list = success.filter((one) => one !== undefined);
  const mean = list.reduce<number>((sum, one) => sum + one, 0) / list.length;
  const perTask = success.map((one, index) => {
    const had = one === undefined ? [] : [one];
    return { index, item: '', category: '', samples: had.map(() => 0), success: had, reward: had };
  });
  const score = { policy, panel: panel.hash, scored: list.length, success: { mean, low: 0, high: 1 }, reward: { mean }, perTask };
  return { run, panel, score: score as unknown as Score, sampling: { temperature } };
}

const [none, all] = [Array<0>(8).fill(0), Array<1>(8).fill(1)];

describe('rows of a panel', () => {
  const labels = (evaluations: Played[][], baseline?: string): string[][] =>
    comparePanels(evaluations, baseline).panels.map(({ rows }) => rows.map(({ label }) => label));

  it.each<[string, Played[][], string | undefined, string[][]]>([
    ['equal panels are one', [[played('r1', 'a', none)], [played('r2', 'b', all)]], undefined, [['a', 'b']]],
    ['a yardstick is not the first', [[played('r1', 'random', none)], [played('r2', 'b', all)]], undefined, [['b', 'random']]],
    [
      'unless there are only those',
      [[played('r1', 'random', none), played('r1', 'expert', all)]],
      undefined,
      [['random', 'expert']],
    ],
    ['or it is asked for', [[played('r1', 'random', none)], [played('r2', 'b', all)]], 'random', [['random', 'b']]],
    ['whoever is asked for is first', [[played('r1', 'a', none), played('r1', 'b', all)]], 'b', [['b', 'a']]],
    ['nobody of that name', [[played('r1', 'a', none), played('r1', 'b', all)]], 'c', [['a', 'b']]],
    [
      'twins are told by their run',
      [[played('r1', 'a', none)], [played('r2', 'a', all)], [played('r3', 'b', all)]],
      undefined,
      [['a · r1', 'a · r2', 'b']],
    ],
    [
      'who was sampled differently is told by it',
      [[played('r1', 'a', none)], [played('r2', 'a', all, panelOf(), 0), played('r2', 'random', none, panelOf(), 0)]],
      undefined,
      [['a (temperature 1) · r1', 'a (temperature 0) · r2', 'random']],
    ],
    [
      'other tasks are another panel',
      [[played('r1', 'a', none)], [played('r2', 'b', [1], panelOf({ tasks: [0], hash: 'x' }))]],
      undefined,
      [['a'], ['b']],
    ],
    ['nothing was played', [[], []], undefined, []],
  ])('%s', (_, evaluations, baseline, want) => expect(labels(evaluations, baseline)).toEqual(want));

  it('are forty at most', () => {
    const many = Array.from({ length: 45 }, (_, i) => [played(`r${String(i)}`, `p${String(i)}`, none)]);
    expect(comparePanels(many).panels[0]?.rows).toHaveLength(40);
  });
});

describe('pairs', () => {
  it('each is compared with the first by task, and the first with nobody', () => {
    const [panel] = comparePanels([[played('r1', 'a', none)], [played('r2', 'b', all)]]).panels;
    expect(panel).toMatchObject({ name: 'toy/test', hash: 'abc' });
    expect(panel?.rows[0]).toMatchObject({ policy: 'a', share: { n: 8, success: 0 }, reward: 0 });
    expect(panel?.rows[0]).not.toHaveProperty('against');
    expect(panel?.rows[1]?.against).toMatchObject({ n: 8, success: { difference: 1, onlyA: 0, onlyB: 8 } });
    expect(panel?.rows[1]?.against?.sentence).toMatch(/^b solves more tasks than a: \+1\.000/);
  });

  it('only tasks with a result on both sides count', () => {
    const [panel] = comparePanels([[played('r1', 'a', [1, undefined, 0])], [played('r2', 'b', [1, 1, undefined])]]).panels;
    expect(panel?.rows[1]?.against?.n).toBe(1);
  });

  it('where no task has both, nothing is said', () => {
    const [panel] = comparePanels([[played('r1', 'a', [1, undefined])], [played('r2', 'b', [undefined, 1])]]).panels;
    expect(panel?.rows[1]).not.toHaveProperty('against');
  });
});

describe('what cannot be compared', () => {
  const differing = (change: Partial<Panel>, run = 'r2') =>
    comparePanels([[played('r1', 'a', none)], [played(run, 'b', all, panelOf({ ...change, hash: 'x' }))]]).unlike;
  it.each<[string, Partial<Panel>, string]>([
    ['another version', { version: '2' }, 'version: 1 and 2'],
    ['another split', { split: 'train' }, 'split: test and train'],
    ['another format', { format: 'react' }, 'format: direct and react'],
    ['more turns', { limits: { turns: 9, tokensPerTurn: 5 } }, 'turns: 5 and 9'],
    ['a limit on tokens', { limits: { turns: 5, tokensPerTurn: 5, tokens: 99 } }, 'tokens in all: any and 99'],
    ['another reward', { reward: 'judge' }, 'reward: env and judge'],
    ['other tasks', { tasks: [0, 1, 9] }, 'tasks: 6 only in the first, 1 only in the second, 2 in both'],
  ])('%s', (_, change, words) =>
    expect(differing(change)).toEqual([{ runs: ['r1', 'r2'], panel: 'toy/test', differences: [words] }]),
  );

  it('panels of one run, or of other environments, are meant to differ', () => {
    expect(differing({ split: 'train' }, 'r1')).toEqual([]);
    expect(differing({ env: 'other' })).toEqual([]);
  });
});
