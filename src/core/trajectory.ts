/**
 * What happened in one episode, as plain data: the conversation as tokens, the turns as text, the outcome.
 * Text from the environment was tokenised once when it was appended; tokens of the policy are kept as sampled. No function
 * leads from a string to a training row.
 */
import type { Outcome } from './outcome.ts';
import type { TaskRef } from './task.ts';

/** Tokens by their numbers in the vocabulary. */
export type TokenIds = readonly number[] | Int32Array;

/** A piece of the conversation with its tokens; of the policy also the log-probabilities it was sampled with. */
export type Segment =
  | { readonly role: 'system' | 'user'; readonly text: string; readonly tokens: TokenIds }
  | {
      readonly role: 'assistant';
      readonly text: string;
      /** As sampled, the end-of-turn token included where the policy emitted it. Empty for policies without tokens. */
      readonly tokens: TokenIds;
      /** Of each token, under the distribution it was drawn from; same length as `tokens`. */
      readonly logprobs: Float32Array;
      readonly policyVersion: number;
      /** Reasoning that an endpoint returned beside the text; never part of the conversation. */
      readonly reasoning?: string;
    };

/** One reply of the agent and what the environment answered. */
export interface Turn {
  /** The reply as text. */
  readonly reply: string;
  /** The action read from it, or null when nothing could be read (then `problem` is what the agent was told). */
  readonly action: string | null;
  readonly problem?: string;
  /** The reply was cut off at the limit of tokens. */
  readonly cut?: true;
  readonly observation: string;
  /** Reward given by this step, not the total. */
  readonly reward: number;
  readonly done: boolean;
  /** What an environment lets viewers draw (a grid, a page, an inventory): JSON, never shown to the agent. */
  readonly state?: unknown;
  /** What tells one state from another, where `state` also counts steps; not kept in records. */
  readonly progress?: unknown;
  /** Parts of the reward, where the environment gives them (WebShop: type, attributes, options, price). */
  readonly breakdown?: Readonly<Record<string, number>>;
}

/** One episode: its task, conversation, turns and outcome. */
export interface Trajectory {
  readonly task: TaskRef;
  /** Category of the task as its environment reports it (TextCraft: depth; BabyAI: GoTo …). */
  readonly category: string;
  /** Which of the samples of this task, from 0. */
  readonly sample: number;
  /** Seed of this episode's sampling; a replay with the same seed and policy gives the same tokens. */
  readonly seed: number;
  /** Identity of the policy, as named on the command line. */
  readonly policy: string;
  /** Prompt format (`react`, `direct`, …). */
  readonly format: string;
  readonly segments: readonly Segment[];
  readonly observation: string;
  /** What an environment lets viewers draw before the first action; as in a turn. */
  readonly state?: unknown;
  readonly progress?: unknown;
  readonly turns: readonly Turn[];
  readonly outcome: Outcome;
  /** Wall time in milliseconds, in all and waiting for the policy and the environment. */
  readonly time: { readonly total: number; readonly policy: number; readonly environment: number };
  /** How many earlier tries failed before this one. */
  readonly retries: number;
}
