import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../registry.ts';
import '../../builtin.ts';
import { weather } from '../weather/weather.ts';
import { Inputs } from './kit.ts';
import { float } from '../../../core/python/values.ts';
import { recordedIn, Recordings, type Recorded } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-recorded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const recorded = join(folder, 'answers');
const questions = join(folder, 'weather.jsonl');
const call = (tool: string, input: object): string => `${tool} with Action Input: ${JSON.stringify(input)}`;

/** As AgentGym's files look: requests with their answers, and a recorded conversation. */
const answers = [
  { tool: 'get_elevation', input: { longitude: 121.45806, latitude: 31.22222 }, answer: { elevation: [7] } },
  {
    item_id: 'weather_0',
    conversations: [
      { from: 'human', value: 'Now new trial starts.' },
      { from: 'gpt', value: `Thought: where?\n\nAction: ${call('get_latitude_longitude', { name: 'Erewhon' })}` },
      {
        from: 'human',
        value: "Observation: {'results': [{'name': 'Erewhon', 'latitude': 1.5, 'longitude': 2.0}]}\nGive me one action.",
      },
      { from: 'gpt', value: `Action: ${call('get_elevation', { latitude: 9 })}` },
      { from: 'human', value: "Observation: ERROR | KeyError('longitude')\nGive me one action." },
    ],
  },
];

mkdirSync(recorded);
writeFileSync(join(recorded, 'a.json'), JSON.stringify(answers));
writeFileSync(
  questions,
  Array.from({ length: 343 }, (_, id) =>
    JSON.stringify({
      id,
      goal: `How high is place ${id}?`,
      subgoals: id === 4 ? [7] : id === 39 ? [6.399999999999999, 6.4] : id === 61 ? [[-10.6, 4.5], 'x'] : [id],
      additional_info: { init_config: { current_date: '2023-06-15', current_location: 'New York' } },
    }),
  ).join('\n'),
);

describe('recorded answers', () => {
  const shanghai = call('get_elevation', { latitude: 31.22222, longitude: 121.45806 });
  it('stand before our world, in Python’s notation, whatever the order of the parameters', () => {
    const environment = weather({ recorded });
    const say = (action: string): string =>
      environment.open({ env: 'weather', split: 'test', index: 0 }).step(action).observation;
    expect(say(shanghai)).toContain("{'elevation': [7]}");
    expect(say(call('get_latitude_longitude', { name: 'Erewhon' }))).toContain("'latitude': 1.5, 'longitude': 2.0}");
    expect(say(call('get_latitude_longitude', { name: 'Paris' }))).toContain("'name': 'Paris'");
    expect(say(call('get_elevation', { latitude: 9 }))).toContain("KeyError('longitude')");
    expect(environment.version).not.toBe(weather().version);
  });
  it('stand alone behind AgentGym’s own questions', () => {
    const environment = weather({ recorded, questions });
    expect(environment.splits).toEqual(['train', 'test', 'all']);
    const episode = environment.open({ env: 'weather', split: 'test', index: 0 });
    expect(episode.observation).toContain('How high is place 4?');
    const say = (action: string) => episode.step(action);
    expect(say(call('get_user_current_date', {})).observation).toContain('2023-06-15');
    expect(say(call('get_air_quality_level', { air_quality_index: 10 })).observation).toContain('good');
    expect(say(call('get_elevation', { latitude: 0, longitude: 0 })).observation).toContain('no answer to this call is recorded');
    expect(say(shanghai)).toMatchObject({ reward: 0, done: false });
    expect(say(call('finish', { answer: 7 }))).toMatchObject({ reward: 1, done: true, success: true });
    const expert = environment.expert({ env: 'weather', split: 'test', index: 1 });
    expect(expert.next('')).toBe('finish with Action Input: {"answer": 12}');
  });
  it('take any of several answers, as the original’s weather does, and lists in any order', () => {
    const environment = weather({ recorded, questions });
    const told = (item: number, answer: unknown) => environment.openItem(item).step(call('finish', { answer }));
    for (const answer of [6.4, 6.399999999999999]) expect(told(39, answer)).toMatchObject({ reward: 1, success: true });
    expect(told(39, 6.39)).toMatchObject({ reward: 0, success: false });
    expect(told(61, [4.5, -10.6])).toMatchObject({ reward: 1, success: true });
    expect(told(-1, 342)).toMatchObject({ reward: 1, success: true });
  });
  it('may be None, and are told apart by type', () => {
    const nothing = new Recordings([
      { tool: 'get_historical_snow', input: { latitude: 1 }, answer: null },
      { tool: 'get_elevation', input: { latitude: true }, answer: 'yes' },
    ]);
    const box = nothing.before({ call: () => 'the world' });
    expect(box.call('get_historical_snow', new Inputs({ latitude: float(1) }))).toBeNull();
    expect(box.call('get_elevation', new Inputs({ latitude: 1 }))).toBe('the world');
    expect(box.call('get_elevation', new Inputs({ latitude: 'true' }))).toBe('the world');
    expect(box.call('get_elevation', new Inputs({ latitude: true }))).toBe('yes');
  });
  it('have a fingerprint that changes with anything in them and not with their order', () => {
    const one = { tool: 'a', input: { x: 1 }, answer: 1 };
    const two = { tool: 'a', input: { x: 2 }, answer: 1 };
    const print = (...recorded: readonly Recorded[]): string => new Recordings(recorded).fingerprint;
    expect(print(one, two)).toBe(print(two, one));
    const others = [
      print(one),
      print(one, { ...two, answer: 2 }),
      print(one, { ...two, answer: '1' }),
      print(one, { ...two, tool: 'b' }),
      print(one, { ...two, input: { y: 2 } }),
    ];
    expect(new Set([...others, print(one, two)]).size).toBe(6);
  });
  it.each([
    ['a request', { tool: 'a', input: { x: 1 }, answer: 'b' }, [{ tool: 'a', input: { x: 1 }, answer: 'b' }]],
    ['a request without input', { tool: 'a', answer: 1 }, [{ tool: 'a', input: {}, answer: 1 }]],
    ['a request without an answer', { tool: 'a' }, undefined],
    ['a text', 'a', undefined],
    ['a conversation without calls', { conversations: [] }, []],
    ['a call without an observation', { conversations: [{ from: 'gpt', value: 'Action: a with Action Input: {}' }] }, []],
  ])('are read from entries: %s', (_, entry, found) => expect(recordedIn(entry)).toEqual(found));
  it.each([
    ['a result', 'a', 'Observation: [1, 2]\nGive me one action.', [[1, 2]]],
    ['a text', 'a', 'Observation: Paris', ['Paris']],
    ['an error', 'a', 'Observation: ERROR | KeyError(x)\nGive me one action.', []],
    ['a refusal', 'a', 'Observation: Error: start_date should be earlier', []],
    ['the end', 'finish', 'Observation: 7\nGive me one action.', []],
    ['no observation', 'a', 'Format error, please', []],
  ])('of a conversation: %s', (_, tool, value, answers) => {
    const conversations = [
      { from: 'gpt', value: `Action: ${tool} with Action Input: {}` },
      { from: 'human', value },
    ];
    expect(recordedIn({ conversations })?.map(({ answer }) => answer)).toEqual(answers);
  });
  it('are refused with the reason where they cannot be used', async () => {
    expect(() => weather({ questions })).toThrow(/set weather\.recorded as well/);
    expect(() => weather({ recorded: folder + '/absent' })).toThrow(/check the path/);
    expect(() => weather({ recorded: folder })).toThrow(/neither .* nor a conversation/);
    expect(() => weather({ recorded, questions: join(recorded, 'a.json') })).toThrow(/no question with goal/);
    // What their tools change cannot be recorded.
    await expect(loadEnvironment('todo', { recorded })).rejects.toThrow(/todo has no setting "recorded"/);
  });
});
