import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../embedded/embedded.ts';
import { loadWords } from '../../embedded/models/checkpoint.ts';
import { presetConfig } from '../../embedded/network/config.ts';
import type { Datum, Loss } from '../../engine.ts';
import { TinkerEngine, type TinkerOptions } from './engine.ts';

/**
 * A server outside our code that behaves as it is told: answers of SkyRL's shape (JSON, `future_id`, `detail`), and per route a trick
 * that spoils the next answers.
 */
class Hostile {
  readonly counts: Record<string, number> = {};
  /** Called first; true when it has answered. */
  trick: (route: string, body: Body, response: ServerResponse) => boolean = () => false;
  steps = 0;
  private readonly results = new Map<string, object>();
  private readonly server: Server = createServer((request, response) => void this.handle(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const route = (request.url ?? '').replace('/api/v1/', '');
    const body = (parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : {}) as Body;
    this.counts[route] = (this.counts[route] ?? 0) + 1;
    if (this.trick(route, body, response)) return;
    reply(response, 200, this.answer(route, body));
  }

  private answer(route: string, body: Body): object {
    if (route === 'client/config') return { pjwt_auth_enabled: false };
    if (route === 'get_server_capabilities') return { supported_models: [{ model_name: 'tiny' }] };
    if (route === 'create_session') return { session_id: 'session_1' };
    if (route.startsWith('session')) return {};
    if (route === 'create_sampling_session') return { sampling_session_id: 'sampling_1' };
    if (route === 'retrieve_future') return this.results.get(String(body['request_id'])) ?? { detail: 'Future not found' };
    const id = String(this.results.size + 1);
    this.results.set(id, this.result(route, body));
    return { future_id: id, status: 'pending', request_id: id };
  }

  private result(route: string, body: Body): object {
    if (route === 'create_model' || route === 'unload_model') return { model_id: 'model_1' };
    if (route === 'optim_step') {
      this.steps++;
      return { metrics: { 'skyrl.ai/grad_norm': 1 } };
    }
    if (route === 'save_weights_for_sampler') return { sampling_session_id: `sampling_${this.steps}` };
    if (route === 'asample') {
      const tokens = (body['prompt'] as { chunks: { tokens: number[] }[] }).chunks[0]?.tokens ?? [];
      const prompt = tokens.slice(1).map(() => this.logprob(this.steps));
      return { sequences: [{ stop_reason: 'length', tokens: [7, 8], logprobs: [-1, -2] }], prompt_logprobs: prompt };
    }
    const input = (body['forward_input'] ?? body['forward_backward_input']) as { data: WireBody[] };
    const outputs = input.data.map(({ loss_fn_inputs: { target_tokens: targets } }) => ({
      logprobs: { data: targets?.data.map(() => this.logprob(this.steps)) ?? [], dtype: 'float32' },
    }));
    return { loss_fn_output_type: 'scalar', loss_fn_outputs: outputs, metrics: {} };
  }

  /** A model that gets better by a tenth with every step. */
  logprob(steps: number): number {
    return -3 + 0.1 * steps;
  }

  spoil(id: string, change: (result: Record<string, unknown>) => object): object {
    return change(structuredClone(this.results.get(id) ?? {}) as Record<string, unknown>);
  }
}
type Body = Record<string, unknown>;
interface WireBody {
  readonly loss_fn_inputs: Record<string, { data: number[] }>;
}

function reply(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

let words: TinkerOptions['words'];
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-tinker-hostile-'));
  await using engine = await EmbeddedEngine.open({
    config: presetConfig('xxs', { vocabulary: 300, context: 64 }),
    seed: 3,
    threads: 2,
  });
  await engine.save(root);
  words = await loadWords(root);
});
afterAll(() => rm(root, { recursive: true }));

async function against(
  work: (engine: TinkerEngine, hostile: Hostile) => Promise<void>,
  more: Partial<TinkerOptions> = {},
  hostile = new Hostile(),
): Promise<void> {
  const url = await hostile.listen();
  try {
    await using engine = await TinkerEngine.open({
      url,
      key: 'tml-secret-key',
      baseModel: 'tiny',
      words,
      patience: 2000,
      ...more,
    });
    await work(engine, hostile);
  } finally {
    hostile.close();
  }
}

const batch: Datum[] = [{ tokens: [5, 6, 7, 8], mask: Uint8Array.of(0, 1, 1, 1) }];
const loss: Loss = (scores) => ({ loss: 1, gradient: scores.map(({ scores: row }) => new Float32Array(row.length).fill(-1)) });
const adam = { learningRate: 0.1 };

/** Spoils the answers of futures that hold this key. */
function spoiling(hostile: Hostile, key: string, change: (result: Record<string, unknown>) => object): void {
  hostile.trick = (route, body, response) => {
    if (route !== 'retrieve_future') return false;
    const spoiled = hostile.spoil(String(body['request_id']), (result) => (key in result ? change(result) : result));
    reply(response, 200, spoiled);
    return true;
  };
}

describe('answers with status 200 that cannot be true', () => {
  const outputs = (logprobs: unknown) => (result: Record<string, unknown>) => ({
    ...result,
    loss_fn_outputs: [{ logprobs: { data: logprobs, dtype: 'float32' } }],
  });
  test.each([
    ['no number', 'loss_fn_outputs', outputs([null, -1, -1]), /log-probability NaN/],
    ['too short', 'loss_fn_outputs', outputs([-1, -1]), /2 log-probabilities for 3 positions/],
    ['positive', 'loss_fn_outputs', outputs([-1, 0.5, -1]), /log-probability 0.5/],
    [
      'none',
      'loss_fn_outputs',
      (result: Record<string, unknown>) => ({ ...result, loss_fn_outputs: [] }),
      /0 outputs for 1 data/,
    ],
    ['failed', 'loss_fn_outputs', () => ({ error: 'out of memory', category: 'server' }), /out of memory/],
    ['strange', 'loss_fn_outputs', () => ({ hello: 'world' }), /cannot be read/],
  ] as const)('training: %s', async (_, key, change, why) => {
    await against(async (engine, hostile) => {
      spoiling(hostile, key, change);
      await expect(engine.forwardBackward(batch, loss)).rejects.toThrow(why);
      expect(hostile.steps).toBe(0);
    });
  });
  const sequence = (more: object) => (result: Record<string, unknown>) => ({
    ...result,
    sequences: [{ stop_reason: 'length', tokens: [7, 8], logprobs: [-1, -2], ...more }],
  });
  test.each([
    ['a foreign token', sequence({ tokens: [7, 9999] }), /outside the vocabulary/],
    ['log-probabilities that are missing', sequence({ logprobs: [-1] }), /1 log-probabilities for 2 tokens/],
    ['no numbers', sequence({ logprobs: [null, null] }), /log-probability NaN/],
    ['too many tokens', sequence({ tokens: [1, 2, 3, 4, 5], logprobs: [-1, -1, -1, -1, -1] }), /5 tokens where up to 2/],
  ] as const)('sampling: %s', async (_, change, why) => {
    await against(async (engine, hostile) => {
      spoiling(hostile, 'sequences', change);
      await expect(engine.sample({ prompt: [5], maxTokens: 2, seed: 1 })).rejects.toThrow(why);
    });
  });
});

test.each([408, 409, 425, 429, 500, 503])('status %i for a while: asked again, stepped once', async (status) => {
  await against(async (engine, hostile) => {
    let left = status === 409 ? 0 : 2;
    hostile.trick = (route, _, response) => {
      if (left <= 0 || !['optim_step', 'retrieve_future', 'forward'].includes(route)) return false;
      left--;
      reply(response, status, { detail: 'later' });
      return true;
    };
    await engine.forwardBackward(batch, loss);
    await engine.optimStep(adam);
    expect(hostile.steps).toBe(1);
  });
});

test('status 500 for ever ends after a few tries, not after the patience for a server that is away', async () => {
  await against(
    async (engine, hostile) => {
      hostile.trick = (route, _, response) => route === 'forward' && (reply(response, 500, { detail: 'CUDA error' }), true);
      await expect(engine.forwardBackward(batch, loss)).rejects.toThrow(
        /answered forward with 500 8 times in a row: CUDA error; look into its log/,
      );
      expect(hostile.counts['forward']).toBe(8 + 1); // and the probe at the start
      hostile.trick = () => false;
    },
    { firstPause: 1, patience: 600_000 },
  );
});

test("gradients that SkyRL's JAX server would not clip are refused when a run starts, and the model does not stay there", async () => {
  const jax = new Hostile();
  spoiling(jax, 'loss_fn_outputs', (result) => ({
    ...result,
    loss_fn_outputs: (result['loss_fn_outputs'] as object[]).map((one) => ({
      ...one,
      elementwise_loss: { data: [0, 0], dtype: 'float32' },
    })),
  }));
  const open = (optimizer: NonNullable<TinkerOptions['optimizer']>): Promise<void> =>
    against(() => Promise.resolve(), { optimizer }, jax);
  await expect(open({ clipNorm: 1 })).rejects.toThrow(/clips no gradients: set optimizer.clip_norm=0/);
  expect(jax.counts).toMatchObject({ create_model: 1, unload_model: 1 });
  expect(jax.counts['optim_step']).toBeUndefined();
  await expect(open({ embeddingRate: 2 })).rejects.toThrow(/one learning rate for all weights/);
  await open({ clipNorm: 0 });
});

test('409 for good is an error in the words of the server; the key is in no message', async () => {
  await against(async (engine, hostile) => {
    hostile.trick = (route, _, response) =>
      route === 'optim_step' && (reply(response, 409, { detail: 'sequence number was reused' }), true);
    const error: unknown = await engine
      .forwardBackward(batch, loss)
      .then(() => engine.optimStep(adam))
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/\(409\): sequence number was reused/);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('secret-key');
  });
});

test('cut connections and an answer that never comes: sent again with the same number', async () => {
  await against(
    async (engine, hostile) => {
      const numbers: unknown[] = [];
      let left = 2;
      hostile.trick = (route, body, response) => {
        if (route !== 'optim_step') return false;
        numbers.push(body['seq_id']);
        if (left === 0) return false;
        if (left-- === 2) response.destroy();
        return true; // or hangs
      };
      await engine.forwardBackward(batch, loss);
      await engine.optimStep(adam);
      expect(numbers).toHaveLength(3);
      expect(new Set(numbers).size).toBe(1);
      expect(hostile.steps).toBe(1);
    },
    { timeout: 300, patience: 20_000 },
  );
});

test('a server without room for another model is waited for, and the run is told', async () => {
  const hostile = new Hostile();
  const url = await hostile.listen();
  let left = 2;
  hostile.trick = (route, _, response) => {
    if (route !== 'retrieve_future' || left === 0) return false;
    left--;
    reply(response, 400, { detail: 'Maximum number of LoRA adapters (4) reached' });
    return true;
  };
  const said: string[] = [];
  try {
    const options = {
      key: 'tml-secret-key',
      baseModel: 'tiny',
      words,
      roomPause: 1,
      onNotice: (text: string) => said.push(text),
    };
    await using engine = await TinkerEngine.open({ url, ...options });
    expect(engine.version).toBe(0);
    expect(hostile.counts['create_model']).toBe(3);
    expect(said).toEqual([expect.stringContaining('no room for another model')]);
  } finally {
    hostile.close();
  }
});

test('a server that stays away is given up with the remedy', async () => {
  await against(async (engine, hostile) => {
    hostile.trick = (_, __, response) => {
      response.destroy();
      return true;
    };
    await expect(engine.forward(batch)).rejects.toMatchObject({ code: 'ENGINE_TINKER_GONE' });
  });
});

test('weights that are not what they should be: a stale sampler, a trainer that was rolled back', async () => {
  await against(async (engine, hostile) => {
    await engine.forwardBackward(batch, loss);
    await engine.optimStep(adam);
    const truth = hostile.logprob.bind(hostile);
    let sampled = false;
    hostile.trick = (route) => {
      sampled ||= route === 'asample';
      hostile.logprob = route === 'asample' ? () => truth(0) : truth; // the sampler stays behind
      return false;
    };
    await expect(engine.sample({ prompt: [5], maxTokens: 2, seed: 1 })).rejects.toThrow(/weights of before the step/);
    expect(sampled).toBe(true);
    let used = false;
    hostile.trick = (route) => {
      used ||= route === 'asample';
      hostile.logprob = used && route === 'forward' ? () => truth(0) : truth; // what sampling loaded, training has lost
      return false;
    };
    await expect(engine.sample({ prompt: [5], maxTokens: 2, seed: 1 })).rejects.toThrow(/rolled the training weights back/);
  });
});
