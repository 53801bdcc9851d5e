/**
 * A prompt format: what an agent is told about replying, and how a reply is read. One set of formats serves every
 * environment; what is particular to one (its world, its actions, a worked example) comes from its Instructions.
 */
import type { Read } from '../envs/agentgym/reading.ts';
import type { ActionForm, Instructions } from '../envs/environment.ts';
import type { Message } from '../policy/conversation.ts';

export type { Read } from '../envs/agentgym/reading.ts';

/** How an agent is prompted and its replies are read. */
export interface PromptFormat {
  /** `react`, `direct`, … as on the command line. */
  readonly name: string;
  /** What goes before the first observation. */
  opening(instructions: Instructions): readonly Message[];
  /** The action in a reply, or the reason there is none, in words for the agent. Never throws, whatever the text. */
  read(reply: string, instructions: Instructions): Read;
  /** A reply that carries this action: what experts and demonstrations say. `read(write(action))` gives the action back. */
  write(action: string, thought: string | undefined, instructions: Instructions): string;
  /** Text that ends a reply early (a model that goes on to invent the observation). */
  readonly stopStrings?: readonly string[];
  /** Offer the actions through the endpoint's own tool channel; replies are then tool calls. */
  readonly tools?: boolean;
  /** Everything the format adds to a panel's identity beyond its name (few-shot, a hash of the user's prompt file). */
  readonly fingerprint?: string;
}

/** How the actions look, one per line; for instructions in words. */
export function actionLines(forms: readonly ActionForm[]): string {
  return forms.map(({ template, description }) => `- ${template.replace(/\{(\w+)\}/g, '<$1>')}: ${description}`).join('\n');
}

/** A reply without the model's private thinking. A block that never ends swallows the rest. */
export function withoutThinking(reply: string): string {
  return reply.replace(/<think>[\s\S]*?(<\/think>|$)/g, '').replace(/^[\s\S]*<\/think>/, '');
}
