/** The training verbs of the wire on an engine: forward, forward_backward and optim_step of one model. */
import type { z } from 'zod';
import { at } from '../../../core/at.ts';
import { AgogeError } from '../../../core/error.ts';
import type { AdamParams, Datum, Engine, TokenScores } from '../../engine.ts';
import type { LossConfig, Tensor, TrainingOutput, TrainingRequest } from '../wire/messages.ts';
import type { adamParams } from '../wire/requests.ts';
import { checkInputs, wireLoss } from './losses.ts';
import { gather, scatter, spread, type Spread } from './targets.ts';

/** Tokens that go through the network in one call of the engine; losses are sums, so cutting changes nothing but rounding. */
const tokensPerCall = 16_384;

/** What a training call asks of the engine, checked: throws before anything has been computed. */
export interface TrainingPlan {
  readonly request: TrainingRequest;
  readonly spreads: readonly Spread[];
}

export function planTraining(request: TrainingRequest, { context, vocabulary }: Engine['model']): TrainingPlan {
  const loss = request.lossFn;
  wireLoss(loss, configOf(request));
  if (request.data.length === 0) throw new AgogeError('ENGINE_EMPTY_BATCH', 'the batch is empty: give at least one datum');
  const spreads = request.data.map((datum, index) => {
    const one = spread(datum, index);
    checkInputs(loss, datum, index, request.forwardOnly);
    for (const { tokens } of one.data) {
      const bad = Array.from(tokens).find((token) => !Number.isInteger(token) || token < 0 || token >= vocabulary);
      if (bad !== undefined) {
        const why = `token ${bad} is outside the vocabulary of ${vocabulary}`;
        throw new AgogeError('ENGINE_BAD_DATUM', `datum ${index}: ${why}; use the model's own tokenizer`);
      }
      if (tokens.length > context) {
        const why = `${tokens.length} tokens do not fit the model's context of ${context}`;
        throw new AgogeError('ENGINE_BAD_DATUM', `datum ${index}: ${why}; shorten it`);
      }
    }
    return one;
  });
  return { request, spreads };
}

export async function runTraining(engine: Engine, { request, spreads }: TrainingPlan): Promise<TrainingOutput> {
  const outputs: Record<string, Tensor>[] = [];
  const lossOf = wireLoss(request.lossFn, configOf(request));
  let total = 0;
  for (const { from, to } of parts(spreads)) {
    const part = spreads.slice(from, to);
    const data = part.flatMap((one) => one.data as Datum[]);
    let logprobs: Float32Array[] = [];
    if (request.forwardOnly) {
      logprobs = gathered(part, await engine.forward(data));
      total += part.reduce((sum, _, i) => sum + forwardLoss(i), 0);
    } else {
      const report = await engine.forwardBackward(data, (scores) => {
        logprobs = gathered(part, scores);
        const losses = part.map((_, i) => lossOf(datumAt(from + i), logprobs[i] as Float32Array));
        const gradient = part.flatMap((one, i) => scatter(one, losses[i]?.gradient ?? new Float32Array()));
        return { loss: losses.reduce((sum, { loss }) => sum + loss, 0), gradient };
      });
      total += report.loss;
    }
    part.forEach((one, i) => {
      outputs.push({ logprobs: { dtype: 'float32', data: logprobs[i] as Float32Array, shape: one.shape } });
    });

    // A forward pass alone may come without the inputs of its loss (0.25 sends weights of zero); then it has none.
    function forwardLoss(i: number): number {
      const { inputs } = datumAt(from + i);
      const needs = request.lossFn === 'cross_entropy' ? ['weights'] : ['logprobs', 'advantages'];
      return needs.every((key) => inputs[key]) ? lossOf(datumAt(from + i), logprobs[i] as Float32Array).loss : 0;
    }
  }
  return { type: 'ArrayRecord', outputs, metrics: { 'loss:sum': total } };

  function datumAt(index: number): TrainingRequest['data'][number] {
    const datum = request.data[index];
    if (!datum) throw new AgogeError('ENGINE_UNEXPECTED', `there is no datum ${index}; report this`);
    return datum;
  }
}

export async function runOptimStep(engine: Engine, params: z.infer<typeof adamParams>): Promise<object> {
  const adam: AdamParams = {
    learningRate: params.learning_rate,
    beta1: params.beta1,
    beta2: params.beta2,
    epsilon: params.eps,
    weightDecay: params.weight_decay,
    clipNorm: params.grad_clip_norm,
  };
  const { gradientNorm, step } = await engine.optimStep(adam);
  const norm = gradientNorm === undefined ? {} : { grad_norm: gradientNorm };
  return { metrics: { ...norm, learning_rate: params.learning_rate, step }, type: 'optim_step' };
}

/** SDK 0.36 writes the settings twice; the newer form can also hold words. */
function configOf({ config, config2 }: TrainingRequest): LossConfig {
  return config2 ?? config;
}

function gathered(part: readonly Spread[], scores: readonly TokenScores[]): Float32Array[] {
  let taken = 0;
  return part.map((one) => {
    const own = scores.slice(taken, taken + one.data.length);
    taken += one.data.length;
    return gather(one, own);
  });
}

/** Runs of data that are computed together. */
function parts(spreads: readonly Spread[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let [from, tokens] = [0, 0];
  spreads.forEach(({ data }, i) => {
    const length = at(data, 0).tokens.length;
    if (i > from && tokens + length > tokensPerCall) {
      runs.push({ from, to: i });
      [from, tokens] = [i, 0];
    }
    tokens += length;
  });
  runs.push({ from, to: spreads.length });
  return runs;
}
