/**
 * The Engine contract: the four verbs of the Tinker API (sample, forward, forwardBackward, optimStep) plus save and load.
 * One machine (embedded/) and a cluster (tinker/) answer the same calls.
 */
import type { TokenIds } from '../core/trajectory.ts';
import type { Constraint } from './constraint/constraint.ts';

export type { Constraint } from './constraint/constraint.ts';

/** A model that samples and learns: on this machine, or behind a wire. */
export interface Engine extends AsyncDisposable {
  readonly model: ModelInfo;
  /** Where it computes and with which numbers, in a few words; absent behind a wire. */
  readonly device?: string;
  /** What this process holds of a card's memory now; absent where there is no card. */
  readonly cardMemory?: CardMemory | undefined;
  /** Counts optimizer steps and loads; samples carry the version they were drawn from. */
  readonly version: number;
  /** Prompt tokens → tokens, log-probabilities, why it stopped. Any number at once; requests share a running decode batch. */
  sample(request: SampleRequest): Promise<Sample>;
  /** Log-probability of every scored token (with a value head: the value of the state before it), one array per datum. */
  forward(batch: readonly Datum[], options?: ForwardOptions): Promise<TokenScores[]>;
  /** One pass over the batch; the loss sees all its log-probabilities at once. Gradients add up until optimStep. */
  forwardBackward(batch: readonly Datum[], loss: Loss, options?: ForwardOptions): Promise<LossReport>;
  /** Remembers the gradient that has added up so far, until optimStep; engines behind a wire do not have it. */
  markGradient?(): Promise<void>;
  /** The cosine between the gradient at the mark and what was added since; undefined where one of them is zero. */
  agreement?(): Promise<number | undefined>;
  /** AdamW on the accumulated gradient, which is then cleared. */
  optimStep(adam: AdamParams): Promise<OptimReport>;
  /** A second engine with the present weights, which stay while this one learns. Only where most weights are frozen, and shared by both. */
  reference?(): Engine | undefined;
  /** Weights in Hugging Face layout, adapters in PEFT's; with `optimizer: true` also moments and step count, so that `load` continues exactly. */
  save(folder: string, options?: { readonly optimizer?: boolean }): Promise<void>;
  load(folder: string, options?: { readonly optimizer?: boolean }): Promise<void>;
  /** Moves the weights by a share of the way to those of another engine of the same model; engines behind a wire cannot. */
  mix?(other: Engine, share: number): Promise<void>;
  /**
   * What, beside the calls, the bits of results depend on here, in words: nothing where the same calls give the same bits. Engines
   * that cannot know do not have it.
   */
  dependenciesOfBits?(): readonly string[];
}

/** What this process holds of a card, in bytes. */
export interface CardMemory {
  /** By what it is for; `runtime`: what ONNX Runtime allocates by itself. */
  readonly held: Readonly<Record<'weights' | 'training' | 'activations' | 'cache' | 'other' | 'runtime', number>>;
  /** The most it ever held. */
  readonly most: number;
}

/** What a model is. */
export interface ModelInfo {
  readonly family: 'llama' | 'mistral' | 'qwen2' | 'qwen3' | 'smollm3' | 'olmo2' | 'phi3' | 'gemma2' | 'gemma3_text';
  readonly head: 'language' | 'value';
  readonly parameters: number;
  readonly layers: number;
  readonly hidden: number;
  readonly vocabulary: number;
  /** Longest sequence, prompt and reply together. */
  readonly context: number;
  readonly tokenizer: Tokenizer;
  /** The model's own Jinja chat template, where it has one. */
  readonly chatTemplate?: string | undefined;
  /** Fills up batches elsewhere; never the token that a whole sequence is scored at. */
  readonly padToken?: number | undefined;
}

/** Text to token ids and back. */
export interface Tokenizer {
  /**
   * Text to ids, without adding special tokens; special tokens written in the text are recognised unless `plain`. Text that
   * `continues` other text gets no space before it from a tokenizer that puts one there.
   */
  encode(text: string, options?: { readonly plain?: boolean; readonly continues?: boolean }): number[];
  /** Whether a text surely holds no special token, so that `plain` makes no difference; absent where a tokenizer cannot tell. */
  isPlain?(text: string): boolean;
  decode(ids: TokenIds): string;
  /** The bytes that a token stands for, none for a control token; absent where a tokenizer cannot tell. */
  bytes?(id: number): Uint8Array | undefined;
  readonly size: number;
  readonly bosToken?: string | undefined;
  /** The model was trained with that token before every text. */
  readonly addsBos?: boolean | undefined;
  readonly eosToken?: string | undefined;
  /** Ids that end a turn. */
  readonly endOfTurn: readonly number[];
}

/** What is to be sampled. */
export interface SampleRequest {
  readonly prompt: TokenIds;
  readonly maxTokens: number;
  /** 0 is greedy; 1 (the default) the model's own distribution. */
  readonly temperature?: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  /** Ids that end the sample and are part of it, and strings that end it and are cut from its text (their tokens stay in `tokens`). */
  readonly stopTokens?: readonly number[];
  readonly stopStrings?: readonly string[];
  /** What the reply must look like: tokens that would break it are never drawn, and it is complete before `maxTokens` are used up. */
  readonly constraint?: Constraint;
  /** Added to the logits of tokens, by id. */
  readonly logitBias?: Readonly<Record<number, number>>;
  /** Tell `onToken` so many of the likeliest tokens of each position, at most 20. Default 0. */
  readonly topLogprobs?: number;
  /** The same request with the same seed gives the same tokens, whatever else is being sampled. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  /**
   * Called for each token as it is drawn; `rawLogprob` is its log-probability under the model's own distribution, `top` what
   * `topLogprobs` asked for, under the same one.
   */
  onToken?(token: number, logprob: number, rawLogprob?: number, top?: readonly TokenLogprob[]): void;
}

/** A token and its log-probability. */
export interface TokenLogprob {
  readonly token: number;
  readonly logprob: number;
}

/** What was sampled. */
export interface Sample {
  readonly tokens: Int32Array;
  /** Under the distribution the tokens were drawn from (temperature and truncation applied). */
  readonly logprobs: Float32Array;
  /** Under the model's own distribution: what `forward` gives for the same tokens. */
  readonly rawLogprobs: Float32Array;
  readonly stop: 'token' | 'string' | 'length' | 'context';
  readonly version: number;
}

/** One sequence to learn from or to score. */
export interface Datum {
  readonly tokens: TokenIds;
  /** Which tokens are scored: `mask[t]` asks for the log-probability of tokens[t] given those before it. mask[0] is 0. */
  readonly mask: Uint8Array;
}

/** What a pass computes beside the scores. */
export interface ForwardOptions {
  /** Also compute the entropy of the distribution each scored token was drawn from. */
  readonly entropy?: boolean;
  readonly signal?: AbortSignal;
  /** Divides the logits before the softmax, as sampling at that temperature does. Default 1. */
  readonly temperature?: number;
}

/** Of the scored tokens of one datum, in order; length = number of ones in its mask. */
export interface TokenScores {
  /** Log-probabilities, or values for a model with a value head. */
  readonly scores: Float32Array;
  readonly entropy?: Float32Array;
}

/** A loss as a function of the scores of all data of one call: its value and its derivative by each score. */
export interface Loss {
  (scores: readonly TokenScores[]): LossGradient;
  /** Its derivative, where that does not depend on the scores (imitation): an engine behind a wire then needs one pass, not two. */
  readonly slopes?: readonly Float32Array[];
  /** A loss of the Tinker API with the same derivative for all or nearly all tokens: a server that has it needs one pass as well. */
  readonly builtin?: BuiltinLoss | undefined;
}

/** Clipped policy losses: ppo is max(−ρA, −clip(ρ)A), cispo −clip(ρ)·A·logp with the ratio as a constant; summed over tokens. */
export interface BuiltinLoss {
  readonly name: 'ppo' | 'cispo';
  /** Bounds of the ratio. */
  readonly clip: readonly [low: number, high: number];
  /** Per datum and scored token: the log-probability that counts as old, and the advantage with every weight in it. */
  readonly rows: readonly { readonly old: ArrayLike<number>; readonly advantages: ArrayLike<number> }[];
}

/** The value of a loss and its derivatives. */
export interface LossGradient {
  readonly loss: number;
  /** dL/dscore per datum, each as long as its scores. */
  readonly gradient: readonly Float32Array[];
  /** dL/dentropy per datum, when `entropy` was asked for and enters the loss. */
  readonly entropyGradient?: readonly Float32Array[];
  readonly metrics?: Readonly<Record<string, number>>;
}

/** What one pass forward and backward gave. */
export interface LossReport {
  readonly loss: number;
  readonly scores: readonly TokenScores[];
  readonly metrics: Readonly<Record<string, number>>;
  /** Tokens that went through the network (shared prefixes counted once) and tokens of the batch. */
  readonly computedTokens: number;
  readonly tokens: number;
}

/** One step of AdamW. */
export interface AdamParams {
  readonly learningRate: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  readonly weightDecay?: number;
  /** Factor on the learning rate of the embedding table. Default 1. */
  readonly embeddingRate?: number;
  /** Gradients are scaled down to this global norm; 0 or absent: not clipped. */
  readonly clipNorm?: number;
}

/** What one step of the optimizer did. */
export interface OptimReport {
  /** Global gradient norm before clipping; absent where a remote engine does not tell it. */
  readonly gradientNorm?: number;
  readonly step: number;
}
