/** What travels in the training and sampling calls of the Tinker API, apart from how it is written (JSON or protobuf). */

export interface Tensor {
  readonly dtype: 'float32' | 'int64';
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

/** Pre-shifted: every tensor is as long as the tokens, position i describing the prediction of the token after it. */
export interface WireDatum {
  /** Chunks of text tokens, one after the other. */
  readonly chunks: readonly ArrayLike<number>[];
  readonly inputs: Readonly<Record<string, Tensor>>;
}

export type LossConfig = Readonly<Record<string, number | string>>;

export interface TrainingRequest {
  readonly modelId: string;
  /** 0 where the client gave none. */
  readonly seqId: number;
  readonly data: readonly WireDatum[];
  readonly lossFn: string;
  readonly config: LossConfig;
  /** SDK 0.36 writes the configuration a second time, in a form that allows words. */
  readonly config2?: LossConfig;
  readonly forwardOnly: boolean;
}

export interface TrainingOutput {
  readonly type: string;
  /** One per datum, in order. */
  readonly outputs: readonly Readonly<Record<string, Tensor>>[];
  /** `name:reduction` → value. */
  readonly metrics: Readonly<Record<string, number>>;
}

export interface TopLogprobs {
  readonly k: number;
  /** Rows of k; cells without a token have the log-probability `emptyCell`. */
  readonly tokens: ArrayLike<number>;
  readonly logprobs: ArrayLike<number>;
}

export const emptyCell = -99_999;

export interface SampledSequence {
  readonly stop: 'stop' | 'length';
  readonly tokens: ArrayLike<number>;
  /** Absent where the server gave none. */
  readonly logprobs?: ArrayLike<number>;
}

export interface SampleOutput {
  readonly sequences: readonly SampledSequence[];
  /** One per prompt token; NaN where undefined (the first). */
  readonly promptLogprobs?: ArrayLike<number>;
  readonly topPromptLogprobs?: TopLogprobs;
  readonly cachedTokens: number;
}
