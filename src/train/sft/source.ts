/**
 * Where an SFT run's sequences come from: experts that play as it goes, or files read as a stream. A source is asked for batches
 * of about so many tokens; its position is all that a checkpoint needs to go on with the very next sequence.
 */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { CurriculumState } from './curriculum.ts';
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
  restoreCurriculum?(state: CurriculumState): void;
  /** What came of a batch: for curricula; returns a line to log when the level rises. */
  note?(accuracy: Accuracy): string | undefined;
  readonly curriculum?: CurriculumState;
  /** From 0 to 1, where there is a curriculum. */
  readonly difficulty?: number;
}

export interface SftBatch {
  readonly data: readonly TrajectoryDatum[];
  readonly epoch: number;
  /** Sequences by which a curriculum does not judge progress: those of environments that it does not grow. */
  readonly ungraded?: ReadonlySet<TrajectoryDatum>;
}

export interface SftPosition {
  /** Sequences drawn so far. */
  readonly drawn: number;
  readonly curriculum?: CurriculumState | undefined;
}
