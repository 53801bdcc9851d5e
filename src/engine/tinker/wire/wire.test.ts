import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as answers from './answers.ts';
import type { TrainingOutput, TrainingRequest } from './messages.ts';
import { formatPath, parsePath } from './paths.ts';
import * as requests from './requests.ts';
import { decodeSampleOutput, encodeSampleOutput } from './sample-proto.ts';
import { decodeTrainingOutput, decodeTrainingRequest, encodeTrainingOutput, encodeTrainingRequest } from './training-proto.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
const plain = (values: ArrayLike<number> | undefined): number[] => Array.from(values ?? []);

describe('vectors made with the official descriptor', () => {
  const request: TrainingRequest = {
    modelId: 'm',
    seqId: 1,
    lossFn: 'cross_entropy',
    config: {},
    forwardOnly: false,
    data: [
      {
        chunks: [[1, 2, 3]],
        inputs: {
          target_tokens: { dtype: 'int64', data: [2, 3, 4], shape: [3] },
          weights: { dtype: 'float32', data: [0, 1, 1], shape: [3] },
        },
      },
    ],
  };
  const requestHex =
    '0a016d10011a640a100a0e0a0c01000000020000000300000012300a0d7461726765745f746f6b656e73121f0a180200000000000000030000000000000004000000000000001802220103121e0a077765696768747312130a0c000000000000803f0000803f1801220103220d63726f73735f656e74726f7079';
  const configHex = '2a1d0a12636c69705f6c6f775f7468726573686f6c64119a9999999999e93f3001';
  test('a training request, without and with configuration', () => {
    expect(hex(encodeTrainingRequest(request))).toBe(requestHex);
    const more = { ...request, config: { clip_low_threshold: 0.8 }, forwardOnly: true };
    expect(hex(encodeTrainingRequest(more))).toBe(requestHex + configHex);
    expect(decodeTrainingRequest(fromHex(requestHex + configHex))).toMatchObject({
      modelId: 'm',
      seqId: 1,
      lossFn: 'cross_entropy',
      config: { clip_low_threshold: 0.8 },
      forwardOnly: true,
    });
  });
  test('a sample with prompt log-probabilities and likeliest tokens', () => {
    const bytes =
      '0a160801120805000000060000001a08000000bf000080bf12080000c07f000000c01a180a0800000000070000001208804fc3c7000080be18012002';
    const output = decodeSampleOutput(fromHex(bytes));
    expect(plain(output.sequences[0]?.tokens)).toEqual([5, 6]);
    expect(plain(output.promptLogprobs)).toEqual([NaN, -2]);
    expect(hex(encodeSampleOutput(output))).toBe(bytes);
    expect(answers.sampleOutputToJson(output)).toMatchObject({
      prompt_logprobs: [null, -2],
      topk_prompt_logprobs: [null, [[7, -0.25]]],
    });
  });
  test('a training output', () => {
    const bytes =
      '0a0f546f7263684c6f737352657475726e123a12360a086c6f6770726f6273122a0a0c000000bf000080bf000080be1218000000000000000008000000000000000c00000000000000180118021a130a086c6f73733a73756d11000000000000f83f';
    const output = decodeTrainingOutput(fromHex(bytes));
    expect(output.outputs.map(({ logprobs }) => plain(logprobs?.data))).toEqual([[-0.5, -1], [-0.25]]);
    expect(output.metrics).toEqual({ 'loss:sum': 1.5 });
    expect(hex(encodeTrainingOutput(output))).toBe(bytes);
  });
});

const floats = fc.array(fc.float({ noDefaultInfinity: true }), { maxLength: 20 });
const tensor = floats.map((data) => ({ dtype: 'float32' as const, data: Float64Array.from(data), shape: [data.length] }));

test('what is written is read again, whatever it holds', () => {
  const requestOf = fc.record({
    modelId: fc.string({ minLength: 1 }),
    seqId: fc.nat(),
    lossFn: fc.string({ minLength: 1 }),
    config: fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.double({ noDefaultInfinity: true, noNaN: true }).filter((value) => !Object.is(value, 0)),
    ),
    forwardOnly: fc.boolean(),
    data: fc.array(
      fc.record({
        chunks: fc.array(
          fc.array(fc.nat({ max: 1 << 30 }), { minLength: 1 }).map((tokens) => Float64Array.from(tokens)),
          { minLength: 1 },
        ),
        inputs: fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
          tensor,
        ),
      }),
    ),
  });
  fc.assert(
    fc.property(requestOf, (request) => {
      const bytes = encodeTrainingRequest(request);
      expect(hex(encodeTrainingRequest(decodeTrainingRequest(bytes)))).toBe(hex(bytes));
    }),
    { numRuns: 60 },
  );
});

test('cut and random bytes are an error, never a hang or a guess', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const read of [decodeTrainingRequest, decodeTrainingOutput, decodeSampleOutput] as const) {
        try {
          read(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENGINE_TINKER_MESSAGE' });
        }
      }
    }),
  );
});

test('sparse targets, bfloat16 and int32 results are widened', () => {
  const output: TrainingOutput = { type: '', outputs: [], metrics: {} };
  expect(decodeTrainingOutput(encodeTrainingOutput(output)).outputs).toEqual([]);
  // One datum of bfloat16 [1, -2]: values 0x3f80, 0xc000, offsets [0, 4], dtype 4.
  const bfloat = '1223121f0a016c121a0a04803f00c012100000000000000000040000000000000018041801';
  expect(plain(decodeTrainingOutput(fromHex(bfloat)).outputs[0]?.['l']?.data)).toEqual([1, -2]);
});

test('paths of checkpoints', () => {
  const path = 'tinker://s-1:train:0/weights/000020';
  expect(formatPath(parsePath(path))).toBe(path);
  expect(parsePath('tinker://model_1/early')).toEqual({ run: 'model_1', kind: 'sampler_weights', name: 'early' });
  for (const bad of [
    'tinker://m/weights/../x',
    'tinker://../weights/x',
    'http://m/weights/x',
    'tinker://m',
    'tinker://m/other/x',
    'tinker://m/..',
  ])
    expect(() => parsePath(bad)).toThrow(/no checkpoint/);
});

const folder = join(import.meta.dirname, '../../../../../shared/data/tinker/wire');
const recorded = existsSync(folder);
if (!recorded) console.log('recorded Tinker exchanges are not here: their replay is skipped');

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: Record<string, unknown> | null;
  readonly status: number;
  readonly response: Record<string, unknown> | null;
}

/** Answers that the client does not ask for. */
const modelInfo = z.object({
  model_id: z.string(),
  model_data: z.object({ model_name: z.string().nullish() }),
  is_lora: z.boolean().nullish(),
  lora_rank: z.number().nullish(),
});
const trainingRuns = z.object({
  training_runs: z.array(z.object({ training_run_id: z.string(), base_model: z.string(), is_lora: z.boolean() })),
  cursor: z.object({ offset: z.number(), limit: z.number(), total_count: z.number() }),
});

const requestSchemas: Readonly<Record<string, z.ZodType>> = {
  create_session: requests.createSession,
  session_heartbeat: requests.sessionBody,
  create_model: requests.createModel,
  get_info: requests.modelBody,
  unload_model: requests.modelBody,
  forward_backward: requests.forwardBackward,
  forward: requests.forward,
  optim_step: requests.optimStep,
  save_weights: requests.saveWeights,
  save_weights_for_sampler: requests.saveForSampler,
  load_weights: requests.loadWeights,
  weights_info: requests.weightsInfo,
  create_sampling_session: requests.createSamplingSession,
  asample: requests.sampleBody,
  retrieve_future: requests.retrieveFuture,
};
const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  create_session: answers.session,
  create_model: answers.accepted,
  get_info: modelInfo,
  'client/config': answers.clientConfig,
  get_server_capabilities: answers.capabilities,
  create_sampling_session: answers.samplingSession,
  weights_info: answers.weights,
  samplers: answers.sampler,
  training_runs: trainingRuns,
  checkpoints: answers.checkpoints,
  ...Object.fromEntries(
    [
      'unload_model',
      'forward_backward',
      'forward',
      'optim_step',
      'save_weights',
      'save_weights_for_sampler',
      'load_weights',
      'asample',
    ].map((name) => [name, answers.accepted]),
  ),
};
const futureSchemas: Readonly<Record<string, z.ZodType>> = {
  CreateModel: answers.modelMade,
  UnloadModel: answers.modelMade,
  Forward: answers.trainingOutput,
  ForwardBackward: answers.trainingOutput,
  OptimStep: answers.stepped,
  Sample: answers.sampleOutput,
  SaveWeights: answers.savedWeights,
  SaveWeightsForSampler: answers.savedSampler,
  LoadWeights: answers.loadedWeights,
};

describe.skipIf(!recorded)('every recorded exchange', () => {
  const names = recorded ? readdirSync(folder) : [];
  test.each(names)('%s', (name) => {
    const exchange = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Exchange;
    const route = exchange.path.replace(/^\/api\/v1\//, '').replace(/\?.*/, '');
    const key = route.endsWith('/checkpoints')
      ? 'checkpoints'
      : route.startsWith('client/')
        ? route
        : (route.split('/')[0] ?? '');
    readMessage(exchange.request);
    readMessage(exchange.response);
    const [, kind] = /retrieve_future-([A-Za-z]+)/.exec(name) ?? [];
    if (exchange.request && !('_proto' in exchange.request)) requestSchemas[key]?.parse(exchange.request);
    if (exchange.status >= 400) expect(answers.detail.safeParse(exchange.response).success).toBe(true);
    else if (exchange.response && !('_proto' in exchange.response))
      (kind === undefined ? answerSchemas[key] : futureSchemas[kind])?.parse(exchange.response);
    const covered = requestSchemas[key] ?? answerSchemas[key];
    expect(covered ?? ['telemetry', 'healthz', 'client/dynamic_config', 'sessions', 'training_runs'].includes(key)).toBeTruthy();
  });

  /** Protobuf: the same bytes again, and the same fields as the official decoder found. */
  function readMessage(body: Record<string, unknown> | null): void {
    if (!body || !('_proto' in body)) return;
    const bytes = Uint8Array.from(Buffer.from(String(body['_base64']), 'base64'));
    const decoded = body['_decoded'] as Record<string, unknown>;
    if (body['_proto'] === 'tinker_public.ForwardBackwardRequest') {
      const message = decodeTrainingRequest(bytes);
      expect(hex(encodeTrainingRequest(message))).toBe(hex(bytes));
      expect(message).toMatchObject({ modelId: decoded['model_id'], seqId: decoded['seq_id'], lossFn: decoded['loss_fn'] });
      expect(message.config).toEqual(decoded['loss_fn_config']);
      const data = decoded['data'] as {
        model_input: number[][];
        loss_fn_inputs: Record<string, { data: number[]; shape: number[] }>;
      }[];
      expect(message.data.map(({ chunks }) => chunks.map(plain))).toEqual(data.map((datum) => datum.model_input));
      message.data.forEach(({ inputs }, i) => {
        const wanted = data[i]?.loss_fn_inputs ?? {};
        expect(Object.keys(inputs).sort()).toEqual(Object.keys(wanted).sort());
        for (const [field, value] of Object.entries(inputs)) {
          expect(plain(value.data)).toEqual(wanted[field]?.data);
          expect(value.shape).toEqual(wanted[field]?.shape);
        }
      });
    } else if (body['_proto'] === 'tinker_public.ForwardBackwardOutput') {
      const message = decodeTrainingOutput(bytes);
      expect(hex(encodeTrainingOutput(message))).toBe(hex(bytes));
      const records = decoded['loss_fn_outputs'] as { fields: Record<string, { data: number[] }> }[];
      for (const field of Object.keys(message.outputs[0] ?? {}))
        expect(message.outputs.flatMap((output) => plain(output[field]?.data))).toEqual(
          records.flatMap((record) => record.fields[field]?.data ?? []),
        );
    } else {
      const message = decodeSampleOutput(bytes);
      expect(hex(encodeSampleOutput(message))).toBe(hex(bytes));
      const sequences = decoded['sequences'] as { tokens: number[]; logprobs: number[] }[];
      expect(message.sequences.map(({ tokens }) => plain(tokens))).toEqual(sequences.map(({ tokens }) => tokens));
      expect(message.sequences.map(({ logprobs }) => plain(logprobs))).toEqual(sequences.map(({ logprobs }) => logprobs));
    }
  }
});
