import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { babyAI } from './babyai.ts';
import { drawState } from './draw.ts';
import { renderSvg } from './render.ts';
import { levels } from './world/levels/index.ts';

const env = babyAI();
const task = (split: string, index: number) => ({ env: 'babyai', split, index });

describe('tasks', () => {
  it('are those of AgentGym, and fresh ones without end', () => {
    expect(env.splits.map((split) => env.tasks(split).size)).toEqual([810, 90, Infinity, Infinity, Infinity, 90]);
    expect(env.tasks('test').info(0)).toEqual({ category: 'GoTo', itemId: 'babyai_1804', title: 'GoToLocalS8N7, seed 45' });
    expect(env.taskOfItem(1804)).toEqual(task('test', 0));
    expect(env.taskOfItem(11)).toEqual(task('all', 11));
    const seen = new Set(Array.from({ length: 18 }, (_, index) => env.tasks('generated').info(index).title));
    expect(seen.size).toBe(18);
    expect([...seen].every((title) => title?.endsWith('seed 1000000'))).toBe(true);
  });

  it('have a fresh panel as the test set: 18 levels with five seeds of its own, all of which can be solved', () => {
    const titles = Array.from({ length: 90 }, (_, index) => env.tasks('fresh').info(index).title ?? '');
    expect(new Set(titles).size).toBe(90);
    const level = (title: string): string => title.replace(/, seed \d+$/, '');
    const tested = Array.from({ length: 90 }, (_, index) => level(env.tasks('test').info(index).title ?? ''));
    expect(titles.map(level).sort()).toEqual(tested.sort());
    expect(titles.every((title) => /seed 400000000[0-4]$/.test(title))).toBe(true);
    for (let index = 0; index < 90; index++) expect(env.impossible(task('fresh', index)), titles[index]).toBeUndefined();
    expect(() => env.open(task('fresh', 90))).toThrow(/tasks 0 to 89/);
  });

  it('report the six families of AgentGym-RL', () => {
    const families = new Set(Array.from({ length: 90 }, (_, index) => env.tasks('test').info(index).category));
    expect([...families].sort()).toEqual(['AOD', 'FindObj', 'GoTo', 'OneRoom', 'Pickup', 'SynthLoc']);
  });

  it('can be narrowed to levels by name or family', () => {
    const narrow = babyAI({ levels: 'GoToRedBall, OneRoom' });
    expect([0, 1, 2].map((index) => narrow.tasks('generated').info(index).title)).toEqual([
      'GoToRedBall, seed 1000000',
      'OneRoomS20, seed 1000000',
      'GoToRedBall, seed 1000001',
    ]);
    expect(narrow.version).not.toBe(env.version);
    expect(babyAI({ levels: 'all' }).options.levels).toHaveLength(40);
  });

  it('refuse what is not there and say what is', () => {
    const code = (attempt: () => unknown): unknown => {
      try {
        attempt();
      } catch (thrown) {
        return (thrown as { code?: string }).code;
      }
    };
    expect(code(() => env.tasks('dev'))).toBe('ENV_UNKNOWN_SPLIT');
    for (const index of [-1, 90, 0.5, NaN]) expect(code(() => env.open(task('test', index)))).toBe('ENV_UNKNOWN_TASK');
    for (const item of [-1, 2 ** 53, 1.5]) expect(code(() => env.openItem(item))).toBe('ENV_UNKNOWN_TASK');
    expect(code(() => babyAI({ levels: 'GoToMoon' }))).toBe('ENV_BAD_SETTING');
    expect(code(() => babyAI({ listActions: 'maybe' }))).toBe('ENV_BAD_SETTING');
    expect(env.openItem(2 ** 53 - 1).observation).toMatch(/^Your goal: /);
  });
});

describe('an episode', () => {
  it('ends with the score of AgentGym', () => {
    const episode = env.openItem(0);
    expect(episode.actions).toContain('go to red ball 1');
    const step = episode.step('go to red ball 1');
    expect(step).toMatchObject({ reward: 0.8875, done: true, success: true });
    expect(step.observation).toContain('\n The task is completed.\nAvailable actions: ["turn left", ');
    expect(episode.step('turn left')).toEqual({ observation: step.observation, reward: 0, done: true, success: true });
  });

  it('leaves out the list of actions on request', () => {
    expect(env.openItem(0).observation).toContain('\nAvailable actions: [');
    expect(babyAI({ listActions: 'false' }).openItem(0).observation).not.toContain('Available actions');
  });

  it.each([
    ['', 'No change in state.'],
    ['  TURN LEFT \u001f', /^In front of you/],
    ['pickup purple elephant 1', 'The action is not recognized. Please check valid actions.'],
    ['pick up red ball 1', 'The action is not recognized. Please check valid actions.'],
    ['craft 1 stick using 2 planks', 'The action is not recognized. Please check valid actions.'],
    ['click[buy now]', 'The action is not recognized. Please check valid actions.'],
    ['drop', 'You cannot drop the object, as you are not carrying anything.'],
    ['let me check', /^You can take the following actions: turn left, turn right, /],
  ])('answers %j', (action, answer) => {
    const { observation, done } = babyAI({ listActions: 'false' }).openItem(0).step(action);
    if (typeof answer === 'string') expect(observation).toBe(answer);
    else expect(observation).toMatch(answer);
    expect(done).toBe(false);
  });

  it('takes "pick up" for "pickup" on request', () => {
    const episode = babyAI({ aliases: 'true' }).openItem(0);
    expect(episode.step('pick up red ball 1').observation).toContain('You are carrying a red ball.');
  });

  it('never throws and never changes its mind, whatever it is told', () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom('turn left', 'move forward', 'go to', 'pickup', 'drop', 'toggle', 'check'),
    );
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), fc.array(words, { maxLength: 20 }), (item, actions) => {
        const [a, b] = [env.openItem(item), env.openItem(item)];
        for (const action of actions) expect(a.step(action)).toEqual(b.step(action));
      }),
      { numRuns: 60 },
    );
  });

  it('goes on for 100,000 steps without an end', () => {
    const episode = env.openItem(12);
    for (let i = 0; i < 100_000; i++) episode.step(i % 10 === 0 ? 'turn left' : 'nonsense');
    expect(episode.step('turn left').done).toBe(false);
  });

  it('pays a late completion again and again as AgentGym does, or ends with it', () => {
    const late = (ending: string) => {
      const episode = babyAI({ ending, levels: 'all' }).openItem(3);
      for (let i = 0; i < 8; i++) episode.step(i % 2 === 0 ? 'turn left' : 'turn right');
      let step = episode.step('check');
      for (let i = 0; i < 4 && !step.done && step.reward === 0; i++) {
        step = episode.step(episode.actions.find((action) => action.startsWith('go to')) ?? 'turn left');
      }
      return { step, again: episode.step('check') };
    };
    const agentGym = late('agentgym');
    expect(agentGym.step).toMatchObject({ done: false });
    expect(agentGym.step.observation).toContain('The task is completed.');
    expect(agentGym.again.reward).toBe(agentGym.step.reward);
    expect(late('first').step).toMatchObject({ done: true, success: true });
  });
});

describe('the expert', () => {
  it.each(levels.map((level, at) => [level.name, at] as const))('solves %s where it can be solved', (name, at) => {
    for (const seed of [7, 8]) {
      const ref = task('all', seed * 40 + at);
      const why = env.impossible(ref);
      const expert = env.expert(ref);
      const episode = env.open(ref);
      let step = { observation: episode.observation, done: false };
      for (let action = expert.next(''); action !== null; action = expert.next('')) {
        expect(episode.actions).toContain(action);
        step = episode.step(action);
      }
      expect(step.done).toBe(why === undefined);
      if (name === 'KeyInBox') expect(why).toMatch(/key/);
    }
  });
});

describe('pictures', () => {
  it('are drawn from the state alone', () => {
    const state = env.openItem(0).state;
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(renderSvg(state)).toMatch(/^<svg .*go to the red ball.*<\/svg>$/s);
    const drawn = drawState(state).split('\n');
    expect(drawn).toHaveLength(10);
    expect(drawn[5]).toBe('██· · · · · ◀ ██');
    expect(drawState({ goal: 'stick' })).toBe('');
  });
});
