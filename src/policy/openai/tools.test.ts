/** Tools, forms and responses through OpenAI's own SDK, over a model with random weights: what is promised must not depend on what it learned. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { presetConfig } from '../../engine/embedded/network/config.ts';
import { promptAlternatives } from '../../engine/prompt-alternatives.ts';
import { startOpenAi, type OpenAiServer } from './server.ts';

let engine: EmbeddedEngine;
let server: OpenAiServer;
let client: OpenAI;

beforeAll(async () => {
  engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary: 300, context: 2048 }), seed: 3, threads: 2 });
  server = await startOpenAi({ engine, name: 'tiny' });
  client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

const messages = [{ role: 'user' as const, content: 'Where is the key?' }];
const parameters = {
  type: 'object',
  properties: { box: { enum: ['red', 'blue'] }, depth: { type: 'integer', minimum: 1, maximum: 9 } },
  required: ['box'],
  additionalProperties: false,
};
const tools = [
  { type: 'function' as const, function: { name: 'look', description: 'Look into a box.', parameters } },
  { type: 'function' as const, function: { name: 'give_up' } },
];
const asked = { model: 'tiny', messages, tools, seed: 4, max_completion_tokens: 200 };

describe('tools', () => {
  it('a required call has a name that was offered and arguments by its schema', async () => {
    const { choices } = await client.chat.completions.create({
      ...asked,
      tool_choice: 'required',
      parallel_tool_calls: false,
      n: 8,
    });
    const names = new Set<string>();
    for (const { message, finish_reason: reason } of choices) {
      expect([message.content, reason, message.tool_calls?.length]).toEqual([null, 'tool_calls', 1]);
      const [call] = message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('no function');
      names.add(call.function.name);
      const given = JSON.parse(call.function.arguments) as { box?: string; depth?: number };
      if (call.function.name === 'look') expect(['red', 'blue']).toContain(given.box);
      else expect(given).toEqual({});
    }
    expect([...names].sort()).toEqual(['give_up', 'look']);
  });

  it('a named tool is the one that is called; a stream gives the same calls', async () => {
    const request = { ...asked, tool_choice: { type: 'function' as const, function: { name: 'look' } } };
    const whole = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    const calls = (answer: typeof whole) =>
      answer.choices[0]?.message.tool_calls?.map((call) =>
        call.type === 'function' ? [call.function.name, call.function.arguments] : [],
      );
    expect(calls(whole)?.[0]?.[0]).toBe('look');
    expect(calls(streamed as typeof whole)).toEqual(calls(whole));
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('unforced, a reply is text unless it is a call; strict tools keep it to one or the other', async () => {
    const free = await client.chat.completions.create({ ...asked, max_completion_tokens: 20 });
    expect(free.choices[0]?.message.tool_calls).toBeUndefined();
    const strict = tools.map((tool) => ({ ...tool, function: { ...tool.function, strict: true } }));
    const { choices } = await client.chat.completions.create({ ...asked, tools: strict, n: 6, max_completion_tokens: 120 });
    for (const { message } of choices) expect((message.content ?? '').startsWith('{')).toBe(false);
  });

  it("the SDK's own loop of tools runs to its end", async () => {
    const looked: string[] = [];
    const runner = client.chat.completions.runTools(
      {
        ...asked,
        tool_choice: 'required',
        tools: [
          {
            type: 'function',
            function: {
              name: 'look',
              parameters,
              parse: JSON.parse,
              description: '',
              function: ({ box }: { box: string }) => `${looked.push(box)} things in ${box}`,
            },
          },
        ],
      } as never,
      { maxChatCompletions: 3 },
    );
    await runner.done();
    expect(looked.length).toBeGreaterThanOrEqual(2);
  });

  it.each<[string, object, RegExp]>([
    ['a tool that is not offered', { tool_choice: { type: 'function', function: { name: 'run' } } }, /not offered/],
    ['two forms', { tool_choice: 'required', response_format: { type: 'json_object' } }, /one form/],
    [
      'a schema with rules that cannot be kept',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { not: {} } } } },
      /"not" is not known here/,
    ],
    ['a form that does not fit', { tool_choice: 'required', max_completion_tokens: 3 }, /shortest reply of this form/],
  ])('refuses %s with a sentence, streamed or not', async (_, more, why) => {
    for (const stream of [false, true])
      await expect(client.chat.completions.create({ ...asked, ...more, stream } as never)).rejects.toThrow(why);
  });
});

describe('forms', () => {
  it('JSON, a schema, a choice and a bias', async () => {
    const ask = async (more: object) =>
      (await client.chat.completions.create({ model: 'tiny', messages, max_tokens: 60, ...more } as never)).choices[0];
    expect(typeof JSON.parse((await ask({ response_format: { type: 'json_object' } }))?.message.content ?? '')).toBe('object');
    const schema = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } }, required: ['n'] };
    const reply = await ask({ response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } });
    expect((JSON.parse(reply?.message.content ?? '') as { n: number }).n).toBeLessThanOrEqual(5);
    expect(reply?.finish_reason).toBe('stop');
    expect(['yes', 'no']).toContain((await ask({ guided_choice: ['yes', 'no'] }))?.message.content);
    expect((await ask({ logit_bias: { 65: 100 }, max_tokens: 5 }))?.message.content).toBe('AAAAA');
  });

  it('echo repeats the prompt with its log-probabilities, which are those of forward', async () => {
    const prompt = 'a box';
    const { choices } = await client.completions.create({ model: 'tiny', prompt, max_tokens: 0, echo: true, logprobs: 0 });
    const tokens = engine.model.tokenizer.encode(prompt);
    const [scored] = await engine.forward([{ tokens, mask: new Uint8Array(tokens.length).fill(1, 1) }]);
    expect(choices[0]?.text).toBe(prompt);
    expect(choices[0]?.logprobs?.token_logprobs).toEqual([null, ...Array.from(scored?.scores ?? [])]);
    const more = await client.completions.create({ model: 'tiny', prompt, max_tokens: 4, echo: true, seed: 1 });
    expect(more.choices[0]?.text.startsWith(prompt)).toBe(true);
  });

  it('echo tells the likeliest tokens of the prompt: what was drawn greedily is the likeliest of its place, exactly', async () => {
    const prompt = engine.model.tokenizer.encode('a box');
    const drawn = await engine.sample({ prompt, maxTokens: 6, temperature: 0, seed: 0 });
    const greedy = [...prompt, ...drawn.tokens];
    const asked = { model: 'tiny', prompt: [greedy, prompt], max_tokens: 1, n: 2, echo: true, logprobs: 2 };
    const { choices } = await client.completions.create(asked);
    expect(choices.map(({ logprobs }) => logprobs?.tokens?.length)).toEqual([
      greedy.length + 1,
      greedy.length + 1,
      prompt.length + 1,
      prompt.length + 1,
    ]);
    const { token_logprobs: told = [], top_logprobs: tops = [] } = choices[0]?.logprobs ?? {};
    expect([told[0], tops[0]]).toEqual([null, null]);
    const likeliest = tops.slice(1).map((top) => Math.max(...Object.values(top)));
    expect(told.slice(prompt.length, greedy.length)).toEqual(likeliest.slice(prompt.length - 1, greedy.length - 1));
    // Every alternative has the log-probability that it would have had in the prompt.
    const before = greedy.slice(0, 3);
    const alternatives = (await promptAlternatives(engine, greedy, 2))[3] ?? [];
    expect(alternatives).toHaveLength(2);
    for (const { token, logprob } of alternatives) {
      const [scored] = await engine.forward([{ tokens: [...before, token], mask: Uint8Array.of(0, 0, 0, 1) }]);
      expect(scored?.scores[0]).toBeCloseTo(logprob, 4);
    }
  });
});

describe('responses', () => {
  it('text, then a call, then its answer; gone on from by its id', async () => {
    const first = await client.responses.create({
      model: 'tiny',
      input: 'Hello',
      instructions: 'Be brief.',
      max_output_tokens: 8,
    });
    expect([first.object, first.output[0]?.type, typeof first.output_text]).toEqual(['response', 'message', 'string']);
    const tool = { type: 'function' as const, name: 'look', parameters, strict: true, description: null };
    const second = await client.responses.create({
      model: 'tiny',
      previous_response_id: first.id,
      input: 'Look.',
      tools: [tool],
      tool_choice: 'required',
      max_output_tokens: 300,
    });
    const [call] = second.output;
    if (call?.type !== 'function_call') throw new Error('no call');
    expect(call.name).toBe('look');
    const answered = { type: 'function_call_output' as const, call_id: call.call_id, output: 'a key' };
    const third = await client.responses.create({
      model: 'tiny',
      previous_response_id: second.id,
      input: [answered],
      max_output_tokens: 4,
    });
    expect(third.usage?.input_tokens).toBeGreaterThan((first.usage?.input_tokens ?? Infinity) + call.arguments.length);
    await expect(client.responses.create({ model: 'tiny', previous_response_id: 'resp-unknown', input: 'x' })).rejects.toThrow(
      /not known here/,
    );
  });

  it('a stream has the events of the SDK, and ends with the same response', async () => {
    const text = {
      format: {
        type: 'json_schema' as const,
        name: 'n',
        schema: { type: 'object', properties: { n: { enum: [1, 2] } }, required: ['n'] },
      },
    };
    const stream = client.responses.stream({ model: 'tiny', input: 'Hello', text, max_output_tokens: 60 });
    const types: string[] = [];
    stream.on('event', ({ type }) => types.push(type));
    const final = await stream.finalResponse();
    expect([1, 2]).toContain((JSON.parse(final.output_text) as { n: number }).n);
    expect(types[0]).toBe('response.created');
    expect(types.at(-1)).toBe('response.completed');
  });
});
