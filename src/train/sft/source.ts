/**
 * Where an SFT run's sequences come from: experts that play as it goes, or files read as a stream. A source is asked for batches
 * of about so many tokens; its position is all that a checkpoint needs to go on with the very next sequence.
 */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { LaddersState } from './ladders.ts';
import type { Accuracy } from './sums.ts';

export interface SftSource {
  /** The next batch, or undefined where the data has come to its end. */
  next(tokens: number): Promise<SftBatch | undefined>;
  /** Where the next batch begins. */
  readonly position: SftPosition;
  restore(position: SftPosition): Promise<void>;
  /** Sequences there are in all, over all epochs; absent where the source does not end. */
  readonly size?: number | undefined;
  /** Sets the curriculum alone: batches are drawn one ahead, so it may have moved on since the position. */
  restoreCurriculum?(state: LaddersState): void;
  /** What came of a batch, by ladder: for curricula; returns a line to log when the level rises. */
  note?(accuracies: ReadonlyMap<number, Accuracy>): string | undefined;
  readonly curriculum?: LaddersState;
  /** From 0 to 1, where there is a curriculum. */
  readonly difficulty?: number;
  /** The same for each line that has a level of its own, by name. */
  readonly difficulties?: Readonly<Record<string, number>>;
}

export interface SftBatch {
  readonly data: readonly TrajectoryDatum[];
  readonly epoch: number;
  /** The ladder of a curriculum that a sequence says something about; those that are not in here say nothing. */
  readonly judged?: ReadonlyMap<TrajectoryDatum, number>;
}

export interface SftPosition {
  /** Sequences drawn so far. */
  readonly drawn: number;
  readonly curriculum?: LaddersState | undefined;
}
