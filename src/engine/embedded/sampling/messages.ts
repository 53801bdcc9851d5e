/** What the sampler and its lanes tell each other. */
import type { ErrorCode } from '../../../core/error.ts';
import type { Spelling } from '../../constraint/spelling.ts';
import type { Constraint, Sample, TokenLogprob } from '../../engine.ts';
import type { StepTimes } from './calibration.ts';
import type { DrawSettings } from './draw.ts';
import type { LaneShape } from './lane.ts';

/** A request that was checked; what a lane needs of it. */
export interface LaneRequest {
  readonly id: number;
  readonly prompt: Int32Array;
  readonly maxTokens: number;
  readonly settings: DrawSettings;
  readonly stopTokens: readonly number[];
  readonly topLogprobs: number;
  readonly constraint?: Constraint | undefined;
  readonly bias: readonly (readonly [token: number, bias: number])[];
  readonly seed: number;
  /** Every token is told as it is drawn, and the lane does not answer: who listens decides when it is enough. */
  readonly streams: boolean;
}

/**
 * New weights (of this version) are copied at once; they and new shapes are used when everything asked for before them is answered, and
 * what comes after them waits for them. `spelling`: the bytes of tokens, before the first request with a constraint. `measure`: times some steps, if nobody sits in the lane.
 */
export type ToLane =
  | { readonly request: LaneRequest }
  | { readonly spelling: Spelling }
  | { readonly cancel: number }
  | { readonly weights: number }
  | { readonly shape: LaneShape }
  | { readonly measure: true };

export interface LaneAnswer {
  readonly id: number;
  readonly tokens: Int32Array;
  readonly logprobs: Float32Array;
  readonly rawLogprobs: Float32Array;
  readonly stop: Extract<Sample['stop'], 'token' | 'length'>;
}

export interface StreamedToken {
  readonly id: number;
  readonly token: number;
  readonly logprob: number;
  readonly rawLogprob: number;
  readonly top: readonly TokenLogprob[] | undefined;
}

export interface LaneFailure {
  readonly id: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** After a step: whose sample is complete, what was drawn for those that stream, whose sample failed. */
export interface StepNews {
  readonly answers: readonly LaneAnswer[];
  readonly tokens: readonly StreamedToken[];
  readonly failures: readonly LaneFailure[];
}

/** `copied`: a lane needs the weights of this version no more. */
export type FromLane = StepNews | { readonly copied: number } | { readonly measured: StepTimes };
