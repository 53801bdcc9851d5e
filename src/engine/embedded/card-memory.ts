/**
 * What a model needs on a card, counted before anything is allocated: weights, moments, gradients, keys and values, activations; and
 * what then fits. Pure functions of the config and of the free memory.
 */
import { keyValueWidth, normsAfter, queryWidth, type ModelConfig } from './network/config.ts';
import { layoutOf } from './network/layout.ts';
import { targetsOf, trainedLayout } from './network/lora.ts';

/** Bytes on a card, by what they are for. */
export interface CardNeed {
  readonly parameters: number;
  /** As they are multiplied: two bytes each in bfloat16. */
  readonly weights: number;
  /** Float32 masters, gradient sums, their mark (`log.agreement`) and two moments of what is trained, and with adapters the merged copy that is sampled from. */
  readonly training: number;
  /** Keys and values of one token. */
  readonly keyValueToken: number;
  /** What is kept of one trained token between forward and backward. */
  readonly activationToken: number;
  /** The same where blocks are computed again in the backward pass. */
  readonly recomputedToken: number;
  /** Attention weights that are kept, per pair of a token and one that it sees; with recomputation those of one block. */
  readonly pair: number;
  readonly recomputedPair: number;
  /** Scores over the vocabulary, of one scored token. */
  readonly scoredToken: number;
}

export interface CardSettings {
  readonly numbers?: 'bfloat16' | 'float32' | undefined;
}

/** Scored tokens whose distributions exist at once. */
const scoredAtOnce = 1024;
/** CUDA's context, its libraries' workspaces and the runtime's own. */
const overhead = 1.5 * 2 ** 30;

export function cardNeed(config: ModelConfig, { numbers = 'bfloat16' }: CardSettings = {}): CardNeed {
  const size = numbers === 'bfloat16' ? 2 : 4;
  const parameters = layoutOf(config).length;
  const trained = config.frozen === undefined ? parameters : trainedLayout(config).length;
  const { hidden, intermediate, layers, heads, vocabulary } = config;
  const norms = normsAfter(config) ? 4 : 2;
  const block = norms * hidden + 2 * queryWidth(config) + 2 * keyValueWidth(config) + 2 * intermediate;
  const masters = numbers === 'float32' && config.lora === undefined ? 0 : 4 * trained;
  const merged = config.lora ? size * (parameters - vocabulary * hidden) : 0;
  return {
    parameters,
    weights: size * parameters,
    training: masters + 16 * trained + merged,
    keyValueToken: 2 * layers * keyValueWidth(config) * size,
    activationToken: size * layers * block,
    recomputedToken: size * (layers * hidden + block),
    pair: size * layers * heads,
    recomputedPair: size * heads,
    scoredToken: config.head === 'value' ? 4 : 2 * 4 * vocabulary,
  };
}

/** Adapters of rank 16 on every matrix beside a base that stays in bfloat16. */
export function withAdapters(config: ModelConfig, rank = 16): ModelConfig {
  return { ...config, frozen: 'bfloat16', lora: { rank, alpha: 2 * rank, targets: targetsOf('all-linear') } };
}

export interface CardFit {
  /** Bytes that are needed whatever is sampled or trained on. */
  readonly fixed: number;
  /** Sequences of `length` tokens that can be sampled at once. */
  readonly sequences: number;
  /** Tokens of one such sequence that can be trained on at once, and whether blocks are then computed again. */
  readonly rows: number;
  readonly recomputed: boolean;
  /** The longest sequence that can be trained on alone. */
  readonly context: number;
}

/** What fits into `free` bytes; `train: false` keeps nothing for training. Undefined where the model itself does not. */
export function cardFit(
  config: ModelConfig,
  free: number,
  { length = 1024, train = true, numbers }: CardSettings & { readonly length?: number; readonly train?: boolean } = {},
): CardFit | undefined {
  const need = cardNeed(config, { numbers });
  const head = scoredAtOnce * need.scoredToken;
  const fixed = overhead + need.weights + (train ? need.training : 0) + head;
  const seen = Math.min(length, config.context);
  const oneSequence = seen * need.keyValueToken;
  // Sampling and training take turns on the card, but keys and values stay between the turns of a conversation: half of what is left is theirs.
  const forSampling = train ? (free - fixed) / 2 : free - fixed;
  const forTraining = train ? free - fixed - Math.min(forSampling, 256 * oneSequence) : 0;
  const sequences = Math.floor(forSampling / oneSequence);
  if (sequences < 1) return undefined;
  const rowBytes = (recomputed: boolean, visible: number): number =>
    recomputed ? need.recomputedToken + need.recomputedPair * visible : need.activationToken + need.pair * visible;
  const recomputed = train && forTraining < usualRows * rowBytes(false, seen);
  const rows = Math.floor(forTraining / rowBytes(recomputed, seen));
  if (train && rows < seen) return undefined;
  return { fixed, sequences, rows, recomputed, context: train ? longest(config, forTraining, (n) => n * rowBytes(true, n)) : 0 };
}

/** Tokens that a micro-batch should have, to keep a card busy. */
const usualRows = 8192;

/** The largest number of tokens up to the model's context whose bytes fit. */
function longest({ context }: ModelConfig, bytes: number, of: (tokens: number) => number): number {
  let [low, high] = [0, context];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (of(middle) <= bytes) low = middle;
    else high = middle - 1;
  }
  return low;
}
