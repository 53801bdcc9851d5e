import { describe, expect, it } from 'vitest';
import type { PromptFormat } from '../agent/format.ts';
import type { EpisodeLimits } from '../agent/limits.ts';
import type { Environment } from '../envs/environment.ts';
import { createPanel, panelDifferences, parseTasks, type Panel } from './panel.ts';

describe('tasks of the command line', () => {
  it.each<[string, number, number[]]>([
    ['0', 10, [0]],
    ['0-3', 10, [0, 1, 2, 3]],
    ['3,5,7-9', 10, [3, 5, 7, 8, 9]],
    [' 1 - 2 , 4 ', 10, [1, 2, 4]],
    ['7-7', 10, [7]],
    ['all', 3, [0, 1, 2]],
    ['2,2,1', 10, [2, 2, 1]],
  ])('%j of %d', (text, size, want) => expect(parseTasks(text, size)).toEqual(want));

  it('all of an endless split are its first hundred', () => {
    expect(parseTasks('all', Infinity)).toHaveLength(100);
    expect(parseTasks('5000-5002', Infinity)).toEqual([5000, 5001, 5002]);
  });

  it.each(['', 'x', '-1', '3-', '-3', '5-3', '1.5', '1,,2', '1;2', '0-9a', '１', 'ALL'])('%j names none', (text) => {
    expect(() => parseTasks(text, 10)).toThrow(/names no tasks: write numbers and ranges/);
  });

  it('a range behind the last task is not filled: its first missing task is enough', () => {
    expect(parseTasks('8-99999999999', 10)).toEqual([8, 9, 10]);
    expect(parseTasks('500-99999999999', 10)).toEqual([500]);
    expect(() => parseTasks('0-99999999999', Infinity)).toThrow(/more than 1000000 tasks/);
  });

  it('all of a split that fills the memory are refused', () => {
    expect(() => parseTasks('all', 1e9)).toThrow(/the split has 1000000000 tasks, too many for one evaluation: choose some/);
  });
});

const environment = (size: number, version = '1'): Environment =>
  ({ name: 'toy', version, splits: ['test'], tasks: () => ({ size }) }) as unknown as Environment;
const format = (name: string, fingerprint?: string): PromptFormat => ({ name, fingerprint }) as unknown as PromptFormat;
const limits = (given: Partial<EpisodeLimits> = {}): EpisodeLimits => ({ turns: 5, tokensPerTurn: 64, deadline: 1000, ...given });

function panel(
  changes: {
    split?: string;
    tasks?: number[];
    version?: string;
    format?: PromptFormat;
    limits?: Partial<EpisodeLimits>;
    reward?: string;
  } = {},
): Panel {
  const { split = 'test', tasks = [0, 1, 2], version, reward } = changes;
  return createPanel(environment(10, version), split, tasks, changes.format ?? format('direct'), limits(changes.limits), reward);
}

describe('a panel', () => {
  it('is the same for the same question: order, repeats and deadlines are not part of it', () => {
    const same = [panel(), panel({ tasks: [2, 0, 1, 1] }), panel({ limits: { deadline: 5 } })];
    expect(new Set(same.map(({ hash }) => hash)).size).toBe(1);
    expect(panel({ tasks: [10 - 1, 0] }).tasks).toEqual([0, 9]);
  });

  it.each<[string, Panel, RegExp]>([
    ['tasks', panel({ tasks: [0, 1, 3, 4] }), /tasks: 1 only in the first, 2 only in the second, 2 in both/],
    ['split', panel({ split: 'train' }), /split: test and train/],
    ['version', panel({ version: '2' }), /version: 1 and 2/],
    ['format', panel({ format: format('react') }), /format: direct and react/],
    ['the words of a format', panel({ format: format('direct', 'abc') }), /format: direct and direct \(abc\)/],
    ['turns', panel({ limits: { turns: 6 } }), /turns: 5 and 6/],
    ['tokens of a turn', panel({ limits: { tokensPerTurn: 65 } }), /tokens per turn: 64 and 65/],
    ['tokens', panel({ limits: { tokens: 100 } }), /tokens in all: any and 100/],
    ['context', panel({ limits: { context: 512 } }), /context: any and 512/],
    ['reward', panel({ reward: 'gsm8k' }), /reward: env and gsm8k/],
  ])('differs by %s, and says so', (_, other, words) => {
    expect(other.hash).not.toBe(panel().hash);
    expect(panelDifferences(panel(), other).join('; ')).toMatch(words);
    expect(panelDifferences(other, other)).toEqual([]);
  });

  it('has tasks, and only those that there are', () => {
    expect(() => panel({ tasks: [] })).toThrow(/no tasks of toy\/test were chosen/);
    for (const tasks of [[], [0]])
      expect(() => createPanel(environment(0), 'test', tasks, format('direct'), limits())).toThrow(
        'toy/test has no tasks: choose another split with --split',
      );
    expect(() => panel({ tasks: [3, 10] })).toThrow(/toy\/test has tasks 0 to 9, not 10/);
  });

  it('of twenty thousand tasks are compared at once', () => {
    const many = (from: number): Panel => ({ ...panel(), tasks: Array.from({ length: 20_000 }, (_, i) => from + i) });
    expect(panelDifferences(many(0), many(1))).toEqual(['tasks: 1 only in the first, 1 only in the second, 19999 in both']);
  });
});
