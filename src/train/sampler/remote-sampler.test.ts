/** A trainer here, samples from a second engine behind the routes of vLLM; vLLM itself: tests/servers/vllm.test.ts. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngine, type EmbeddedOptions } from '../../engine/embedded/embedded.ts';
import type { Engine } from '../../engine/engine.ts';
import { openAiApp } from '../../policy/openai/server.ts';
import { RemoteSampler } from './remote-sampler.ts';

const base = fileURLToPath(new URL('../../../models/base', import.meta.url));
const lora = { rank: 2, alpha: 4, targets: ['q_proj', 'v_proj'] } as unknown as NonNullable<EmbeddedOptions['lora']>;

/** Our engine behind the calls of vLLM that hand weights over; `restart` forgets what it was given. */
async function server(adapters: boolean, open = true): Promise<Server> {
  const options = { model: base, threads: 2 };
  let engine = await EmbeddedEngine.open(adapters ? { ...options, lora } : options);
  const calls: string[] = [];
  let [name, label, folder] = ['base', 'default', ''];
  const app = new Hono();
  app.use(async (context, next) => {
    calls.push(context.req.path);
    await next();
  });
  app.post('/collective_rpc', async (context) => {
    if (!open) return context.notFound();
    const { method, kwargs } = await context.req.json<{ method: string; kwargs: { weights_path: string } }>();
    expect(method).toBe('reload_weights');
    await engine.load((folder = kwargs.weights_path));
    return context.json({ results: [null] });
  });
  app.post('/reset_prefix_cache', (context) => context.body(null));
  app.post('/update_weight_version', async (context) => {
    ({ new_version: label } = await context.req.json<{ new_version: string }>());
    return context.json({ success: true });
  });
  app.get('/weight_info', (context) => context.json({ weight_version: label }));
  app.post('/v1/load_lora_adapter', async (context) => {
    const asked = await context.req.json<{ lora_name: string; lora_path: string }>();
    [name, folder] = [asked.lora_name, asked.lora_path];
    await engine.load(folder);
    return context.text('Success');
  });
  app.post('/v1/unload_lora_adapter', (context) => context.text('Success'));
  app.all('/v1/*', (context) => openAiApp({ engine, name }).fetch(context.req.raw));
  const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(listening, 'listening');
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1`,
    calls,
    folder: () => folder,
    async restart() {
      await engine[Symbol.asyncDispose]();
      engine = await EmbeddedEngine.open(adapters ? { ...options, lora } : options);
      [name, label] = ['base', 'default'];
    },
    async [Symbol.asyncDispose]() {
      listening.close();
      if ('closeAllConnections' in listening) listening.closeAllConnections();
      await engine[Symbol.asyncDispose]();
    },
  };
}

interface Server extends AsyncDisposable {
  readonly url: string;
  readonly calls: string[];
  folder(): string;
  restart(): Promise<void>;
}

const prompt = Array.from({ length: 20 }, (_, at) => 300 + 7 * at);
const request = { prompt, maxTokens: 8, temperature: 1, seed: 5, stopTokens: [0] };

async function learn(engine: Engine): Promise<void> {
  const mask = new Uint8Array(prompt.length).fill(1, 1);
  await engine.forwardBackward([{ tokens: prompt, mask }], (scores) => ({
    loss: 0,
    gradient: scores.map(({ scores: row }) => row.map(() => -1)),
  }));
  await engine.optimStep({ learningRate: 1e-3 });
}

/** Log-probabilities of a sample under the trainer's weights of now. */
async function scored(engine: Engine, tokens: Int32Array): Promise<readonly number[]> {
  const whole = [...prompt, ...tokens];
  const [row] = await engine.forward([{ tokens: whole, mask: new Uint8Array(whole.length).fill(1, prompt.length) }]);
  return Array.from(row?.scores ?? []);
}

function expectClose(found: ArrayLike<number>, wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((value, at) => expect(found[at]).toBeCloseTo(value, 4));
}

describe.each([
  ['all weights', false],
  ['adapters', true],
])('%s', (_, adapters) => {
  let [engine, there, sampler]: [EmbeddedEngine?, Server?, RemoteSampler?] = [];
  const notices: string[] = [];
  beforeEach(async () => {
    notices.length = 0;
    engine = await EmbeddedEngine.open({ model: base, threads: 2, ...(adapters ? { lora } : {}) });
    there = await server(adapters);
    const { url } = there;
    const onNotice = (text: string): number => notices.push(text);
    sampler = await RemoteSampler.open({ engine, adapters, url, model: 'base', patience: 5000, onNotice });
  });
  afterEach(async () => {
    await sampler?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });
  const parts = (): { engine: EmbeddedEngine; there: Server; sampler: RemoteSampler } => {
    if (!engine || !there || !sampler) throw new Error('not open');
    return { engine, there, sampler };
  };

  it('gives the weights over once per version, and samples say from which they come', async () => {
    const all = parts();
    for (const version of [0, 1, 2]) {
      if (version > 0) await learn(all.engine);
      const samples = await Promise.all([5, 6, 7].map((seed) => all.sampler.sample({ ...request, seed })));
      for (const sample of samples) {
        expect(sample.version).toBe(version);
        expectClose(sample.logprobs, await scored(all.engine, sample.tokens));
      }
    }
    const giving = adapters ? '/v1/load_lora_adapter' : '/collective_rpc';
    expect(all.there.calls.filter((path) => path === giving)).toHaveLength(3);
    if (!adapters) expect(all.there.calls.filter((path) => path === '/reset_prefix_cache')).toHaveLength(3);
    // Weights on their way do not pile up, and nothing stays.
    const folder = dirname(all.there.folder());
    expect(readdirSync(folder)).toEqual(['2']);
    await all.sampler[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
  });

  it('replies that are being drawn end before the weights change', async () => {
    const all = parts();
    const early = all.sampler.sample({ ...request, maxTokens: 40, stopTokens: [] });
    while (!all.there.calls.includes('/v1/completions')) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = all.engine.version;
    await learn(all.engine);
    const late = await all.sampler.sample(request);
    expect([(await early).version, late.version]).toEqual([before, before + 1]);
    const order = all.there.calls.filter((path) => /collective|\/load_lora|completions/.test(path));
    expect(order.map((path) => path.endsWith('completions'))).toEqual([false, true, false, true]);
    expectClose(late.logprobs, await scored(all.engine, late.tokens));
  });

  it('a server that was started anew gets them again, and what it drew without them is thrown away', async () => {
    const all = parts();
    await learn(all.engine);
    await all.sampler.sample(request);
    await all.there.restart();
    const samples = await Promise.all([1, 2, 3].map((seed) => all.sampler.sample({ ...request, seed })));
    for (const { tokens, logprobs, version } of samples) {
      expect(version).toBe(1);
      expectClose(logprobs, await scored(all.engine, tokens));
    }
    expect(notices.join()).toContain('started anew');
  });
});

it('a server without its development mode is named with the remedy', async () => {
  await using engine = await EmbeddedEngine.open({ model: base, threads: 2 });
  await using there = await server(false, false);
  await using sampler = await RemoteSampler.open({ engine, adapters: false, url: there.url, model: 'base', patience: 1 });
  await expect(sampler.sample(request)).rejects.toThrow(/VLLM_SERVER_DEV_MODE=1/);
});

it('adapters are not put on the weights that another run left on the server', async () => {
  await using engine = await EmbeddedEngine.open({ model: base, threads: 2 });
  await using adapted = await EmbeddedEngine.open({ model: base, threads: 2, lora });
  await using there = await server(false);
  const options = { url: there.url, model: 'base', patience: 1 };
  await using sampler = await RemoteSampler.open({ ...options, engine, adapters: false });
  await sampler.sample(request);
  await using next = await RemoteSampler.open({ ...options, engine: adapted, adapters: true });
  await expect(next.sample(request)).rejects.toThrow(/start it again/);
});

it('a server that is away is waited for, then named', async () => {
  await using engine = await EmbeddedEngine.open({ model: base, threads: 2 });
  const url = 'http://127.0.0.1:9/v1';
  await using sampler = await RemoteSampler.open({ engine, adapters: false, url, model: 'base', patience: 1 });
  await expect(sampler.sample(request)).rejects.toThrow(/does not answer: start it again, then resume/);
});
