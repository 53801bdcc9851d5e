/** What the learner asks its replicas, job by job in the order asked, and what they answer. */
import type { ErrorCode } from '../../../../core/error.ts';
import type { Datum, TokenScores } from '../../../engine.ts';
import type { adamFactors, Slice } from '../adamw.ts';

export interface ShardOptions {
  readonly entropy: boolean;
  readonly temperature: number;
}

/** Memory for a sum of gradients; its number names it, since every message makes a new view of it. */
export interface Accumulator {
  readonly number: number;
  readonly gradient: Float32Array;
}

export type Job =
  /** Scores of a shard; with `keep` its activations stay until its backward pass. */
  | {
      readonly kind: 'forward';
      readonly shard: number;
      readonly data: readonly Datum[];
      readonly options: ShardOptions;
      readonly keep: boolean;
    }
  /** Scores of a shard that no backward pass will follow. */
  | { readonly kind: 'score'; readonly data: readonly Datum[]; readonly options: ShardOptions }
  /** The gradient of a shard, into an accumulator: added, or in the place of what is there. Shards that were not kept bring their data. */
  | {
      readonly kind: 'backward';
      readonly shard: number;
      readonly again: { readonly data: readonly Datum[]; readonly options: ShardOptions } | undefined;
      readonly gradient: readonly Float32Array[];
      readonly entropyGradient: readonly Float32Array[] | undefined;
      readonly accumulator: Accumulator;
      readonly add: boolean;
    }
  /** Forgets shards that were kept. */
  | { readonly kind: 'drop' }
  /** Adds gradients up in the first of them, slice by slice; the sums of squares come back. */
  | { readonly kind: 'sum'; readonly gradients: readonly Float32Array[]; readonly slices: readonly Slice[] }
  /** Keeps the sum of gradients in `mark`. */
  | {
      readonly kind: 'mark';
      readonly gradients: readonly Float32Array[];
      readonly mark: Float32Array;
      readonly slices: readonly Slice[];
    }
  /** Compares `mark` with what the sum of gradients has more by now; three sums come back for each slice (gradient-sum.ts). */
  | {
      readonly kind: 'compare';
      readonly gradients: readonly Float32Array[];
      readonly mark: Float32Array;
      readonly slices: readonly Slice[];
    }
  /** One update of the weights; its buffers are the same ones every time. */
  | {
      readonly kind: 'update';
      readonly gradient: Float32Array;
      readonly mean: Float32Array;
      readonly square: Float32Array;
      readonly slices: readonly Slice[];
      readonly factors: ReturnType<typeof adamFactors>;
    };

/** `call` is what a cancellation names; `width`: threads that may share the work of this replica. */
export interface ToReplica {
  readonly id: number;
  readonly call: number;
  readonly width: number;
  readonly job: Job;
}

export interface ReplicaState {
  readonly arenaBytes: number;
  readonly sessions: number;
}

export type FromReplica = { readonly id: number } & (
  | { readonly scores?: readonly TokenScores[]; readonly sums?: Float64Array; readonly state: ReplicaState }
  | { readonly failed: { readonly code: ErrorCode; readonly message: string } }
);
