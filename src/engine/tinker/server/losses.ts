/**
 * The losses of the Tinker API, per token: cross_entropy, importance_sampling, ppo, cispo, dro and SkyRL's gspo. The loss of a call is
 * the sum over all its tokens, as on Thinking Machines' service; `weights` beside a policy loss multiply it, as SkyRL does.
 */
import { AgogeError } from '../../../core/error.ts';
import type { LossConfig, Tensor, WireDatum } from '../wire/messages.ts';
import { bad } from './targets.ts';

export interface TokenLosses {
  readonly loss: number;
  /** By the log-probability of each target. */
  readonly gradient: Float32Array;
}

export type WireLoss = (datum: WireDatum, logprobs: Float32Array) => TokenLosses;

/** Log-probability now, when sampled, advantage → loss and its derivative. */
type TokenRule = (now: number, then: number, advantage: number) => readonly [loss: number, slope: number];

export const lossNames = ['cross_entropy', 'importance_sampling', 'ppo', 'cispo', 'dro', 'gspo'] as const;

const settings: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  cross_entropy: {},
  importance_sampling: {},
  ppo: { clip_low_threshold: 0.8, clip_high_threshold: 1.2 },
  cispo: { clip_low_threshold: 0, clip_high_threshold: 4 },
  dro: { beta: 0.05 },
  gspo: { clip_low_threshold: 0.8, clip_high_threshold: 1.2 },
};

/** The loss of this name; throws for an unknown one and for settings that it does not have. */
export function wireLoss(name: string, config: LossConfig): WireLoss {
  const defaults = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (!defaults)
    throw new AgogeError('ENGINE_TINKER_LOSS', `there is no loss "${name}" here: use one of ${lossNames.join(', ')}`);
  for (const [key, value] of Object.entries(config)) {
    const known = Object.keys(defaults);
    if (!known.includes(key)) {
      const remedy = known.length === 0 ? 'leave loss_fn_config out' : `it has ${known.join(' and ')}`;
      throw new AgogeError('ENGINE_TINKER_LOSS', `the loss ${name} has no setting "${key}": ${remedy}`);
    }
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new AgogeError('ENGINE_TINKER_LOSS', `${key} of ${name} is ${value}: give a number`);
  }
  const set = { ...defaults, ...(config as Record<string, number>) };
  // A setting that the loss does not have is never read.
  const [low, high, beta] = [set['clip_low_threshold'] ?? NaN, set['clip_high_threshold'] ?? NaN, set['beta'] ?? NaN];
  const clip = (ratio: number): number => Math.max(low, Math.min(high, ratio));
  if (name === 'cross_entropy') return crossEntropy;
  if (name === 'gspo') return (datum, logprobs) => sequenceRatio(datum, logprobs, clip);
  if (name === 'importance_sampling')
    return perToken((now, then, advantage) => {
      const value = -Math.exp(now - then) * advantage;
      return [value, value];
    });
  if (name === 'cispo')
    return perToken((now, then, advantage) => {
      const slope = -clip(Math.exp(now - then)) * advantage;
      return [slope * now, slope];
    });
  if (name === 'dro')
    return perToken((now, then, advantage) => [
      -(now * advantage - (beta / 2) * (now - then) ** 2),
      -(advantage - beta * (now - then)),
    ]);
  return perToken((now, then, advantage) => {
    const ratio = Math.exp(now - then);
    const [free, bounded] = [-ratio * advantage, -clip(ratio) * advantage];
    return bounded > free ? [bounded, 0] : [free, free];
  });
}

/**
 * Lengths and finiteness of every tensor a loss reads: checked when a call arrives, before anything is computed. A forward pass may leave
 * some out and carry others, but what its loss would read must be whole there too.
 */
export function checkInputs(name: string, datum: WireDatum, index: number, forwardOnly = false): void {
  const wanted = name === 'cross_entropy' ? ['target_tokens', 'weights'] : ['target_tokens', 'logprobs', 'advantages'];
  const targets = datum.inputs['target_tokens'];
  if (!forwardOnly) for (const key of wanted) if (!datum.inputs[key]) throw bad(index, `the loss ${name} needs ${key}`);
  for (const [key, { data }] of Object.entries(datum.inputs)) {
    if (!['target_tokens', 'weights', 'logprobs', 'advantages'].includes(key)) {
      if (forwardOnly) continue;
      throw bad(index, `"${key}" is no input of a loss here; leave it out`);
    }
    if (data.length !== targets?.data.length)
      throw bad(index, `${key} has ${data.length} entries, target_tokens has ${targets?.data.length ?? 'none'}`);
    for (let i = 0; i < data.length; i++)
      if (!Number.isFinite(data[i])) throw bad(index, `${key}[${i}] is ${String(data[i])}, which is no number`);
  }
}

const crossEntropy: WireLoss = (datum, logprobs) => {
  const weights = inputOf(datum, 'weights');
  let loss = 0;
  const gradient = new Float32Array(logprobs.length);
  for (let i = 0; i < logprobs.length; i++) {
    const weight = weights[i] as number;
    if (weight === 0) continue; // a target nobody asks for may be impossible: 0 · ∞ is no number
    loss -= weight * (logprobs[i] as number);
    gradient[i] = -weight;
  }
  return { loss, gradient };
};

function perToken(rule: TokenRule): WireLoss {
  return (datum, logprobs) => {
    const [then, advantages, weights] = [inputOf(datum, 'logprobs'), inputOf(datum, 'advantages'), datum.inputs['weights']?.data];
    let loss = 0;
    const gradient = new Float32Array(logprobs.length);
    for (let i = 0; i < logprobs.length; i++) {
      const weight = weights ? (weights[i] as number) : 1;
      const advantage = advantages[i] as number;
      if (weight === 0 || advantage === 0) continue;
      const [value, slope] = rule(logprobs[i] as number, then[i] as number, advantage);
      loss += weight * value;
      gradient[i] = weight * slope;
    }
    return { loss, gradient };
  };
}

/** One ratio for the tokens that count: those with a weight, or, without weights, with an advantage. */
function sequenceRatio(datum: WireDatum, logprobs: Float32Array, clip: (ratio: number) => number): TokenLosses {
  const [then, advantages, weights] = [inputOf(datum, 'logprobs'), inputOf(datum, 'advantages'), datum.inputs['weights']?.data];
  const counts = (i: number): boolean => (weights ? weights[i] !== 0 : advantages[i] !== 0);
  let [sum, tokens] = [0, 0];
  for (let i = 0; i < logprobs.length; i++) {
    if (!counts(i)) continue;
    sum += (logprobs[i] as number) - (then[i] as number);
    tokens++;
  }
  const ratio = Math.exp(sum / Math.max(1, tokens));
  let loss = 0;
  const gradient = new Float32Array(logprobs.length);
  for (let i = 0; i < logprobs.length; i++) {
    if (!counts(i)) continue;
    const weight = weights ? (weights[i] as number) : 1;
    const advantage = advantages[i] as number;
    const [free, bounded] = [-ratio * advantage, -clip(ratio) * advantage];
    loss += weight * Math.max(free, bounded);
    gradient[i] = bounded > free ? 0 : weight * free;
  }
  return { loss, gradient };
}

function inputOf({ inputs }: WireDatum, key: string): Tensor['data'] {
  const tensor = inputs[key];
  if (!tensor) throw bad(0, `it has no ${key}`);
  return tensor.data;
}
