/** What a level means, how a world is told, and what an episode pays: the rules that all kinds share. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import type { Step } from '../environment.ts';
import { draw, NONSENSE, seeds } from './drawn.fixture.ts';
import { kindNames } from './kinds.ts';
import { inventedEnvironment } from './opened.fixture.ts';
import { Sketch } from './world.ts';

const sketch = (seed: number, level: number): Sketch => new Sketch(Random.of(seed, 'sketch'), 'train', level);
const task = (index: number, split = 'train') => ({ env: 'invented', split, index });

describe('sizes', () => {
  const drawn = (level: number, since?: number): number[] => seeds(200).map((seed) => sketch(seed, level).size(2, 10, since));
  it.each([
    [0, 2, 2],
    [0.25, 2, 4],
    [0.5, 2, 6],
    [1, 2, 10],
  ])('level %d draws from %d to %d', (level, low, high) => {
    expect(Math.min(...drawn(level))).toBe(low);
    // One more is drawn where the share of a whole one says so.
    expect(Math.max(...drawn(level))).toBe(high);
  });

  it('a size that begins later stays at its smallest until then', () => {
    expect(Math.max(...drawn(0.3, 0.3))).toBe(2);
    expect(Math.max(...drawn(0.65, 0.3))).toBe(6);
    expect(Math.max(...drawn(1, 0.3))).toBe(10);
  });
});

describe('difficulty', () => {
  it.each(kindNames)('%s: a table has one or two lines at difficulty 0', (kind) => {
    for (const seed of seeds(30))
      for (const { rows } of draw(kind, seed, 0).tables) expect(rows.length, `seed ${seed}`).toBeLessThanOrEqual(2);
  });

  it('of a setting bounds what is drawn: easy prompts are shorter than hard ones on average', () => {
    const length = (difficulty: string): number => {
      const environment = inventedEnvironment({ difficulty });
      return seeds(60).reduce((sum, index) => sum + environment.open(task(index)).observation.length, 0);
    };
    const [easy, middle, hard] = [length('0'), length('0.4-0.5'), length('1')];
    expect(easy).toBeLessThan(middle);
    expect(middle).toBeLessThan(hard);
  });

  it('tools have at times a verb that means nothing, so that only the prompt tells what it does', () => {
    const verbs = seeds(200).map((seed) => sketch(seed, 0.5).tool('go', ['go', 'walk', 'move'], 'goes').verb);
    const made = verbs.filter((verb) => !['go', 'walk', 'move'].includes(verb)).length;
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThan(60);
  });
});

describe('an episode', () => {
  const play = async (
    actions: readonly string[],
    environment = inventedEnvironment({ kind: 'lookup', difficulty: '0' }),
    index = 0,
  ) => {
    const episode = environment.open(task(index));
    const steps: Step[] = [];
    for (const action of actions) steps.push(await episode.step(action));
    return { episode, steps };
  };
  const expertAction = (index = 0): string =>
    inventedEnvironment({ kind: 'lookup', difficulty: '0' }).expert(task(index)).next('') ?? '';

  it('pays 1 for a solved world, once', async () => {
    const { steps } = await play([expertAction(), expertAction()]);
    expect(steps[0]).toMatchObject({ reward: 1, done: true, success: true });
    expect(steps[1]).toMatchObject({ reward: 0, done: true });
  });

  it('pays nothing for a wrong answer, which ends it', async () => {
    const verb = expertAction().split(' ')[0] ?? '';
    const { episode, steps } = await play([`${verb} ${NONSENSE}`]);
    expect(steps[0]).toMatchObject({ reward: 0, done: true, success: false });
    expect(episode.state).toMatchObject({ ended: true });
  });

  it('takes the last line of a reply as the action where the whole is none', async () => {
    const action = expertAction();
    for (const reply of [`Let me see.\n${action}`, `  ${action}  `, `one\ntwo\n\n ${action} `]) {
      const { steps } = await play([reply]);
      expect(steps[0], reply).toMatchObject({ reward: 1, done: true });
    }
    expect((await play([`${action}\nThat is it.`])).steps[0]).toMatchObject({ reward: 0, done: false });
  });

  it('answers what is no action with the forms, and counts it as played', async () => {
    const { episode, steps } = await play(['what now', '']);
    for (const { observation, done, reward } of steps) {
      expect(observation).toMatch(/^(I do not understand|Error: no such action|Unknown command)\. (Use|Write|Known:) .*<answer>/);
      expect([reward, done]).toEqual([0, false]);
    }
    expect(episode.state).toEqual({ kind: 'lookup', actions: 2, ended: false });
  });

  it('shows its forms and its story in the prompt, whichever way it is arranged', () => {
    const environment = inventedEnvironment();
    for (const index of seeds(60)) {
      const { prompt = [] } = environment.open(task(index));
      expect([1, 2]).toContain(prompt.length);
      expect(prompt.at(-1)?.role).toBe('user');
      expect(prompt.map(({ text }) => text).join('\n')).toMatch(/<\w+>|Take exactly|not fewer/);
    }
  });
});

describe('tasks', () => {
  it('are the same for the same number, and different in each split', () => {
    const environment = inventedEnvironment();
    for (const index of [0, 7, 123456]) {
      const text = (split: string): string => environment.open(task(index, split)).observation;
      expect(text('train')).toBe(text('train'));
      expect(new Set(['train', 'validation', 'test'].map(text)).size).toBe(3);
    }
  });

  it('have no end, and a number must be whole', () => {
    const environment = inventedEnvironment();
    expect(environment.tasks('train').size).toBe(Infinity);
    expect(environment.tasks('test').info(5).itemId).toBe('invented_test_5');
    for (const index of [-1, 0.5, NaN, 2 ** 53]) expect(() => environment.open(task(index)), String(index)).toThrow(/invented/);
    expect(() => environment.tasks('dev')).toThrow(/train/);
  });

  it('are of the kinds that were named, all of them in turn', () => {
    const environment = inventedEnvironment({ kind: 'fetch,trail' });
    const met = new Set(seeds(30).map((index) => environment.tasks('train').info(index).category));
    expect([...met].sort()).toEqual(['fetch', 'trail']);
  });

  it('of practice have the level that is asked for, and an expert that follows what was played', () => {
    const environment = inventedEnvironment({ kind: 'chain' });
    const { episode, expert } = environment.practice(Random.of(3), 1);
    let step: Step | undefined;
    for (let turn = 0, last: string | undefined; turn < 8 && step?.done !== true; turn++) {
      const action = expert.next('', last) ?? '';
      // A wrong action in between changes nothing for who follows.
      last = turn === 1 ? 'nonsense' : action;
      step = episode.step(last) as Step;
    }
    expect(step).toMatchObject({ done: true, success: true });
  });
});
