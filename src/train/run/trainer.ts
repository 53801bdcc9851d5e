/**
 * The contract between a trainer and the lifecycle of its run: a trainer takes steps and knows what a checkpoint must hold; when it is
 * evaluated, saved, stopped, resumed or reported on is the lifecycle's (lifecycle.ts). RL, SFT and reward models are such trainers.
 */
import type { EvaluateConfig } from '../../config/recipe/shared-keys.ts';
import type { Engine } from '../../engine/engine.ts';
import type { StopReason } from '../../run/cause.ts';
import type { BoardName } from '../../run/trackers/boards.ts';
import type { Evaluated, Evaluation } from './evaluation.ts';
import type { TrainerEvents } from './events.ts';

/** What every run knows of itself after a step; a trainer adds what it needs to go on exactly. It lies in each checkpoint. */
export interface RunState {
  step: number;
  /** Tokens learned from so far. */
  tokens: number;
  /** Seconds trained so far. */
  elapsed: number;
  /** Seconds of processor time that steps took; kept by the lifecycle, absent where an earlier version has begun the run. */
  processor?: number | undefined;
  /** Episodes played for training so far, where some are. */
  episodes?: number;
  /** The evaluation of this step was interrupted: it comes first after a resume. */
  owesEvaluation?: boolean;
}

/** The part of a recipe that says when things happen. */
export interface RunConfig {
  readonly run: string;
  readonly seed: number;
  readonly checkpoint: { readonly every: number; readonly keep: number; readonly at_end: boolean };
  readonly log: { readonly to: readonly BoardName[]; readonly tensorboard: boolean; readonly every?: number };
  readonly evaluate?: EvaluateConfig;
  readonly validate?: { readonly every: number };
}

/** What a trainer may do with its run while it is open. */
export interface OpenRun {
  /** Aborts when the run is to end early. */
  readonly signal: AbortSignal;
  /** Says something to whoever watches, and keeps it in the log. */
  note(text: string): Promise<void>;
  /** Says what is being done now. */
  doing(text: string): void;
}

/** What a trainer has opened. */
export interface Opening {
  /** Environments that are played, with their versions. */
  readonly environments?: Readonly<Record<string, string>>;
  /** Steps that are planned; null where time or data decides. */
  readonly steps: number | null;
  /** A few words about the run, for the first line of its log. */
  readonly about?: string;
  /** What evaluations play; absent: there are none. */
  readonly evaluation?: Evaluation | undefined;
  /** `validate` is called after the last step too. */
  readonly validatesAtEnd?: boolean;
}

/** Why a run takes no further step. */
export interface Ending {
  readonly status: 'finished' | 'stopped';
  readonly reason?: string | undefined;
  readonly cause?: StopReason | undefined;
}

/** One way to learn. */
export interface Trainer {
  /** After the last whole step. The trainer changes it when its next step is whole, never before. */
  readonly state: RunState;
  /** The networks that steps move and checkpoints hold. */
  readonly engines: readonly Engine[];
  /** It learns replies, which come before success: its start is the best only where a step is below it by more than noise. */
  readonly imitates?: true;
  /** Opens what the run needs beside its engines. Nothing is written into the run before it resolves. */
  open(run: OpenRun): Promise<Opening>;
  /** Everything as it was after a step: the state of its checkpoint, and the folder with the weights. */
  restore(state: unknown, folder: string, step: number): Promise<string | undefined>;
  /** Called once before the first step of this process, after `restore`. */
  begin?(): Promise<void>;
  /** From 0 to 1: how much of the run is done, by whichever limit is nearest. */
  share(): number;
  /** Why no further step is taken, asked before each; absent: the run ends when its share is 1. */
  ending?(): Ending | undefined;
  /** Takes one step. `asked`: seconds since the step before that went into evaluations and checkpoints. */
  step(asked: number): Promise<void>;
  /** What is logged of the steps since the last call. */
  metrics(): Record<string, number>;
  /** The same for a person who reads the log. */
  line(metrics: Readonly<Record<string, number>>): string;
  /** What the numbers of a step say about the run, in sentences for the log; may add numbers of its own. */
  diagnose?(metrics: Record<string, number>): readonly string[];
  /** Measures what is held out, `val/loss` among it; the lowest one is the best step where nothing is played. */
  validate?(): Promise<Readonly<Record<string, number>>>;
  /** Told of each evaluation. */
  evaluated?(made: Evaluated): void;
  /** Writes the weights of the start, as a policy that can be named: where no step is better than it, it is the best one. */
  saveStart?(folder: string): Promise<void>;
  /** Writes weights and whatever else goes on from them; the state is written beside them. */
  save(folder: string): Promise<void>;
  /** Resolves when what is still being written of the last step is written. */
  settle?(): Promise<void>;
  /** Always called in the end. */
  close?(): Promise<void>;
}

/** How a run is stopped, who is told what happens, and where it goes on. */
export interface TrainOptions {
  readonly signal?: AbortSignal;
  readonly events?: TrainerEvents;
  /** Step of the checkpoint to go on from; 0 starts anew. */
  readonly from?: number;
}
