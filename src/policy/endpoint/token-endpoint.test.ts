import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPolicy } from '../../agent/open-policy.ts';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { startOpenAi, type OpenAiServer } from '../../policy/openai/server.ts';
import { Conversation } from '../conversation.ts';
import { EnginePolicy } from '../engine-policy.ts';
import type { ReplyLimits } from '../policy.ts';

const base = fileURLToPath(new URL('../../../models/base', import.meta.url));
const limits: ReplyLimits = { maxTokens: 12, temperature: 1, seed: 2 ** 40 + 7, signal: new AbortController().signal };

describe('our own server', () => {
  let engine: EmbeddedEngine;
  let server: OpenAiServer;
  beforeAll(async () => {
    engine = await EmbeddedEngine.open({ model: base, threads: 2 });
    server = await startOpenAi({ engine, name: 'base' });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  it('gives over two turns the tokens and log-probabilities of the engine itself', async () => {
    const here = new EnginePolicy(engine, { id: 'here' });
    await using there = await openPolicy(`openai:base@${server.url}`, { tokenizer: 'base' });
    const segments = [];
    for (const policy of [here, there]) {
      const conversation = new Conversation(policy.renderer);
      conversation.open([{ role: 'user', text: 'Goal: craft stick.' }]);
      for (const observation of ['Got 1 oak log.', 'Could not find it.']) {
        const reply = await policy.reply(conversation, limits);
        conversation.reply(reply.segment, reply.stop);
        conversation.observe(observation);
      }
      segments.push(conversation.segments);
    }
    const [mine = [], other = []] = segments;
    expect(other.map(({ tokens }) => [...tokens])).toEqual(mine.map(({ tokens }) => [...tokens]));
    expect(other.map(({ text }) => text)).toEqual(mine.map(({ text }) => text));
    mine.forEach((segment, at) => {
      const also = other[at];
      if (segment.role !== 'assistant' || also?.role !== 'assistant') return;
      segment.logprobs.forEach((value, t) => {
        expect(also.logprobs[t]).toBeCloseTo(value, 4);
      });
    });
    expect(there.usage?.()).toMatchObject({ requests: 2, retries: 0 });
  });
});

/** Answers in the documented shapes of vLLM 0.11 and SGLang 0.5, written by us; what was asked is kept. */
async function recorded(
  owner: 'vllm' | 'sglang' | 'me',
  answer: (asked: Record<string, unknown>) => object,
): Promise<{ url: string; asked: { path: string; body: Record<string, unknown> }[]; close(): void }> {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/v1/models') {
        const model = { id: 'served', object: 'model', owned_by: owner, root: 'served', max_model_len: 64 };
        return response.end(JSON.stringify({ object: 'list', data: [model] }));
      }
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      asked.push({ path: request.url ?? '', body });
      return response.end(JSON.stringify(answer(body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const vllm =
  (choice: object) =>
  ({ prompt }: Record<string, unknown>): object => ({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_760_000_000,
    model: 'served',
    choices: [
      {
        index: 0,
        text: ' craft',
        logprobs: {
          text_offset: [0, 6, 9],
          token_logprobs: [-0.5, -0.25, -1],
          tokens: [' craft', ' it', ''],
          top_logprobs: [{}],
        },
        finish_reason: 'stop',
        stop_reason: null,
        prompt_logprobs: null,
        prompt_token_ids: prompt,
        token_ids: [300, 301, 0],
        ...choice,
      },
    ],
    usage: { prompt_tokens: 4, total_tokens: 7, completion_tokens: 3 },
  });

const sglang = (): object => ({
  text: ' craft it',
  output_ids: [300, 301, 0],
  meta_info: {
    id: 'a',
    finish_reason: { type: 'stop', matched: 0 },
    prompt_tokens: 4,
    completion_tokens: 3,
    input_token_logprobs: [],
    output_token_logprobs: [
      [-0.5, 300, null],
      [-0.25, 301, null],
      [-1, 0, null],
    ],
    e2e_latency: 0.1,
  },
});

async function replyOf(url: string, options: object = {}): Promise<Awaited<ReturnType<EnginePolicy['reply']>>> {
  await using policy = await openPolicy(`openai:served@${url}`, {
    tokenizer: base,
    endpoint: { retries: 0, backoff: 1 },
    ...options,
  });
  const conversation = new Conversation(policy.renderer);
  conversation.open([{ role: 'user', text: 'Goal: craft stick.' }]);
  return await policy.reply(conversation, limits);
}

describe('servers of others', () => {
  it.each([
    ['vllm', vllm({}), '/v1/completions', 'prompt'],
    ['sglang', sglang, '/generate', 'input_ids'],
  ] as const)('%s: ids go in and come out as they were sampled', async (owner, answer, path, field) => {
    const server = await recorded(owner, answer);
    try {
      const { segment, stop, usage } = await replyOf(server.url);
      expect([...segment.tokens]).toEqual([300, 301, 0]);
      expect([...segment.logprobs]).toEqual([-0.5, -0.25, -1]);
      expect(stop).toBe('token');
      const [asked] = server.asked;
      expect(asked?.path).toBe(path);
      expect(asked?.body[field]).toHaveLength(usage?.input ?? NaN);
      const sampling = (asked?.body['sampling_params'] ?? asked?.body) as Record<string, unknown>;
      expect(sampling['stop_token_ids']).toContain(0);
      // What is left out, servers take from the model's generation_config.json.
      expect(sampling).toMatchObject({ top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 });
    } finally {
      server.close();
    }
  });

  it('llama-cpp-python takes no ids: said before anything is asked', async () => {
    const server = await recorded('me', vllm({}));
    try {
      await expect(replyOf(server.url)).rejects.toThrow(/llama-cpp-python.*leave --tokenizer out/);
      expect(server.asked).toEqual([]);
    } finally {
      server.close();
    }
  });

  it.each([
    ['no ids', { token_ids: null }, /vLLM tells them since 0.10.2/],
    ['no log-probabilities', { logprobs: null }, /vLLM tells them since 0.10.2/],
    ['another prompt', { prompt_token_ids: [1] }, /another prompt than it was given/],
    ['a foreign token', { token_ids: [300, 301, 99_999] }, /outside the vocabulary of 2048/],
    ['too few log-probabilities', { logprobs: { token_logprobs: [-1] } }, /1 log-probabilities for 3 tokens/],
    ['no number', { logprobs: { token_logprobs: [-1, null, -1] } }, /log-probability NaN/],
  ] as const)('refused: %s', async (_, spoiled, why) => {
    const server = await recorded('vllm', vllm(spoiled));
    try {
      await expect(replyOf(server.url)).rejects.toThrow(why);
    } finally {
      server.close();
    }
  });
});
