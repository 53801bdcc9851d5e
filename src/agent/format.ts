/**
 * A prompt format: what an agent is told about replying, and how a reply is read. One set of formats serves every
 * environment; what is particular to one (its world, its actions, a worked example) comes from its Instructions.
 */
import type { ActionForm, Instructions } from '../envs/environment.ts';
import type { Message } from '../policy/conversation.ts';

export interface PromptFormat {
  /** `react`, `direct`, … as on the command line. */
  readonly name: string;
  /** What goes before the first observation. */
  opening(instructions: Instructions): readonly Message[];
  /** The action in a reply, or the reason there is none, in words for the agent. Never throws, whatever the text. */
  read(reply: string): Read;
  /** A reply that carries this action: what experts and demonstrations say. `read(write(action))` gives the action back. */
  write(action: string, thought?: string): string;
  /** Text that ends a reply early (a model that goes on to invent the observation). */
  readonly stopStrings?: readonly string[];
  /** Offer the actions through the endpoint's own tool channel; replies are then tool calls. */
  readonly tools?: (instructions: Instructions) => readonly ActionForm[];
  /** Everything the format adds to a panel's identity beyond its name (a hash of the user's prompt file). */
  readonly fingerprint?: string;
}

export type Read = { readonly action: string; readonly thought?: string } | { readonly action: null; readonly problem: string };
