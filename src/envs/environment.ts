/**
 * The contract that every environment keeps: a set of tasks and the rules to play one. Deterministic: task and actions
 * decide every byte. The laws that follow from it are checked by `agoge lint` (laws.ts).
 */
import type { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { EnvironmentFacts } from './facts.ts';
import type { Instructions } from './instructions.ts';
import type { Settings } from './settings.ts';
import type { StandIn } from './stand-in.ts';

export type { ActionForm, Instructions } from './instructions.ts';

/** A set of tasks and the rules to play one. */
export interface Environment {
  /** Lower case, as in AgentGym's item ids: `textcraft`. */
  readonly name: string;
  /** Changes whenever an observation or a reward changes; part of every panel's hash. */
  readonly version: string;
  readonly splits: readonly string[];
  /** The tasks of a split; throws ENV_UNKNOWN_SPLIT. */
  tasks(split: string): TaskSet;
  /** Starts a play of a task; throws ENV_UNKNOWN_TASK. In-process environments answer at once, remote ones with a promise. */
  open(task: TaskRef, options?: OpenOptions): Promise<Episode> | Episode;
  /** What an agent is told before the first observation. Prompt formats add how to reply. */
  readonly instructions: Instructions;
  /** The task behind AgentGym's item number (`textcraft_17` is 17), as its servers' reset takes it; throws ENV_UNKNOWN_TASK. */
  taskOfItem?(item: number): TaskRef;
  /** The task of an id that is a name (ALFWorld's games); throws ENV_UNKNOWN_TASK. */
  taskOfName?(itemId: string): TaskRef;
  /** Present where tasks of our own stand in for official ones, whose files were not given. */
  readonly standIn?: StandIn | undefined;
  /** Solves a task through the same actions as any agent; absent for remote environments. */
  expert?(task: TaskRef): Expert;
  /** The solver of an environment on a server, asked over the wire, so that it knows the server's own settings. */
  remoteExpert?(task: TaskRef): RemoteExpert;
  /** A fresh play of a difficulty from 0 to 1 with its solver, for curricula; nothing of it is remembered. */
  practice?(random: Random, difficulty: number): Promise<Practice> | Practice;
  /** Why a task cannot be solved by anybody, where that is known (a slip of the original that is kept); else undefined. */
  impossible?(task: TaskRef): string | undefined;
  /** What babbling earns on average where some tasks are a lucky step from their end; the law of the floor allows it. Default 0.1. */
  readonly luck?: number;
  /** What a task's answer is compared with, for rewards of one's own; absent where there is nothing to tell. */
  truth?(task: TaskRef): Truth;
  /** What it says about itself beside its tasks and rules; absent for those that ship, whose registry entries say it. */
  readonly facts?: EnvironmentFacts;
  /** The same with these settings; absent where it takes none. */
  configured?(settings: Settings): Environment;
  /** Closes what the environment holds as a whole (connections, workers). */
  close?(): Promise<void>;
}

/** What a row of a data set says beside its prompt, in verl's words. */
export interface Truth {
  readonly dataSource: string;
  readonly groundTruth: unknown;
  readonly extraInfo: Readonly<Record<string, unknown>>;
}

/** What a play may be given beside its task. */
export interface OpenOptions {
  readonly signal?: AbortSignal;
}

/** The tasks of a split. */
export interface TaskSet {
  /** Number of tasks; Infinity for a split whose tasks are generated from their index. */
  readonly size: number;
  info(index: number): TaskInfo;
}

/** What is known of a task without opening it. */
export interface TaskInfo {
  /** What results are broken down by (TextCraft: `depth 2`; BabyAI: `GoTo`). */
  readonly category: string;
  /** AgentGym's id of the task (`textcraft_17`). */
  readonly itemId: string;
  /** One line for people: the goal or mission, where it is known without opening the task. */
  readonly title?: string;
}

/** One play of one task, held by exactly one owner and closed by leaving its scope. */
export interface Episode extends AsyncDisposable {
  /** The first observation, as the agent sees it. */
  readonly observation: string;
  /** The messages that the conversation opens with, where a task brings its own (a row of a data set); nothing is added to them. */
  readonly prompt?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }[] | undefined;
  /** Admissible actions now, where the environment knows them. */
  readonly actions?: readonly string[] | undefined;
  /** Asks for them, where that costs a call of its own; only policies that need them do. */
  listActions?(): Promise<readonly string[] | undefined>;
  /** What a viewer can draw of the present state (a grid, a page, an inventory): JSON, never shown to the agent. */
  readonly state?: unknown;
  /** What tells one state from another where `state` also counts steps: JSON; absent: `state` itself. */
  readonly progress?: unknown;
  /** Plays an action. After `done` it answers with the same observation, no reward, and `done`. Never throws for any text. */
  step(action: string): Promise<Step> | Step;
}

/** What one action led to. */
export interface Step {
  readonly observation: string;
  /** What this step earned; an episode's reward is the sum. */
  readonly reward: number;
  readonly done: boolean;
  /** On the step that ends the episode: was the task solved? Where absent, success is a total reward of at least 1. */
  readonly success?: boolean;
  /** Parts of the reward, for results and viewers (WebShop: type, attributes, options, price). */
  readonly breakdown?: Readonly<Record<string, number>>;
}

/**
 * Plays with full knowledge of the task: `next` is given the last observation and returns an action, or null when it gives up.
 * One that `follows` can also advise somebody else: it is told what was `played` since its last advice, where that was another action.
 */
export interface Expert {
  readonly follows?: boolean;
  next(observation: string, played?: string): string | null;
}

/** A play that an expert solves. */
export interface Practice {
  readonly episode: Episode;
  readonly expert: Expert | RemoteExpert;
}

/** An expert that is asked over the wire. */
export interface RemoteExpert {
  next(observation: string): Promise<string | null>;
}
