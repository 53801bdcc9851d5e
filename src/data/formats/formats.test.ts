/** Records as people have them: which format they are taken for, what is read, what is refused and how. */
import { describe, expect, it } from 'vitest';
import type { FormatName } from './format.ts';
import { formatNamed, recognise } from './formats.ts';
import { oddities } from '../inspect.ts';
import type { DataMessage } from '../rows.ts';

const from = [{ from: 'human', value: 'q' }];
const role = [{ role: 'user', content: 'q' }];

describe('a record is taken for', () => {
  it.each<[FormatName | undefined, unknown]>([
    ['agenttraj', { conversations: from, item_id: 'a_1' }],
    ['agenttraj', { conversations: from }],
    ['sampling', { conversations: role, item_id: 'a_1', reward: 1, success: 1 }],
    ['chat', { messages: role }],
    ['chat', { messages: [] }],
    ['verl-rl', { data_source: 'webshop', prompt: role, reward_model: {}, extra_info: {} }],
    ['ids', { item_id: 'a_1' }],
    ['ids', { item_id: 'a_1', conversations: null }],
    ['ids', { item_id: 'a_1', conversations: [] }],
    [undefined, { item_id: 7 }],
    [undefined, { conversations: [] }],
    [undefined, { prompt: 'a text' }],
    [undefined, {}],
    [undefined, null],
    [undefined, 'text'],
    [undefined, [{ messages: role }]],
    [undefined, 5],
  ])('%s: %j', (name, record) => expect(recognise(record)?.name).toBe(name));
  it('chat messages in parquet are verl’s SFT rows', () => {
    expect(recognise({ messages: role }, true)?.name).toBe('verl-sft');
    expect(recognise({ prompt: role }, true)?.name).toBe('verl-rl');
  });
});

describe('reading', () => {
  const read = (name: FormatName, record: unknown) => formatNamed(name).read(record);

  it('AgentTraj: human and gpt, loss true, false, null or absent', () => {
    const conversations = [
      { from: 'human', loss: null, value: 'rules' },
      { from: 'gpt', loss: false, value: 'OK' },
      { from: 'gpt', loss: true, value: 'act' },
      { from: 'gpt', value: 'more' },
    ];
    expect(read('agenttraj', { conversations, item_id: 'a_1' })).toEqual({
      kind: 'conversation',
      itemId: 'a_1',
      messages: [
        { role: 'user', content: 'rules', loss: null },
        { role: 'assistant', content: 'OK', loss: false },
        { role: 'assistant', content: 'act', loss: true },
        { role: 'assistant', content: 'more' },
      ],
    });
  });

  it.each<[unknown, boolean | undefined, unknown]>([
    [1, true, undefined],
    [0, false, undefined],
    // The spelling is kept, so that a file is written as it was read.
    [true, true, true],
    [false, false, false],
    // Neither a yes nor a no: kept as it was, claimed as nothing.
    [0.5, undefined, 0.5],
    [null, undefined, null],
  ])('success %j is %s', (success, want, left) => {
    const row = read('sampling', { conversations: role, success });
    expect(row).toMatchObject({ ...(want === undefined ? {} : { success: want }) });
    expect((row as { extra?: { success?: unknown } }).extra?.success).toBe(left);
  });

  it("AgentGym-RL's rollout logs have numbers for item_id, which name no environment", () => {
    const row = read('sampling', { conversations: role, item_id: 7, reward: 0.5 });
    expect(row).toMatchObject({ reward: 0.5, extra: { item_id: 7 } });
    expect(row.itemId).toBeUndefined();
  });

  it('content null (a call of a tool) is an empty text, and the call is kept', () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: '1' }] };
    expect(read('chat', { messages: [call] })).toMatchObject({
      messages: [{ content: '', extra: { tool_calls: [{ id: '1' }] } }],
    });
  });

  it('a verl row knows its task by its interaction', () => {
    const record = (kwargs: object) => ({
      data_source: 'webshop',
      prompt: role,
      extra_info: { index: 0, interaction_kwargs: kwargs },
    });
    expect(read('verl-rl', record({ name: 'webshop', session_id: 0 })).itemId).toBe('webshop_0');
    expect(read('verl-rl', record({ name: 'maze', game: 3 })).itemId).toBe('lmrlgym_maze_3');
    expect(read('verl-rl', record({ name: 'webshop' })).itemId).toBeUndefined();
    expect(read('verl-rl', { prompt: role, ability: null, reward_model: null, extra_info: null })).toEqual({
      kind: 'task',
      prompt: role,
    });
  });

  it.each<[FormatName, unknown, RegExp]>([
    ['agenttraj', { conversations: [{ from: 'robot', value: 'x' }] }, /conversations\.0\.from/],
    ['agenttraj', { conversations: [{ from: 'gpt', value: 5 }] }, /conversations\.0\.value/],
    ['agenttraj', { conversations: [{ from: 'gpt', value: 'x', loss: 'yes' }] }, /conversations\.0\.loss/],
    ['chat', { messages: [{ role: 'user' }] }, /messages\.0\.content/],
    ['chat', { messages: [{ role: 'narrator', content: 'x' }] }, /messages\.0\.role/],
    ['chat', { messages: 'x' }, /messages/],
    ['sampling', { conversations: role, reward: '1' }, /reward/],
    ['ids', { item_id: 5 }, /item_id/],
    ['verl-rl', { prompt: [], extra_info: 'x' }, /extra_info/],
    ['chat', null, /the record/],
  ])('%s: %j is refused with its place', (name, record, place) => {
    expect(() => read(name, record)).toThrow(place);
    expect(() => read(name, record)).toThrow(expect.objectContaining({ code: 'DATA_BAD_ROW' }) as Error);
  });
});

describe('writing', () => {
  it('AgentTraj: what is learned is said, tools speak as the human', () => {
    const messages: DataMessage[] = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
      { role: 'tool', content: 't' },
    ];
    expect(
      formatNamed('agenttraj').write({ kind: 'conversation', messages, itemId: 'a_1', reward: 0.5, success: false, sample: 2 }),
    ).toEqual({
      conversations: [
        { from: 'human', loss: null, value: 'q' },
        { from: 'gpt', loss: true, value: 'a' },
        { from: 'human', loss: null, value: 't' },
      ],
      item_id: 'a_1',
      reward: 0.5,
      success: 0,
      sample_idx: 2,
    });
  });
  it('is refused where a row has not what is needed', () => {
    expect(() => formatNamed('ids').write({ kind: 'task' })).toThrow(/has no item_id/);
    expect(() => formatNamed('verl-rl').write({ kind: 'task', itemId: 'a_1' })).toThrow(/has no prompt/);
    expect(() => formatNamed('episodes').write({ kind: 'conversation', messages: [] })).toThrow(/tokens were not recorded/);
  });
});

describe('what a trainer would stumble over', () => {
  const of = (...roles: [DataMessage['role'], string?, (boolean | null)?][]): DataMessage[] =>
    roles.map(([who, content = 'x', loss]) => ({ role: who, content, ...(loss === undefined ? {} : { loss }) }));
  it.each<[DataMessage[], string[]]>([
    [of(['system'], ['user'], ['assistant']), []],
    [of(['user'], ['assistant'], ['tool'], ['tool'], ['assistant']), []],
    [[], ['there are no messages']],
    [of(['user']), ['there is no reply to learn from']],
    [of(['user'], ['assistant', 'OK', false]), ['there is no reply to learn from']],
    [of(['user'], ['assistant', 'a', null]), []],
    [of(['user'], ['assistant', ' \n']), ['a message is empty']],
    [of(['user'], ['user'], ['assistant']), ['two messages in a row have the same role']],
    [of(['user'], ['system'], ['assistant']), ['a system message is not the first']],
    [
      of(['user'], ['system'], ['user'], ['assistant']),
      ['two messages in a row have the same role', 'a system message is not the first'],
    ],
  ])('%j', (messages, want) => expect(oddities(messages)).toEqual(want));
});
