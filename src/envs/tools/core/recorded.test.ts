import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../registry.ts';
import '../../builtin.ts';
import { weather } from '../weather/weather.ts';

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
      subgoals: [id === 4 ? 7 : id],
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
  it('are refused with the reason where they cannot be used', async () => {
    expect(() => weather({ questions })).toThrow(/set weather\.recorded as well/);
    expect(() => weather({ recorded: folder + '/absent' })).toThrow(/check the path/);
    expect(() => weather({ recorded: folder })).toThrow(/neither .* nor a conversation/);
    expect(() => weather({ recorded, questions: join(recorded, 'a.json') })).toThrow(/no question with goal/);
    // What their tools change cannot be recorded.
    await expect(loadEnvironment('todo', { recorded })).rejects.toThrow(/todo has no setting "recorded"/);
  });
});
