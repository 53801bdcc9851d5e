/** What becomes of a row in another format: openings, tasks, ids, and what has no place. */
import { describe, expect, it } from 'vitest';
import { convertRow, defaultTarget, opened, type Opening } from './convert.ts';
import type { FormatName } from './formats/format.ts';
import { formatNamed } from './formats/formats.ts';
import type { DataMessage, Row } from './rows.ts';

const ok = "OK. I'll follow your instructions and try my best to solve the task.";
const user = (content: string, more: Partial<DataMessage> = {}): DataMessage => ({ role: 'user', content, ...more });
const assistant = (content: string, more: Partial<DataMessage> = {}): DataMessage => ({ role: 'assistant', content, ...more });
const system = (content: string): DataMessage => ({ role: 'system', content });
const shape = (messages: readonly DataMessage[]): string =>
  messages.map(({ role, content }) => `${role}:${content.slice(0, 4).trim()}`).join(' ');

describe('the opening of a conversation', () => {
  const canned = [user('rules', { loss: null }), assistant(ok, { loss: false }), user('goal'), assistant('act')];
  const native = [system('rules'), user('goal'), assistant('act')];
  it.each<[string, readonly DataMessage[], Opening, FormatName, string]>([
    ['AgentGym’s is made a system message for verl', canned, 'auto', 'verl-sft', 'system:rule user:goal assistant:act'],
    ['and stays for chat', canned, 'auto', 'chat', 'user:rule assistant:OK. user:goal assistant:act'],
    ['unless it is asked for', canned, 'system', 'chat', 'system:rule user:goal assistant:act'],
    ['or forbidden', canned, 'keep', 'verl-sft', 'user:rule assistant:OK. user:goal assistant:act'],
    [
      'a system message is AgentGym’s opening on the way back',
      native,
      'auto',
      'agenttraj',
      'user:rule assistant:OK. user:goal assistant:act',
    ],
    ['and stays for verl', native, 'auto', 'verl-sft', 'system:rule user:goal assistant:act'],
    // A first reply that is learned from is no acknowledgement, however it sounds.
    [
      'a real first reply stays',
      [user('q'), assistant('OK, done', { loss: true }), user('more')],
      'auto',
      'verl-sft',
      'user:q assistant:OK, user:more',
    ],
    [
      'a conversation that ends after the acknowledgement stays',
      [user('q'), assistant('OK', { loss: false })],
      'system',
      'chat',
      'user:q assistant:OK',
    ],
    ['nothing to open', [], 'auto', 'verl-sft', ''],
    ['a system message alone', [system('s')], 'agentgym', 'agenttraj', 'system:s'],
  ])('%s', (_, messages, opening, to, want) => expect(shape(opened(messages, opening, to))).toBe(want));

  it('goes there and back', () => {
    const there = opened(canned, 'auto', 'verl-sft');
    expect(shape(opened(there, 'auto', 'agenttraj'))).toBe(shape(canned));
    expect(opened(there, 'auto', 'agenttraj').slice(0, 2)).toMatchObject([{ loss: null }, { loss: false, content: ok }]);
  });
});

describe('tasks out of ids', () => {
  const task = (itemId: string, more: Partial<Row> = {}): Row => ({ kind: 'task', itemId, ...more }) as Row;
  const rl = (row: Row, options = {}): Row => convertRow(row, 'ids', formatNamed('verl-rl'), options);

  it("are verl's rows: who plays, which task, paid by the environment", () => {
    expect(rl(task('textcraft_17'), { index: 3, split: 'train' })).toMatchObject({
      kind: 'task',
      env: 'textcraft',
      ability: 'crafting',
      rewardModel: { style: 'interaction', ground_truth: '' },
      extraInfo: { index: 3, split: 'train', interaction_kwargs: { name: 'textcraft', session_id: 17, data_idx: 17 } },
    });
  });
  it.each<[string, object, string, number]>([
    ['nq_7', {}, 'searchqa', 7],
    ['lmrlgym_maze_5', {}, 'maze', 5],
    ['my_env_5', {}, 'my_env', 5],
    ['5', { env: 'textcraft', position: 2 }, 'textcraft', 2],
    // ALFWorld's training ids are names; the list is in the order of its games.
    ['pick_and_place-X-None-Y-1_trial_T20190907_174127_043461', { position: 9 }, 'alfworld', 9],
  ])('%s', (id, options, name, session) => {
    expect(rl(task(id), options)).toMatchObject({ extraInfo: { interaction_kwargs: { name, session_id: session } } });
  });
  it.each<[Row, object, RegExp]>([
    [task('textcraft-generated_3'), { env: 'textcraft' }, /split generated of textcraft, whose tasks have no number on a server/],
    [task('pick-X_trial_T20190907_174127_043461'), {}, /has no number that names a task/],
    [{ kind: 'task' }, {}, /no item_id/],
    [{ kind: 'conversation', messages: [] }, {}, /no item_id/],
  ])('%j %j cannot', (row, options, message) => expect(() => rl(row, options)).toThrow(message));
  it('rows of one environment share one prompt', () => {
    const prompt = [system('rules')];
    expect(rl(task('textcraft_1'), { prompt: () => prompt })).toMatchObject({ prompt });
  });
});

describe('what has no place', () => {
  const talk: Row = {
    kind: 'conversation',
    messages: [user('q'), assistant('a', { loss: true, reasoning: 'hm', extra: { weight: 2 } })],
    itemId: 'textcraft_1',
    reward: 1,
    extra: { run: 'x' },
  };
  it('spare fields go from record to record, and are left out of verl’s rows', () => {
    expect(convertRow(talk, 'sampling', formatNamed('chat'))).toMatchObject({
      extra: { run: 'x' },
      messages: [{}, { extra: { weight: 2 } }],
    });
    const bare = convertRow(talk, 'chat', formatNamed('verl-sft'));
    expect(bare).not.toHaveProperty('extra');
    expect(formatNamed('verl-sft').write(bare)).toEqual({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
      ],
    });
  });
  it('a row in its own format is the row itself', () => expect(convertRow(talk, 'chat', formatNamed('chat'))).toBe(talk));
  it('a conversation becomes the id of its task', () => {
    expect(convertRow(talk, 'chat', formatNamed('ids'))).toEqual({ kind: 'task', itemId: 'textcraft_1' });
  });
  it.each<[Row, FormatName, FormatName, RegExp]>([
    [{ kind: 'task', itemId: 'a_1' }, 'ids', 'chat', /ids holds tasks, chat holds conversations: play the tasks/],
    [talk, 'chat', 'episodes', /has no tokens/],
  ])('%j from %s to %s', (row, from, to, message) => expect(() => convertRow(row, from, formatNamed(to))).toThrow(message));
});

it.each<[FormatName, string, FormatName]>([
  ['agenttraj', '.parquet', 'verl-sft'],
  ['ids', '.parquet', 'verl-rl'],
  ['ids', '.json', 'ids'],
  ['chat', '.json', 'agenttraj'],
  ['agenttraj', '.jsonl', 'chat'],
])('%s into a file called %s becomes %s', (from, extension, to) => expect(defaultTarget(formatNamed(from), extension)).toBe(to));
