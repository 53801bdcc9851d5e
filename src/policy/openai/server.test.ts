import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { presetConfig } from '../../engine/embedded/network/config.ts';
import { startOpenAi, type OpenAiServer } from './server.ts';

let engine: EmbeddedEngine;
let server: OpenAiServer;
let client: OpenAI;

beforeAll(async () => {
  engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary: 300, context: 256 }), seed: 3, threads: 2 });
  server = await startOpenAi({ engine, name: 'tiny', token: 'secret' });
  client = new OpenAI({ baseURL: server.url, apiKey: 'secret', maxRetries: 0 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

const messages = [{ role: 'user' as const, content: 'Hello' }];

test('lists its model', async () => {
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['tiny']);
  expect((await client.models.retrieve('tiny')).id).toBe('tiny');
});

describe('chat', () => {
  test('answers with usage and log-probabilities; a seed gives the same answer', async () => {
    const request = { model: 'tiny', messages, max_tokens: 12, seed: 5, n: 2, logprobs: true };
    const ask = () => client.chat.completions.create(request);
    const [first, second] = [await ask(), await ask()];
    expect(first.choices).toHaveLength(2);
    expect(first.choices).toEqual(second.choices);
    expect(first.choices[0]!.message.content).not.toBe(first.choices[1]!.message.content);
    const { content } = first.choices[0]!.logprobs!;
    expect(content!.length).toBeGreaterThan(0);
    expect(content!.every(({ logprob }) => logprob < 0)).toBe(true);
    expect(first.usage!.total_tokens).toBe(first.usage!.prompt_tokens + first.usage!.completion_tokens);
  });

  test('tells the likeliest tokens of each position, whole and in chunks', async () => {
    const request = { model: 'tiny', messages, max_tokens: 6, seed: 5, logprobs: true, top_logprobs: 20 };
    const whole = await client.chat.completions.create(request);
    const { content } = whole.choices[0]!.logprobs!;
    for (const { token, logprob, top_logprobs: top } of content!) {
      expect(top).toHaveLength(20);
      expect(top.map((other) => other.logprob)).toEqual(top.map((other) => other.logprob).sort((a, b) => b - a));
      expect(logprob).toBeLessThanOrEqual(top[0]!.logprob);
      if (logprob > top.at(-1)!.logprob) expect(top.map((other) => other.token)).toContain(token);
    }
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
      chunks.push(...(chunk.choices[0]?.logprobs?.content ?? []));
    expect(chunks).toEqual(content);
  });

  test('streams the same text that it would have answered', async () => {
    const request = { model: 'tiny', messages, max_tokens: 20, seed: 9 };
    const whole = await client.chat.completions.create(request);
    const stream = await client.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } });
    let text = '';
    let finish: string | null = null;
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(whole.choices[0]!.message.content);
    expect(finish).toBe(whole.choices[0]!.finish_reason);
    expect(usage).toEqual(whole.usage);
  });
});

test('completions of several prompts, of ids, and cut at a stop string', async () => {
  const several = await client.completions.create({
    model: 'tiny',
    prompt: ['ab', 'cd'],
    max_tokens: 8,
    seed: 1,
    logprobs: 1,
    n: 2,
  });
  expect(several.choices).toHaveLength(4);
  expect(several.choices[0]!.logprobs!.token_logprobs).toHaveLength(8);
  // The likeliest one and the sampled one, which may be the same.
  for (const top of several.choices[0]!.logprobs!.top_logprobs!) expect([1, 2]).toContain(Object.keys(top).length);
  const free = await client.completions.create({ model: 'tiny', prompt: [97, 98], max_tokens: 40, seed: 2 });
  const { text } = free.choices[0]!;
  const stop = /[!-~]/.exec(text)![0];
  const cut = await client.completions.create({ model: 'tiny', prompt: [97, 98], max_tokens: 40, seed: 2, stop });
  expect(cut.choices[0]!.text).toBe(text.slice(0, text.indexOf(stop)));
  expect(cut.choices[0]!.finish_reason).toBe('stop');
});

test("vLLM's return_token_ids: the ids of prompt and reply, which as a prompt give the same again", async () => {
  interface Ids {
    prompt_token_ids: number[];
    choices: { token_ids: number[]; prompt_token_ids?: number[]; logprobs: { content: unknown[] } }[];
  }
  const asked = { model: 'tiny', max_tokens: 6, seed: 5, return_token_ids: true };
  const chat = (await client.chat.completions.create({ ...asked, messages, logprobs: true } as never)) as unknown as Ids;
  const [choice] = chat.choices;
  expect(choice?.token_ids).toHaveLength(choice?.logprobs.content.length ?? NaN);
  const prompt = chat.prompt_token_ids;
  const again = (await client.completions.create({ ...asked, prompt } as never)) as unknown as Ids;
  expect(again.choices[0]).toMatchObject({ token_ids: choice?.token_ids, prompt_token_ids: prompt });
  await expect(client.chat.completions.create({ ...asked, messages, stream: true } as never)).rejects.toMatchObject({
    status: 400,
  });
});

test.each([
  [404, { model: 'other', messages }],
  [400, { model: 'tiny', messages: [] }],
  [400, { model: 'tiny', messages: [{ role: 'user' as const, content: 'x'.repeat(300) }] }],
  [400, { model: 'tiny', messages, temperature: -1 }],
  [400, { model: 'tiny', messages, frequency_penalty: 1 }],
  [400, { model: 'tiny', messages, top_logprobs: 3 }],
  [400, { model: 'tiny', messages, tool_choice: 'required' as const }],
])('answers %i with a reason', async (status, request) => {
  const failure = client.chat.completions.create(request);
  await expect(failure).rejects.toMatchObject({ status });
  await expect(failure).rejects.toThrow(/:/);
});

const raw = async (path: string, body: object): Promise<{ status: number; error?: { code: string; param: string | null } }> => {
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
};

test.each([
  ['functions', [{ name: 'get' }]],
  ['function_call', 'auto'],
  ['guided_regex', 'a+'],
  ['repetition_penalty', 1.1],
  ['min_tokens', 3],
  ['ignore_eos', true],
  ['echo', true],
  ['best_of', 2],
  ['reasoning_effort', 'high'],
  ['logit_bias', { 5: 101 }],
  ['temprature', 1],
])('refuses %s, by name, instead of ignoring it', async (field, value) => {
  const { status, error } = await raw('/chat/completions', { model: 'tiny', messages, [field]: value });
  expect(status).toBe(400);
  expect(error?.param).toMatch(new RegExp(`^${field}`));
});

test('takes what changes nothing, and vLLM’s -1 for no limit', async () => {
  const neutral = { top_k: -1, repetition_penalty: 1, min_tokens: 0, ignore_eos: false, best_of: 1, user: 'u', store: false };
  expect(await raw('/chat/completions', { model: 'tiny', messages, max_tokens: 2, ...neutral })).toMatchObject({ status: 200 });
  expect(await raw('/completions', { model: 'tiny', prompt: 'a', max_tokens: 2, ...neutral })).toMatchObject({ status: 200 });
  const kwargs = { chat_template_kwargs: { enable_thinking: false } };
  expect(await raw('/chat/completions', { model: 'tiny', messages, max_tokens: 2, ...kwargs })).toMatchObject({ status: 200 });
});

test('a prompt that does not fit says so in OpenAI’s words, streamed or not; so does an unknown model', async () => {
  const long = 'x'.repeat(300);
  for (const stream of [false, true]) {
    const chat = await raw('/chat/completions', { model: 'tiny', messages: [{ role: 'user', content: long }], stream });
    expect(chat).toMatchObject({ status: 400, error: { code: 'context_length_exceeded', param: 'messages' } });
    const plain = await raw('/completions', { model: 'tiny', prompt: long, stream });
    expect(plain).toMatchObject({ status: 400, error: { code: 'context_length_exceeded', param: 'prompt' } });
  }
  const other = await raw('/chat/completions', { model: 'other', messages });
  expect(other).toMatchObject({ status: 404, error: { code: 'model_not_found', param: 'model' } });
});

test('a wrong key is refused', async () => {
  const stranger = new OpenAI({ baseURL: server.url, apiKey: 'guess', maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
});

test('a page of another site is refused, one that was named is not', async () => {
  const ask = (url: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}/models`, { headers: { authorization: 'Bearer secret', ...headers } });
  expect((await ask(server.url, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask(server.url, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
  await using named = await startOpenAi({ engine, name: 'tiny', allowOrigins: ['https://app.example.org'] });
  const answer = await ask(named.url, { origin: 'https://app.example.org' });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.org']);
  expect((await ask(named.url, { origin: 'https://evil.example' })).status).toBe(403);
});

test('messages that a template passes over are refused, not forgotten', async () => {
  const passing =
    "{% for m in messages %}{% if m.role == 'user' or m.role == 'assistant' %}{{ m.content }}{% endif %}{% endfor %}";
  const forgetful = Object.create(engine, { model: { value: { ...engine.model, chatTemplate: passing } } }) as EmbeddedEngine;
  await using other = await startOpenAi({ engine: forgetful, name: 'tiny' });
  const ask = async (roles: readonly string[]): Promise<{ status: number; text: string }> => {
    const body = JSON.stringify({ model: 'tiny', max_tokens: 1, messages: roles.map((role) => ({ role, content: 'Hello' })) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${other.url}/chat/completions`, { method: 'POST', body, headers });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await ask(['user'])).toMatchObject({ status: 200 });
  // What a tool said is shown as text to a model that knows no tools.
  expect(await ask(['user', 'tool'])).toMatchObject({ status: 200 });
  for (const roles of [
    ['system', 'user'],
    ['developer', 'user'],
  ]) {
    const { status, text } = await ask(roles);
    expect(status).toBe(400);
    expect(text).toMatch(/leaves system messages out.*: send user and assistant messages only/);
  }
});
