import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEnvironment } from './define.ts';
import { checkLaws } from '../lint/laws.ts';
import type { Environment, Episode } from './environment.ts';
import type { Settings } from './settings.ts';

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

  it('may start and step with a promise; what it rejects with reaches whoever waits', async () => {
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
  });

  it('waits for rules that take time, and so does its expert', async () => {
    let starts = 0;
    const slow = defineEnvironment<Dice>({
      name: 'slow-dice',
      splits: { test: 3 },
      instructions: 'Say what it shows.',
      start: async (_task, random) => {
        starts++;
        await Promise.resolve();
        return { state: { hidden: 1 + random.below(6), tries: 0 }, observation: 'The cup is down.' };
      },
      step: async ({ hidden }, action) =>
        Promise.resolve({ observation: '', reward: Number(action === `say ${hidden}`), done: true }),
      solve: ({ hidden }) => `say ${hidden}`,
    });
    const task = { env: 'slow-dice', split: 'test', index: 1 };
    slow.tasks('test').info(1);
    const episode = await slow.open(task);
    expect(starts).toBe(1);
    expect('expert' in slow).toBe(false);
    const advice = await slow.remoteExpert?.(task).next('');
    expect(await episode.step(advice ?? '')).toMatchObject({ reward: 1, done: true });
    const laws: string[] = [];
    for await (const { law, violation } of checkLaws(slow, { cases: 3, expertTasks: 3, memorySteps: 50 }))
      if (violation) laws.push(law);
    expect(laws).toEqual([]);
  });

  it('has settings of its own, from the command line or a recipe', () => {
    const sized = defineEnvironment({
      name: 'sized',
      splits: { all: 1 },
      instructions: '',
      settings: { size: z.int().min(2).default(4), loud: z.boolean().default(false) },
      turns: 7,
      tokens: 9,
      start: (_task, _random, { size, loud }) => ({ state: { size }, observation: loud ? 'HELLO' : 'hello' }),
      state: ({ size }) => ({ twice: 2 * size }),
      picture: ({ size }) => `<svg width="${size}"/>`,
      step: () => ({ observation: '' }),
    });
    const first = (environment: Environment): Episode => {
      const episode = environment.open({ env: 'sized', split: 'all', index: 0 });
      if (episode instanceof Promise) throw new Error('it takes no time');
      return episode;
    };
    expect(first(sized).state).toEqual({ twice: 8, picture: '<svg width="4"/>' });
    const other = sized.configured?.({ size: '6', loud: true }) ?? sized;
    expect([first(other).observation, first(other).state]).toEqual(['HELLO', { twice: 12, picture: '<svg width="6"/>' }]);
    expect(other.version).not.toBe(sized.version);
    expect(sized.facts?.limits).toEqual({ turns: 7, tokens: 9 });
    // Before an episode is opened: a study of hours is not to end with it.
    const wrong = (settings: Settings) => () => sized.configured?.(settings);
    expect(wrong({ size: 1 })).toThrow(/sized\.size is "1": give at least 2/);
    expect(wrong({ sise: 1 })).toThrow(/no setting "sise": did you mean "size"/);
  });

  it('refuses what means nothing: a misspelt reward is nobody’s', () => {
    const misspelt = defineEnvironment({
      name: 'misspelt',
      splits: { all: 1 },
      instructions: '',
      start: () => ({ state: 0, observation: '' }),
      step: () => ({ observation: '', rewrad: 1 }) as { observation: string },
    });
    const episode = misspelt.open({ env: 'misspelt', split: 'all', index: 0 });
    expect(() => ('step' in episode ? episode.step('') : undefined)).toThrow(/step gave "rewrad".*did you mean "reward"/);
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
