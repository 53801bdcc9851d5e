import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../embedded/embedded.ts';
import { presetConfig } from '../../embedded/network/config.ts';
import { startTinker, type TinkerServer } from './server.ts';

const config = presetConfig('xxs', { vocabulary: 300, context: 64 });
const open = (folder?: string): Promise<EmbeddedEngine> =>
  EmbeddedEngine.open(folder === undefined ? { config, seed: 3, threads: 2 } : { model: folder, threads: 2 });

let folder: string;
let server: TinkerServer;
let session: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-tinker-'));
  server = await startTinker({
    name: 'tiny',
    open,
    folder,
    token: 'secret',
    poll: 2000,
    maxModels: 5,
    maxSamples: 8,
    tokenizer: '/models/tiny',
  });
  session = (await post('create_session', { tags: [], sdk_version: '0.36.0' })).body['session_id'] as string;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function post(route: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'tml-secret', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Asks until the work is done, as clients do. */
async function result(submitted: Answer | Promise<Answer>): Promise<Record<string, unknown>> {
  const { body } = await submitted;
  for (;;) {
    const answer = await post('retrieve_future', { request_id: body['request_id'] });
    if (answer.status !== 408) return answer.body;
  }
}

let models = 0;
async function newModel(): Promise<string> {
  const made = await result(post('create_model', { session_id: session, model_seq_id: models++, base_model: 'tiny' }));
  return made['model_id'] as string;
}

const input = (tokens: readonly number[], targets: readonly number[], inputs: Record<string, readonly number[]>): object => ({
  model_input: { chunks: [{ type: 'encoded_text', tokens }] },
  loss_fn_inputs: {
    target_tokens: { data: targets, dtype: 'int64' },
    ...Object.fromEntries(Object.entries(inputs).map(([key, data]) => [key, { data, dtype: 'float32' }])),
  },
});
const datum = input([5, 6, 7, 8], [6, 7, 8, 9], { weights: [1, 1, 1, 1] });
const pass = (model: string, seq: number, data: unknown = [datum], loss = 'cross_entropy'): object => ({
  model_id: model,
  seq_id: seq,
  forward_backward_input: { data, loss_fn: loss },
});
const step = (model: string, seq: number, rate = 0.01): object => ({
  model_id: model,
  seq_id: seq,
  adam_params: { learning_rate: rate },
});
const lossOf = (body: Record<string, unknown>): number => (body['metrics'] as Record<string, number>)['loss:sum'] ?? NaN;

test('strangers are kept out: by token, by name, by origin', async () => {
  expect((await post('create_session', {}, { 'x-api-key': 'tml-wrong' })).status).toBe(401);
  expect((await post('create_session', {}, { origin: 'https://evil.example' })).status).toBe(403);
  const capabilities = await fetch(`${server.url}/api/v1/get_server_capabilities`, { headers: { 'x-api-key': 'secret' } });
  expect(await capabilities.json()).toMatchObject({
    supported_models: [{ model_name: 'tiny', is_lora: false, full_weights: true }],
  });
});

test('calls run by their numbers, each once, whatever order they come in', async () => {
  const model = await newModel();
  const second = post('optim_step', step(model, 2));
  const third = post('forward_backward', pass(model, 3));
  await Promise.all([second, third]);
  const first = await post('forward_backward', pass(model, 1));
  const before = lossOf(await result(first));
  expect(await result(second)).toMatchObject({ metrics: { step: 1 } });
  const after = lossOf(await result(third));
  expect(after).toBeLessThan(before);
  // Asked again after a lost answer: the same future, nothing is trained twice.
  expect((await post('optim_step', step(model, 2))).body).toEqual((await second).body);
  expect((await post('optim_step', step(model, 2, 0.5))).status).toBe(409);
  expect(lossOf(await result(post('forward_backward', pass(model, 4))))).toBeCloseTo(after, 6);
});

test('any target is scored exactly, several per position too', async () => {
  const model = await newModel();
  const targets = [9, 7, 3, 4];
  const odd = input([5, 6, 7, 8], targets, { weights: [0, 1, 1, 1] });
  const answer = await result(
    post('forward', { model_id: model, seq_id: 1, forward_input: { data: [odd], loss_fn: 'cross_entropy' } }),
  );
  await using engine = await open();
  const wanted = await Promise.all(
    targets.map(async (target, i) => {
      const tokens = [5, 6, 7, 8].slice(0, i + 1);
      const mask = new Uint8Array(i + 2);
      mask[i + 1] = 1;
      return (await engine.forward([{ tokens: [...tokens, target], mask }]))[0]?.scores[0] ?? NaN;
    }),
  );
  const [output] = answer['loss_fn_outputs'] as { logprobs: { data: number[] } }[];
  output?.logprobs.data.forEach((logprob, i) => expect(logprob).toBeCloseTo(wanted[i] ?? NaN, 4));
});

test('what is refused says why, and later calls go on', async () => {
  const model = await newModel();
  const refusals: [Record<string, unknown>, RegExp][] = [
    [pass(model, 1, [input([5, 6], [6], { weights: [1] })]), /target_tokens has 1 entries for 2 tokens|1 entries/],
    [pass(model, 2, [input([5, 900], [900, 4], { weights: [1, 1] })]), /outside the vocabulary/],
    [pass(model, 3, [datum], 'ppo'), /needs logprobs/],
    [pass(model, 4, []), /batch is empty/],
  ] as [Record<string, unknown>, RegExp][];
  for (const [body, why] of refusals) {
    expect(await result(post('forward_backward', body))).toMatchObject({
      category: 'user',
      error: expect.stringMatching(why) as string,
    });
  }
  expect(await result(post('optim_step', step(model, 5)))).toMatchObject({
    error: expect.stringMatching(/no gradient/) as string,
  });
  expect(lossOf(await result(post('forward_backward', pass(model, 6))))).toBeGreaterThan(0);
  expect((await post('forward_backward', '{')).status).toBe(422);
  expect((await post('forward_backward', 'zz', { 'content-type': 'application/x-protobuf' })).status).toBe(422);
  expect((await post('optim_step', step('nobody', 1))).status).toBe(404);
  expect((await post('retrieve_future', { request_id: 'none' })).status).toBe(404);
  expect((await post('save_weights', { model_id: model, seq_id: 7, path: '../up' })).status).toBe(422);
});

test('a snapshot stays as it was; saved weights come back with their moments, also for another server', async () => {
  const model = await newModel();
  await result(post('forward_backward', pass(model, 1)));
  await result(post('optim_step', step(model, 2)));
  const sampler = await result(post('save_weights_for_sampler', { model_id: model, seq_id: 3, sampling_session_seq_id: 0 }));
  const saved = await result(post('save_weights', { model_id: model, seq_id: 4, path: 'kept' }));
  expect(saved['path']).toBe(`tinker://${model}/weights/kept`);
  const ask = (seq: number, extra: object = {}): Promise<Record<string, unknown>> =>
    result(
      post('asample', {
        sampling_session_id: sampler['sampling_session_id'],
        seq_id: seq,
        num_samples: 2,
        prompt: { chunks: [{ type: 'encoded_text', tokens: [5, 6, 7] }] },
        sampling_params: { max_tokens: 4, seed: 1, temperature: 1, stop: [] },
        prompt_logprobs: true,
        ...extra,
      }),
    );
  const before = await ask(0);
  const sequences = before['sequences'] as { tokens: number[]; logprobs: number[] }[];
  expect(sequences.map(({ tokens, logprobs }) => [tokens.length, logprobs.length])).toEqual([
    [4, 4],
    [4, 4],
  ]);
  expect((before['prompt_logprobs'] as unknown[])[0]).toBeNull();
  // The likeliest tokens of each place imply the scores of those that stand there, and agree with them.
  const { topk_prompt_logprobs: top, prompt_logprobs: scores } = (await ask(0, {
    topk_prompt_logprobs: 20,
    prompt_logprobs: false,
  })) as {
    topk_prompt_logprobs: ([number, number][] | null)[];
    prompt_logprobs: (number | null)[];
  };
  expect(scores).toEqual(before['prompt_logprobs']);
  expect(top.map((row) => row?.length ?? null)).toEqual([null, 20, 20]);
  top.forEach((row, place) => {
    const own = row?.find(([token]) => token === 5 + place);
    if (own) expect(own[1]).toBeCloseTo(scores[place] ?? NaN, 4);
    expect(row?.map(([, logprob]) => logprob)).toEqual(row?.map(([, logprob]) => logprob).sort((a, b) => b - a));
  });
  const prompt = { chunks: [{ type: 'encoded_text', tokens: [5, 6] }] };
  const many = { sampling_session_id: sampler['sampling_session_id'], seq_id: 90, prompt, topk_prompt_logprobs: 21 };
  expect(await post('asample', { ...many, sampling_params: { max_tokens: 1 } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/at most 20 tokens of a position are told: ask for fewer/) as string },
  });
  const trained = lossOf(await result(post('forward_backward', pass(model, 5))));
  await result(post('optim_step', step(model, 6, 0.1)));
  expect(await ask(1)).toEqual(before);
  expect(await result(post('asample', { base_model: 'tiny', prompt: { chunks: [] }, sampling_params: {} }))).toBeDefined();

  expect((await post('get_info', { model_id: model })).body).toMatchObject({ model_data: { tokenizer_id: '/models/tiny' } });
  const other = await newModel();
  await result(post('load_weights', { model_id: other, seq_id: 1, path: saved['path'], optimizer: true }));
  expect(lossOf(await result(post('forward_backward', pass(other, 2))))).toBeCloseTo(trained, 6);
  expect(await result(post('optim_step', step(other, 3, 0.1)))).toMatchObject({ metrics: { step: 2 } });
  const [one, two] = [
    await result(post('forward_backward', pass(model, 7))),
    await result(post('forward_backward', pass(other, 4))),
  ];
  expect(lossOf(one)).toBe(lossOf(two));
  // Back to the saved weights later on: what was trained since is gone.
  await result(post('load_weights', { model_id: other, seq_id: 5, path: saved['path'], optimizer: true }));
  expect(lossOf(await result(post('forward_backward', pass(other, 6))))).toBeCloseTo(trained, 6);
  // What only a hosted service has is refused with what to do instead.
  const run = String(saved['path']).replace('tinker://', '').split('/')[0] ?? '';
  const refused = async (method: string, route: string): Promise<unknown> => {
    const headers = { 'x-api-key': 'tml-secret' };
    const address = `${server.url}/api/v1/training_runs/${run}/checkpoints/weights/first/${route}`;
    return ((await (await fetch(address, { method, headers })).json()) as { detail: string }).detail;
  };
  expect(await refused('POST', 'publish')).toMatch(/upload one from there/);
  expect(await refused('DELETE', 'publish')).toMatch(/upload one from there/);
  expect(await refused('PUT', 'ttl')).toMatch(/ttl_seconds/);
  expect(await refused('GET', 'archive')).toMatch(/copy them from there/);
  // Numbers wider than 53 bits are told apart.
  const wide = async (seq: string): Promise<unknown> =>
    (
      await post(
        'asample',
        JSON.stringify({
          sampling_session_id: sampler['sampling_session_id'],
          seq_id: 0,
          prompt: { chunks: [{ type: 'encoded_text', tokens: [5] }] },
          sampling_params: { max_tokens: 1 },
        }).replace('"seq_id":0', `"seq_id":${seq}`),
      )
    ).body['request_id'];
  expect(await wide('900000000000000001')).not.toBe(await wide('900000000000000002'));
});

test('too many samples are told to come later, too many models are refused', async () => {
  const many = {
    base_model: 'tiny',
    prompt: { chunks: [{ type: 'encoded_text', tokens: [5] }] },
    sampling_params: { max_tokens: 40, stop: [] },
    num_samples: 8,
  };
  const both = async (): Promise<number[]> => {
    const answers = await Promise.all([post('asample', many), post('asample', many)]);
    for (const answer of answers) if (answer.status === 200) await result(answer);
    return answers.map(({ status }) => status).sort();
  };
  // Samples of an earlier test may still be under way.
  await expect.poll(both, { timeout: 20_000 }).toEqual([200, 429]);
  const full = await post('create_model', { session_id: session, model_seq_id: 99, base_model: 'tiny' });
  expect(full).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/5 models are open/) as string } });
  await post(`sessions/${session}/finish`, { reason: { type: 'success' } });
  expect((await post('session_heartbeat', { session_id: session })).status).toBe(404);
});
