/** What the engine asks of a learner, wherever it computes. */
import type { AdamParams, Datum, ForwardOptions, Loss, LossReport, OptimReport, TokenScores } from '../../engine.ts';

/** Moments of one weight. */
export interface Moments {
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

export interface LearnerStatistics {
  /** Bytes of activations that are held, and compiled graphs: both stop growing once every kind of batch was seen. */
  readonly arenaBytes: number;
  readonly sessions: number;
}

export interface Learning {
  forward(batch: readonly Datum[], options?: ForwardOptions): Promise<TokenScores[]>;
  forwardBackward(batch: readonly Datum[], loss: Loss, options?: ForwardOptions): Promise<LossReport>;
  optimStep(adam: AdamParams): Promise<Required<OptimReport>>;
  /** Remembers the gradient so far, until the next step of the optimizer. */
  markGradient(): Promise<void>;
  /** The cosine between the gradient at the mark and what was added since. */
  agreement(): Promise<number | undefined>;
  readonly hasGradient: boolean;
  /** A copy of the accumulated gradient, laid out like the weights; undefined when there is none. */
  gradient(): Promise<Float32Array | undefined>;
  /** Whether a step was taken, so that there are moments worth saving. */
  readonly hasMoments: boolean;
  /** Steps of the optimizer, and the moments of a weight: to be saved. */
  readonly step: number;
  momentsOf(name: string): Promise<Moments>;
  /** Goes on from saved moments, weight by weight, and a step count. */
  restore(step: number, moments: Iterable<readonly [name: string, Moments]>): Promise<void>;
  /** Starts AdamW afresh, and drops gradients that belong to other weights. */
  forget(): void;
  readonly statistics: LearnerStatistics;
  close(): Promise<void>;
}
