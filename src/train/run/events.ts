/** What a trainer tells whoever watches: the CLI's progress, the demo, tests. Trainers never print. */
import type { Best } from '../../run/checkpoints.ts';
import type { Diagnosis } from '../../run/diagnosis/diagnosis.ts';
import type { EvaluationLine } from '../../run/layout.ts';

/** One step: its number and its metrics. */
export interface StepSummary {
  readonly step: number;
  readonly steps: number | null;
  readonly metrics: Readonly<Record<string, number>>;
  /** Seconds since this process took up the run, and expected until its end. */
  readonly elapsed: number;
  readonly left: number | null;
}

/** Told while a run goes on. */
export interface TrainerEvents {
  onStep?(summary: StepSummary): void;
  onEvaluation?(lines: readonly EvaluationLine[]): void;
  onNote?(text: string): void;
  /** What is being done now, for whoever waits: loading, playing, learning, evaluating. Never kept. */
  onDoing?(text: string): void;
  /** Why the run does not learn: what is new after a step. Also said in words, as a note. */
  onDiagnosis?(step: number, found: readonly Diagnosis[]): void;
}

/** How a run ended, and where it lies. */
export interface TrainResult {
  readonly status: 'finished' | 'stopped' | 'interrupted';
  readonly reason?: string | undefined;
  readonly step: number;
  /** The newest step that has a checkpoint, 0 where none has: where a run that was interrupted goes on. */
  readonly saved: number;
  readonly directory: string;
  readonly best?: Best | undefined;
  /** Why it does not learn, as its last steps have it. */
  readonly diagnosis: readonly Diagnosis[];
}
