/** One call as each kind of log writes it: OpenAI's chat completions, OpenTelemetry's spans by the GenAI conventions, the AI SDK's spans. */
import { describe, expect, it } from 'vitest';
import { aiSdkCall } from './ai-sdk-span.ts';
import { Conversations } from './conversations.ts';
import { genAiCall } from './gen-ai-span.ts';
import { rewardIn, textOf, unpacked, type Fields, type LoggedCall } from './logged-call.ts';
import { openAiCall, toolOf } from './openai-log.ts';
import { spansOf } from './spans.ts';

const user = { role: 'user', content: 'hi' };
const reply = { role: 'assistant', content: 'ho' };
const look = { id: 'c1', function: { name: 'look', arguments: '{"box":"red"}' } };

describe('OpenAI’s chat completions', () => {
  it.each<[string, Fields]>([
    ['request and response', { request: { messages: [user] }, response: { choices: [{ message: reply }] } }],
    [
      'with bodies, as proxies log them',
      { request: { body: { messages: [user] } }, response: { body: { choices: [{ message: reply }] } } },
    ],
    ['the completion beside the messages', { messages: [user], completion: { choices: [{ message: reply }] } }],
    ['choices beside the messages', { messages: [user], choices: [{ message: reply }] }],
    ['a whole conversation, as for fine-tuning', { messages: [user, reply] }],
    [
      'content in parts',
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'h' }, { type: 'image_url' }, { type: 'text', text: 'i' }] },
          reply,
        ],
      },
    ],
    [
      'the first choice counts',
      { messages: [user], choices: [{ message: reply }, { message: { role: 'assistant', content: 'no' } }] },
    ],
  ])('%s', (_, record) => expect(openAiCall(record)).toEqual({ messages: [user, reply], tools: [] }));

  it.each<[string, Fields]>([
    ['no messages', { prompt: 'hi' }],
    ['a role that is none', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['a message that is a text', { messages: ['hi'] }],
    ['messages that are a text', { messages: 'hi' }],
  ])('%s is something else', (_, record) => expect(openAiCall(record)).toBeUndefined());

  it('keeps calls of tools and their answers', () => {
    const called = { role: 'assistant', content: null, tool_calls: [{ ...look, type: 'function' }, { function: {} }] };
    const answers = [
      { role: 'tool', tool_call_id: 'c1', content: 'stone' },
      { role: 'function', name: 'look', content: 'old' },
    ];
    expect(openAiCall({ messages: [user, called, ...answers] })?.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', tool_calls: [look] },
      { role: 'tool', content: 'stone', tool_call_id: 'c1' },
      { role: 'tool', content: 'old' },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    [
      'OpenAI’s',
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
      [{ function: { name: 'f', description: 'd', parameters: { type: 'object' } } }],
    ],
    ['the function alone', { name: 'f', inputSchema: { a: 1 } }, [{ function: { name: 'f', parameters: { a: 1 } } }]],
    ['Anthropic’s', { name: 'f', input_schema: { a: 1 } }, [{ function: { name: 'f', parameters: { a: 1 } } }]],
    ['without parameters', { name: 'f' }, [{ function: { name: 'f', parameters: {} } }]],
    ['without a name', { function: {} }, []],
    ['no tool', 'f', []],
  ])('a tool, %s', (_, given, want) => expect(toolOf(given)).toEqual(want));
});

describe('how it went', () => {
  it.each<[Fields, number | undefined]>([
    [{ reward: 0.5 }, 0.5],
    [{ reward: 0 }, 0],
    [{ success: true }, 1],
    [{ success: false }, 0],
    [{ score: 3, success: true }, 3],
    [{ reward: -1, score: 3 }, -1],
    [{ rating: 4 }, 4],
    [{ reward: 'good', feedback: 1 }, 1],
    [{ reward: NaN }, undefined],
    [{ reward: null }, undefined],
    [{}, undefined],
  ])('%j', (record, reward) => expect(rewardIn(record)).toBe(reward));

  it('stands on the record or under its metadata; nothing said is no zero', () => {
    const record = { messages: [user, reply] };
    expect(openAiCall({ ...record, reward: 1 })?.reward).toBe(1);
    expect(openAiCall({ ...record, metadata: { success: false } })?.reward).toBe(0);
    expect(openAiCall({ request: { ...record, metadata: { score: 2 } } })?.reward).toBe(2);
    expect(openAiCall(record)).not.toHaveProperty('reward');
  });
});

describe('spans', () => {
  const attributes = [
    { key: 'text', value: { stringValue: 'x' } },
    { key: 'whole', value: { intValue: '42' } },
    { key: 'real', value: { doubleValue: 0.5 } },
    { key: 'yes', value: { boolValue: true } },
    { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } } },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } } },
    { value: { stringValue: 'nameless' } },
  ];
  const plain = { text: 'x', whole: 42, real: 0.5, yes: true, list: ['a', 1], map: { k: 'v' } };
  const span = { name: 's', attributes };

  it.each<[string, Fields]>([
    ['OTLP as JSON', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }],
    ['OTLP with underscores', { resource_spans: [{ scope_spans: [{ spans: [span] }] }] }],
    ['OTLP of old', { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [span] }] }] }],
    ['a list', { spans: [span] }],
    ['one a line', span],
    ['one a line, attributes as they are', { name: 's', attributes: plain }],
  ])('%s', (_, record) => expect(spansOf(record)).toEqual([{ name: 's', attributes: plain, start: 0n }]));

  it.each<[string, Fields]>([
    ['no name', { attributes: {} }],
    ['no attributes', { name: 's' }],
    ['attributes that are a text', { name: 's', attributes: 'x' }],
    ['nothing in it', { resourceSpans: [{ scopeSpans: [{}] }] }],
  ])('%s: none', (_, record) => expect(spansOf(record)).toEqual([]));

  it.each<[string, Fields, bigint]>([
    ['nanoseconds as a text', { startTimeUnixNano: '1700000000000000001' }, 1_700_000_000_000_000_001n],
    ['with underscores', { start_time_unix_nano: 5 }, 5n],
    ['seconds and nanoseconds', { startTime: [1_700_000_000, 7] }, 1_700_000_000_000_000_007n],
    ['a date', { start_time: '1970-01-01T00:00:01.000Z' }, 1_000_000_000n],
    ['no date', { start_time: 'soon' }, 0n],
    ['a pair that is none', { startTime: ['x', null] }, 0n],
    ['no finite number', { startTime: Infinity }, 0n],
    ['nothing', {}, 0n],
  ])('the start: %s', (_, fields, start) => expect(spansOf({ ...span, ...fields })[0]?.start).toBe(start));
});

describe('a call in spans', () => {
  const at = (attributes: Fields) => ({ name: 's', attributes, start: 0n });
  const want: LoggedCall = {
    messages: [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '', tool_calls: [look] },
      { role: 'tool', content: 'stone', tool_call_id: 'c1' },
      { role: 'assistant', content: 'ho' },
    ],
    tools: [{ function: { name: 'look', parameters: {} } }],
    reward: 0.5,
  };

  it('by the GenAI conventions', () => {
    const input = [
      { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: { box: 'red' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'stone' }] },
    ];
    const attributes = {
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'be kind' }]),
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'ho' }] }]),
      'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', name: 'look' }]),
      'gen_ai.evaluation.score.value': 0.5,
    };
    expect(genAiCall(at(attributes))).toEqual(want);
    expect(genAiCall(at({ ...attributes, 'gen_ai.output.messages': undefined }))).toBeUndefined();
    expect(genAiCall(at({ ...attributes, 'gen_ai.input.messages': 'cut {' }))).toBeUndefined();
  });

  it.each([
    ['version 5 and later', { input: { box: 'red' } }, { output: { type: 'text', value: 'stone' } }],
    ['version 4', { args: { box: 'red' } }, { result: 'stone' }],
  ])('of the AI SDK, %s', (_, given, answered) => {
    const prompt = [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', ...given }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', ...answered }] },
    ];
    const attributes = {
      'ai.prompt.messages': JSON.stringify(prompt),
      'ai.response.text': 'ho',
      'ai.prompt.tools': [JSON.stringify({ type: 'function', name: 'look', inputSchema: {} })],
      'ai.telemetry.metadata.reward': 0.5,
    };
    expect(aiSdkCall(at(attributes))).toEqual(want);
    // The spans around it have no prompt of messages, and one that broke off has no reply.
    expect(aiSdkCall(at({ ...attributes, 'ai.prompt.messages': undefined }))).toBeUndefined();
    expect(aiSdkCall(at({ ...attributes, 'ai.response.text': undefined }))).toBeUndefined();
  });

  it('a reply of calls alone is a reply', () => {
    const called = JSON.stringify([{ toolCallId: 'c1', toolName: 'look', input: '{"box":"red"}' }]);
    const found = aiSdkCall(at({ 'ai.prompt.messages': '[]', 'ai.response.toolCalls': called }));
    expect(found?.messages).toEqual([{ role: 'assistant', content: '', tool_calls: [look] }]);
  });
});

describe('conversations', () => {
  const said = (...words: string[]): LoggedCall => ({
    messages: words.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
    tools: [],
  });
  const lengths = (...calls: LoggedCall[]): number[] => {
    const all = new Conversations();
    for (const call of calls) all.add(call);
    return all.conversations().map(({ messages }) => messages.length);
  };
  it.each<[string, LoggedCall[], number[]]>([
    ['one goes on', [said('a', 'b'), said('a', 'b', 'c', 'd')], [4]],
    ['two begin alike', [said('a', 'b'), said('a', 'x')], [2, 2]],
    ['another reply is another conversation', [said('a', 'b'), said('a', 'x', 'c', 'd')], [2, 4]],
    ['twice the same, and one goes on', [said('a', 'b'), said('a', 'b'), said('a', 'b', 'c', 'd')], [4, 2]],
    ['both go on', [said('a', 'b'), said('a', 'b'), said('a', 'b', 'c', 'd'), said('a', 'b', 'e', 'f')], [4, 4]],
    ['the longest beginning is taken', [said('a', 'b'), said('a', 'b', 'c', 'd'), said('a', 'b', 'c', 'd', 'e', 'f')], [6]],
    ['the end does not come first', [said('a', 'b', 'c', 'd'), said('a', 'b')], [4, 2]],
  ])('%s', (_, calls, want) => expect(lengths(...calls)).toEqual(want));

  it('keep what was said of them earlier, and take what is said later', () => {
    const all = new Conversations();
    for (const call of [{ ...said('a', 'b'), reward: 1 }, said('a', 'b', 'c', 'd')]) all.add(call);
    expect(all.conversations()[0]?.reward).toBe(1);
    all.add({ ...said('a', 'b', 'c', 'd', 'e', 'f'), reward: 0 });
    expect(all.conversations()[0]?.reward).toBe(0);
  });

  it('are the same with other ids and other blanks in the arguments', () => {
    const call = (id: string, given: string): LoggedCall['messages'][number] => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, function: { name: 'look', arguments: given } }],
    });
    const [first, later] = [call('1', '{"a":1}'), call('2', '{ "a": 1 }')];
    const start = { role: 'user', content: 'a' } as const;
    expect(lengths({ messages: [start, first], tools: [] }, { messages: [start, later, start, first], tools: [] })).toEqual([4]);
  });
});

it('values of attributes are read as JSON where they are JSON, and written as texts', () => {
  expect([unpacked('[1]'), unpacked('[1'), unpacked(3)]).toEqual([[1], '[1', 3]);
  expect([textOf('x'), textOf({ a: 1 }), textOf(undefined), textOf(null)]).toEqual(['x', '{"a":1}', '{}', '{}']);
});
