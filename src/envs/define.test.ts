import { describe, expect, it } from 'vitest';
import { defineEnvironment } from './define.ts';
import { checkLaws } from '../lint/laws.ts';

interface Dice {
  readonly hidden: number;
  tries: number;
}

const dice = defineEnvironment<Dice>({
  name: 'dice',
  splits: { train: 600, test: 60 },
  instructions: 'A die lies under a cup. Say what it shows.',
  actions: { say: 'say {number}' },
  start: (_task, random) => ({ state: { hidden: 1 + random.below(20), tries: 0 }, observation: 'The cup is down.' }),
  step: (state, action) => {
    const said = Number(/^say (\d+)$/.exec(action.trim())?.[1]);
    if (Number.isNaN(said)) return { observation: 'Say: say <number>' };
    state.tries++;
    if (said === state.hidden) return { observation: 'Yes.', reward: 1, done: true };
    return { observation: said < state.hidden ? 'More.' : 'Less.', done: state.tries >= 5 };
  },
  solve: ({ hidden }) => `say ${hidden}`,
});

describe('defineEnvironment', () => {
  it('keeps the laws', async () => {
    const broken: string[] = [];
    for await (const { law, violation } of checkLaws(dice, { cases: 10, expertTasks: 30, memorySteps: 2000 }))
      if (violation) broken.push(`${law}: ${violation.detail}`);
    expect(broken).toEqual([]);
  });

  it('gives a task the same start in every run, and tasks of their own', () => {
    const first = (index: number): unknown => {
      const episode = dice.open({ env: 'dice', split: 'train', index });
      return 'state' in episode ? structuredClone(episode.state) : undefined;
    };
    expect(first(3)).toEqual(first(3));
    expect(new Set(Array.from({ length: 40 }, (_, i) => JSON.stringify(first(i)))).size).toBeGreaterThan(8);
  });

  it('names what is unknown, and the nearest', () => {
    expect(() => dice.tasks('tset')).toThrow(/no split "tset": did you mean "test"\?/);
    expect(() => dice.open({ env: 'dice', split: 'test', index: 60 })).toThrow(/tasks 0 to 59, not 60/);
  });

  it('has an expert that advises after any action', () => {
    const expert = dice.expert?.({ env: 'dice', split: 'train', index: 0 });
    const right = expert?.next('');
    expect(expert?.next('', 'say 0')).toBe(right);
  });

  it('a task that cannot start is listed all the same, and tells why when it is opened', () => {
    const broken = defineEnvironment({
      name: 'broken',
      splits: { all: 3 },
      instructions: '',
      start: ({ index }) => {
        if (index === 1) throw new Error('no such level');
        return { state: 0, observation: '' };
      },
      step: () => ({ observation: '' }),
    });
    expect(broken.tasks('all').info(1)).toEqual({ category: 'all', itemId: 'broken_all_1' });
    expect(() => broken.tasks('all').info(3)).toThrow(/tasks 0 to 2, not 3/);
    expect(() => broken.open({ env: 'broken', split: 'all', index: 1 })).toThrow('no such level');
  });

  it('may start and step with a promise; what it rejects with reaches whoever waits, and an expert says that it cannot', async () => {
    const slow = defineEnvironment({
      name: 'slow',
      splits: { all: 2 },
      instructions: '',
      start: async ({ index }) => ({ state: { index }, observation: 'ready' }),
      step: async ({ index }, action) => {
        if (index === 1) throw new Error('the server is gone');
        return { observation: action, reward: 1, done: true };
      },
      solve: () => 'go',
    });
    const first = await slow.open({ env: 'slow', split: 'all', index: 0 });
    const second = await slow.open({ env: 'slow', split: 'all', index: 1 });
    expect(await first.step('go')).toEqual({ observation: 'go', reward: 1, done: true });
    expect(await first.step('go')).toEqual({ observation: 'go', reward: 0, done: true });
    await expect(second.step('go')).rejects.toThrow('the server is gone');
    expect(() => slow.expert?.({ env: 'slow', split: 'all', index: 0 })).toThrow(/cannot wait for an async start\(\)/);
  });

  it('refuses a reward that is no number', () => {
    const bad = defineEnvironment({
      name: 'bad',
      splits: { all: 1 },
      instructions: '',
      start: () => ({ state: 0, observation: '' }),
      step: () => ({ observation: '', reward: NaN }),
    });
    const episode = bad.open({ env: 'bad', split: 'all', index: 0 });
    expect(() => ('step' in episode ? episode.step('') : undefined)).toThrow(/gave the reward NaN/);
  });
});
