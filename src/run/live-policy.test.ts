import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Conversation } from '../policy/conversation.ts';
import { EnginePolicy, type Sampler } from '../policy/engine-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { readLive, wantLive } from './live.ts';
import { LivePolicy } from './live-policy.ts';

const letters = (ids: ArrayLike<number>): string => Array.from(ids, (id) => String.fromCharCode(id)).join('');

/** Says "ok", letter by letter; counts those who listen. */
function sampler(): { engine: Sampler; listened: () => number } {
  let listeners = 0;
  const tokenizer = {
    encode: (text: string) => Array.from(text, (c) => c.charCodeAt(0)),
    decode: letters,
    size: 128,
    endOfTurn: [],
  };
  const engine = {
    model: { context: 1000, tokenizer },
    sample: async ({ onToken }: { onToken?: (token: number, logprob: number) => void }) => {
      if (onToken) listeners++;
      for (const token of [111, 107]) onToken?.(token, -1);
      return { tokens: Int32Array.of(111, 107), logprobs: Float32Array.of(-1, -1), stop: 'length', version: 0 };
    },
  } as unknown as Sampler;
  return { engine, listened: () => listeners };
}

const limits = { maxTokens: 4, temperature: 1, seed: 1, signal: new AbortController().signal };

it('shows one episode token by token while somebody looks, and nothing to nobody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-live-'));
  const { engine, listened } = sampler();
  const policy = new LivePolicy(new EnginePolicy(engine, { id: 'p' }), folder);
  const said = (text: string): Conversation => {
    const conversation = new Conversation(policy.renderer);
    conversation.open([{ role: 'user', text }]);
    return conversation;
  };
  const first = said('A cup.');
  await policy.reply(first, limits);
  expect([listened(), await readdir(folder)]).toEqual([0, []]);
  await wantLive(folder);
  const later = new LivePolicy(new EnginePolicy(engine, { id: 'p' }), folder);
  await later.reply(first, limits); // it looks whether somebody looks
  await expect
    .poll(async () => (await later.reply(first, limits), readLive(folder)))
    .toMatchObject({
      number: 1,
      said: [{ role: 'user', text: 'A cup.' }],
      reply: ['o', 'k'],
      whole: true,
    });
  const before = listened();
  await later.reply(said('Another.'), limits);
  expect(listened()).toBe(before); // one at a time
  await later.endLive();
  expect(await readdir(folder)).toEqual([]);
  await later.reply(first, limits);
  expect([listened(), await readdir(folder)]).toEqual([before, []]);
  await rm(folder, { recursive: true });
});

it('shows what a policy without tokens says, whole, and is that policy in everything else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-live-'));
  const segment = { role: 'assistant' as const, text: 'get 2 stick', tokens: [], logprobs: new Float32Array(), policyVersion: 0 };
  let closed = false;
  const expert: Policy = {
    id: 'expert',
    concurrency: 3,
    identity: { by: 'hand' },
    usage: () => ({ requests: 7, inputTokens: 1, outputTokens: 2, retries: 0 }),
    reply: async () => ({ segment, stop: 'token' }),
    [Symbol.asyncDispose]: async () => {
      closed = true;
    },
  };
  const policy = new LivePolicy(expert, folder);
  expect(policy).toMatchObject({ id: 'expert', concurrency: 3, identity: { by: 'hand' }, renderer: undefined });
  expect(policy.usage?.().requests).toBe(7);
  const conversation = new Conversation();
  conversation.open([{ role: 'user', text: 'A cup.' }]);
  await wantLive(folder);
  await policy.reply(conversation, limits);
  await expect
    .poll(async () => (await policy.reply(conversation, limits), readLive(folder)))
    .toMatchObject({ number: 1, reply: ['get 2 stick'], whole: true });
  await policy.endLive();
  await policy[Symbol.asyncDispose]();
  expect(closed).toBe(true);
  await rm(folder, { recursive: true });
});
