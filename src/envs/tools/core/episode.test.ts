/** The rules of AgentGym's tool servers, on a kit of two tools. */
import { describe, expect, it } from 'vitest';
import { ToolEpisode } from './episode.ts';
import { formatError } from './grammar.ts';
import { checkTool, Declined, finishTool, PythonError, tool, type Kit, type Toolbox } from './kit.ts';
import { float, type Value } from '../../../core/python/values.ts';

const box: Toolbox = {
  call(name, input) {
    if (name === 'decline') throw new Declined('Error: not today');
    if (name === 'fail') throw new PythonError('ValueError', 'no luck');
    return input.get('value');
  },
};

const kit: Kit = {
  name: 'toy',
  version: '1',
  role: 'You echo.',
  tools: [
    tool('echo', 'Say it again.', { value: 'anything' }),
    tool('decline', 'No.'),
    tool('fail', 'No.'),
    checkTool,
    finishTool,
  ],
  aliases: { repeat: 'echo' },
  items: { prefix: 'toy', count: 1, test: [0] },
  ask: () => ({ goal: 'Say seven.', category: 'toy', open: () => box, solve: () => 7 }),
};

function play(answers: readonly Value[] = [7], other: Partial<Kit> = {}): ToolEpisode {
  const question = kit.ask(0, 'test', {} as never);
  return new ToolEpisode({ ...kit, ...other }, { question, answers, solution: box, plan: [] });
}

const say = (episode: ToolEpisode, call: string): { observation: string; reward: number; done: boolean } =>
  episode.send(`Thought: hm\n\nAction: ${call}`);

describe('what is shown', () => {
  it('opens with the goal, which stays the observation', () => {
    const episode = play();
    const opening = 'Now new trial starts.\nYou should perform actions to accomplish the goal: Say seven.\nGive me one action.';
    expect(episode.observation).toBe(opening);
    episode.send('Action: echo with Action Input: {"value": 1}');
    expect(episode.observation).toBe(opening);
  });
  it.each([
    ['a text as it is', "'it\\'s'", "it's"],
    ['None', 'None', 'None'],
    ['JSON’s words', 'true', 'True'],
    ['a whole float', '3.0', '3.0'],
    ['a dictionary', '{"a": ["b", 1.5]}', "{'a': ['b', 1.5]}"],
  ])('a result is printed by str: %s', (_, value, shown) => {
    expect(say(play(), `echo with Action Input: {"value": ${value}}`).observation).toBe(
      `Observation: ${shown}\nGive me one action.`,
    );
  });
  it.each([
    ['echo with Action Input: {}', "ERROR | KeyError('value')"],
    ['echo with Action Input: {"toString": 1}', "ERROR | KeyError('value')"],
    ['echo with Action Input: "value"', "ERROR | TypeError(string indices must be integers, not 'str')"],
    ['echo with Action Input: ["value"]', 'ERROR | TypeError(list indices must be integers or slices, not str)'],
    ['echo with Action Input: 5', "ERROR | TypeError('int' object is not subscriptable)"],
    ['echo with Action Input: 5.5', "ERROR | TypeError('float' object is not subscriptable)"],
    ['echo with Action Input: None', "ERROR | TypeError('NoneType' object is not subscriptable)"],
    ['echo with Action Input: True', "ERROR | TypeError('bool' object is not subscriptable)"],
    ['fail with Action Input: {}', 'ERROR | ValueError(no luck)'],
    ['decline with Action Input: {}', 'Error: not today'],
    ['fly with Action Input: {}', 'ERROR | Invalid action: fly.'],
    ['Echo with Action Input: {"value": 1}', 'ERROR | Invalid action: Echo.'],
    ['toString with Action Input: {}', 'ERROR | Invalid action: toString.'],
    [
      'echo with Action Input: {value: 1}',
      'ERROR | Exception(Parameters in action input are not valid, please change your action input.)',
    ],
    [
      'check_valid_actions with Action Input: {}',
      "You can use following valid actions: ['echo', 'decline', 'fail', 'check_valid_actions', 'finish']",
    ],
    ['repeat with Action Input: {"value": 2}', '2'],
  ])('%s: %s', (call, shown) => {
    expect(say(play(), call)).toEqual({ observation: `Observation: ${shown}\nGive me one action.`, reward: 0, done: false });
  });
  it('an unknown tool is answered with the others where the kit says so', () => {
    expect(say(play([7], { listsActions: true }), 'fly with Action Input: {}').observation).toContain(
      "ERROR | Invalid action: fly. Please choose another valid action from ['echo', 'decline', 'fail', 'check_valid_actions', 'finish']",
    );
  });
  it('a text without a call is a format error that is not wrapped', () => {
    expect(play().send('I give up')).toEqual({ observation: formatError, reward: 0, done: false });
    expect(play().send('echo with Action Input: {"value": 7}').observation).toBe(
      'Observation: ERROR | TypeError(cannot unpack non-iterable NoneType object)\nGive me one action.',
    );
  });
});

describe('the running score', () => {
  it('is 1 for an intermediate result that equals the answer, and stays', () => {
    const episode = play();
    expect(say(episode, 'echo with Action Input: {"value": 6}').reward).toBe(0);
    expect(say(episode, 'echo with Action Input: {"value": 7.0}')).toMatchObject({ reward: 1, done: false });
    expect(say(episode, 'echo with Action Input: {"value": 6}').reward).toBe(1);
    expect(episode.send('nothing').reward).toBe(1);
    expect(say(episode, 'finish with Action Input: {"answer": 0}')).toMatchObject({ reward: 1, done: true });
  });
  it('is 1 for any of several answers', () => {
    for (const [value, reward] of [
      [6.4, 1],
      [6.399999999999999, 1],
      [6.3, 0],
    ] as const)
      expect(say(play([6.399999999999999, 6.4]), `finish with Action Input: {"answer": ${value}}`).reward).toBe(reward);
  });
  it('wants the type as well as the writing', () => {
    expect(say(play(), 'finish with Action Input: {"answer": "7"}').reward).toBe(0);
    expect(say(play(['7']), 'finish with Action Input: {"answer": 7}').reward).toBe(0);
    expect(say(play([true]), 'finish with Action Input: {"answer": 1}').reward).toBe(1);
    expect(say(play([null]), 'finish with Action Input: {"answer": None}').reward).toBe(1);
  });
  it('sorts a list that is handed to finish, whole floats among it', () => {
    const answer: Value = [-10.6, float(4)];
    expect(say(play([answer]), 'finish with Action Input: {"answer": [4.0, -10.6]}')).toMatchObject({
      observation: 'Observation: [-10.6, 4.0]\nGive me one action.',
      reward: 1,
    });
    expect(say(play([answer]), 'echo with Action Input: {"value": [4.0, -10.6]}').reward).toBe(0);
  });
  it('raises where a list cannot be sorted, and goes on', () => {
    const episode = play();
    expect(say(episode, 'finish with Action Input: {"answer": [1, "a"]}')).toEqual({
      observation: "Observation: ERROR | TypeError('<' not supported between instances of 'str' and 'int')\nGive me one action.",
      reward: 0,
      done: false,
    });
    expect(say(episode, 'finish with Action Input: {"answer": 7}')).toMatchObject({ reward: 1, done: true });
  });
});

describe('the end', () => {
  it.each([
    ['finish with Action Input: {"answer": 1}', true],
    ['echo with Action Input: {"value": "finish"}', true],
    ['echo with Action Input: {"value": "unFinished"}', true],
    ['Finish with Action Input: {}', true],
    ['decline with Action Input: {"why": "finish"}', true],
    ['echo with Action Input: {"value": "FINISH"}', false],
    ['finish with Action Input: {}', false],
    ['finish with Action Input: nothing', false],
    ['fail with Action Input: {"why": "finish"}', false],
  ])('%s: %s', (call, done) => expect(say(play(), call).done).toBe(done));
  it('is what the kit says', () => {
    expect(say(play([7], { ending: /finish/i }), 'echo with Action Input: {"value": "FINISH"}').done).toBe(true);
  });
  it('is kept by step and passed over by send', () => {
    const episode = play();
    const last = episode.step('finish with Action Input: {"answer": 7}');
    expect(last).toMatchObject({ reward: 1, done: true, success: true });
    expect(episode.step('echo with Action Input: {"value": 1}')).toEqual({ ...last, reward: 0 });
    expect(say(episode, 'echo with Action Input: {"value": 1}')).toMatchObject({
      observation: 'Observation: 1\nGive me one action.',
      done: false,
    });
  });
  it('pays the difference in step and the sum in send', () => {
    const episode = play();
    const rewards = ['echo with Action Input: {"value": 7}', 'echo with Action Input: {"value": 7}', 'nothing'].map(
      (action) => episode.step(action).reward,
    );
    expect(rewards).toEqual([1, 0, 0]);
  });
});

describe('what viewers see', () => {
  it('is the goal, the calls, the last answer cut short, and the end', () => {
    const episode = play();
    expect(episode.state).toMatchObject({ goal: 'Say seven.', calls: 0 });
    say(episode, `echo with Action Input: {"value": "${'x'.repeat(5000)}"}`);
    expect(episode.state.last?.answer).toHaveLength(2001);
    say(episode, 'echo with Action Input: {"value": [1, 2.0]}');
    expect(episode.state).toMatchObject({ calls: 2, found: { tool: 'echo', input: { value: [1, 2] }, result: [1, 2] } });
    episode.step('finish with Action Input: {"answer": 7}');
    expect(episode.state).toMatchObject({ answer: '7', solved: true });
  });
});
