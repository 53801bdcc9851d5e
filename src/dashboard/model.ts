/**
 * What the dashboard and the single-file report show, as plain data. The page imports these types and nothing else of the
 * run directory: whatever can be read of a run, old, half-written or live, is turned into this shape first.
 */
import type { FailedBy, TurnLimit } from '../core/outcome.ts';
import type { Cause } from '../run/cause.ts';
import type { LiveEpisode } from '../run/live.ts';
import type { Diagnosis } from '../run/diagnosis/diagnosis.ts';

export type RunStatus = 'running' | 'finished' | 'stopped' | 'failed' | 'unknown';

/** A share of successes with its interval (95 %). */
export interface Share {
  readonly n: number;
  readonly success: number;
  readonly low: number;
  readonly high: number;
}

/** What was evaluated (a policy, a step) and how it did. */
export interface NamedShare extends Share {
  /** `textcraft/test`. */
  readonly panel: string;
  readonly policy: string;
  /** Of a run that was evaluated on its way. */
  readonly step?: number;
}

/** Something about a run that a person should know, as data: the page puts it into words. */
export type Warning =
  | { readonly kind: 'no-signal'; readonly steps: number }
  | { readonly kind: 'context'; readonly share: number }
  | { readonly kind: 'unreadable'; readonly share: number }
  | { readonly kind: 'failed-episodes'; readonly count: number; readonly by: string }
  /** The halves of a step have hardly agreed on the gradient lately. */
  | { readonly kind: 'noise'; readonly low: number; readonly played: number }
  | { readonly kind: 'no-better'; readonly best: number }
  /** Asked in one format, learned in another; null where what was learned follows none that is known. */
  | { readonly kind: 'format'; readonly asked: string; readonly found: string | null; readonly where: string };

/** Why a run does not learn, with what to do about it; in English, the page has its Chinese beside it. */
export type Diagnosed = Diagnosis & { readonly says: string; readonly remedy: string };

/** What a person wrote about a run; kept in the run's folder as notes.json. */
export interface Annotation {
  readonly note: string;
  readonly tags: readonly string[];
  readonly archived: boolean;
}

/** A row of the list of runs. */
export interface RunSummary {
  /** Path of the run below the folder that is shown, with `/` between its parts. */
  readonly id: string;
  readonly kind: 'rl' | 'sft' | 'reward' | 'own' | 'eval';
  readonly status: RunStatus;
  /** What is trained on what, in a few words: `grpo · textcraft · base`. */
  readonly recipe: string;
  readonly startedAt?: string;
  readonly updatedAt?: string;
  readonly step?: number;
  readonly steps?: number;
  /** The newest evaluation's success, or the highest of the policies that an evaluation tries; training's where there is none. */
  readonly success?: number;
  /**
   * An evaluation's policies on its panels, those that are tried before experts and random play; of a run the first panel's first, best
   * and last evaluation; of a demo its test before and after.
   */
  readonly scores: readonly NamedShare[];
  /** From its start to its last word, pauses before a resume included. */
  readonly seconds?: number;
  /** Episodes played and tokens, as far as its files count them: learned from by a training, sampled by an evaluation. */
  readonly played?: number;
  readonly tokens?: number;
  /** Dollars that endpoints with known prices took. */
  readonly cost?: number;
  /** Why it ended early, as it was written. */
  readonly reason?: string;
  /** The same as data: the page puts it into words. */
  readonly cause?: Cause;
  readonly warnings: readonly Warning[];
  readonly diagnosis: readonly Diagnosed[];
  readonly annotation?: Annotation;
  /** Estimated from the last steps, of a run that is running. */
  readonly secondsLeft?: number;
  /** Last values of the main curve, at most 60 of them, and which metric that is. */
  readonly sparkline: readonly number[];
  readonly curve?: string;
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

export interface RunDetail extends RunSummary {
  /** The resolved recipe as YAML. */
  readonly config: string;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly checkpoints: readonly Checkpoint[];
  readonly best?: BestCheckpoint;
  readonly evaluations: readonly Evaluation[];
  readonly episodes: number;
  readonly episodeSteps: readonly number[];
  readonly proof?: Proof;
}

export interface Checkpoint {
  readonly step: number;
  readonly path: string;
}

/** The checkpoint that its evaluations or its validation loss chose. */
export interface BestCheckpoint {
  readonly step: number;
  readonly score: number;
  readonly by: 'success' | 'loss';
  /** Success before training on the same panels, where it was measured: there is no checkpoint of it, and it may be more. */
  readonly before?: number;
}

/** Metrics as columns over steps; a missing value is null. */
export interface MetricTable {
  readonly steps: readonly number[];
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface Evaluation {
  readonly name: string;
  readonly panel?: string;
  /** The evaluation has not ended: these are the scores so far. */
  readonly running?: boolean;
  readonly rows: readonly EvaluationRow[];
  /** What is known of each policy beside its rows; of evaluations of their own. */
  readonly policies: readonly PolicyFacts[];
  readonly comparisons: readonly EvaluationComparison[];
}

export interface PolicyFacts {
  readonly policy: string;
  /** Over k samples of a task: at least one succeeded, all succeeded. */
  readonly passAt: Readonly<Record<string, number>>;
  readonly passHat: Readonly<Record<string, number>>;
  readonly seeds: readonly number[];
  /** Means of the parts of the reward. */
  readonly parts: Readonly<Record<string, number>>;
  /** Share of replies without a readable action. */
  readonly unreadable: number;
  readonly truncated: Readonly<Record<string, number>>;
}

/** One row per task, one column per policy or step. */
export interface TaskMatrix {
  readonly columns: readonly { readonly policy?: string; readonly step?: number }[];
  readonly rows: readonly { readonly task: string; readonly category: string; readonly cells: readonly (TaskCell | null)[] }[];
  /** Tasks beyond those of the rows. */
  readonly left: number;
}

export interface TaskCell {
  readonly success: number;
  readonly n: number;
  /** Of one episode behind it. */
  readonly place: string;
}

/** What a demo proves: the same tasks before and after, compared in pairs. */
export interface Proof {
  readonly before: NamedShare;
  readonly after: NamedShare;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
  /** A task that was not solved before and is now. */
  readonly example?: { readonly before: EpisodeView; readonly after: EpisodeView };
}

export interface EvaluationRow {
  readonly environment: string;
  /** Of the run that was evaluated on its way. */
  readonly step?: number;
  readonly policy: string;
  readonly category: string;
  readonly n: number;
  readonly success: number;
  readonly successLow: number;
  readonly successHigh: number;
  readonly reward: number;
  readonly rewardLow: number;
  readonly rewardHigh: number;
  readonly turns: number;
  readonly failures: Readonly<Record<string, number>>;
}

export interface EvaluationComparison {
  readonly first: string;
  readonly second: string;
  /** As it was written. */
  readonly sentence: string;
  /** The same as data; not in files of older versions. */
  readonly found?: Found | undefined;
}

/** What a paired comparison found: differences are the second's less the first's. */
export interface Found {
  readonly n: number;
  readonly success: { readonly difference: number; readonly p: number };
  readonly reward: { readonly difference: number; readonly p: number };
  /** Tasks that would show a difference of this size; null where none was seen. */
  readonly needed: number | null;
}

/** One line of the list of episodes. */
export interface EpisodeSummary {
  /** Where it lies in its run: `train-12-3`, `eval-20-0`. */
  readonly place: string;
  readonly purpose: 'train' | 'eval';
  readonly step: number;
  readonly task: string;
  readonly category: string;
  readonly sample: number;
  readonly policy: string;
  readonly outcome: 'success' | 'finished' | 'truncated' | 'failed';
  readonly reward: number | null;
  readonly turns: number;
  readonly tokens: number;
}

export interface EpisodeQuery {
  readonly purpose?: 'train' | 'eval';
  readonly step?: number;
  /** One task, or all of `textcraft/test` or `textcraft`. */
  readonly task?: string;
  readonly category?: string;
  readonly outcome?: EpisodeSummary['outcome'];
  readonly policy?: string;
  readonly minReward?: number;
  readonly maxReward?: number;
  readonly text?: string;
  readonly offset?: number;
  readonly limit?: number;
}

export interface EpisodePage {
  readonly total: number;
  /** True when the search stopped at its bound before it saw everything. */
  readonly partial: boolean;
  readonly rows: readonly EpisodeSummary[];
  readonly categories: readonly string[];
}

/** One episode, ready to be shown. */
export interface EpisodeView extends EpisodeSummary {
  readonly format: string;
  readonly seed: number;
  readonly observation: string;
  /** Before the first action, for a picture. */
  readonly state?: unknown;
  readonly turnsTaken: readonly TurnView[];
  /** With which its environment was opened, as far as the run's recipe says. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly ended: Ended;
  readonly advantage?: number;
  readonly tokensTaken: readonly TokenView[];
}

/** How an episode ended. */
export type Ended =
  | { readonly kind: 'finished'; readonly success: boolean; readonly reward: number }
  | { readonly kind: 'truncated'; readonly limit: TurnLimit; readonly reward: number }
  | { readonly kind: 'failed'; readonly by: FailedBy; readonly code: string; readonly message: string };

export interface TurnView {
  readonly reply: string;
  readonly thought?: string;
  readonly action: string | null;
  readonly problem?: string;
  readonly observation: string;
  readonly reward: number;
  readonly done: boolean;
  readonly state?: unknown;
  /** Parts of the reward, where the environment gives them. */
  readonly breakdown?: Readonly<Record<string, number>>;
}

export interface TokenView {
  readonly text: string;
  /** Drawn by the policy (and so part of the loss) or given to it. */
  readonly learned: boolean;
  readonly logprob?: number;
}

export type { LiveEpisode };
