/**
 * What a prompt format is: a name, what the agent is told, how a reply is read, how an expert's action is written. Those that ship
 * and those of users are made the same way; what all share (worked examples, environments that take replies as they are) is here.
 */
import type { Instructions } from '../../envs/environment.ts';
import type { Message } from '../../policy/conversation.ts';
import type { PromptFormat, Read } from '../format.ts';
import { exampleText } from './example.ts';

/** What `defineFormat` takes: what the agent is told, how a reply is read, how an action is written. */
export interface FormatDefinition {
  /** As recipes and the command line write it. */
  readonly name: string;
  /** What goes before the first observation: the system message, or all messages. */
  opening(instructions: Instructions): string | readonly Message[];
  /** The action in a reply, or the reason there is none, in words for the agent. Never throws, whatever the text. */
  read(reply: string, instructions: Instructions): Read;
  /** A reply that carries this action: what experts say. `read(write(action))` gives the action back. */
  write(action: string, thought: string | undefined, instructions: Instructions): string;
  /** Where nothing else is said, the environment's worked example is part of the prompt, if it has one. */
  readonly fewShot?: boolean;
  /** Text that ends a reply early. */
  readonly stopStrings?: readonly string[];
  /** Offer the actions through the endpoint's own tool channel; there are no examples then. */
  readonly tools?: boolean;
}

/** What a format may be asked for. */
export interface FormatOptions {
  /** Put the environment's worked example into the prompt. */
  readonly fewShot?: boolean;
}

/**
 * A format for recipes and the command line: `agent: { format: ./shout.ts }`, `--format ./shout.ts`.
 *
 * @example
 * export default defineFormat({
 *   name: 'shout',
 *   opening: ({ task }) => `${task}\n\nReply with "DO:" and the action.`,
 *   read: (reply) => {
 *     const action = /DO: (.+)/.exec(reply)?.[1];
 *     return action === undefined ? { action: null, problem: 'Say "DO:" and the action.' } : { action };
 *   },
 *   write: (action) => `DO: ${action}`,
 * });
 */
export function defineFormat(definition: FormatDefinition): FormatDefinition {
  return definition;
}

/** A definition as episodes use it. */
export function formatOf(
  definition: FormatDefinition,
  { fewShot = definition.fewShot ?? false }: FormatOptions = {},
): PromptFormat {
  const { name, stopStrings, tools } = definition;
  const usual = definition.fewShot === true;
  const shows = fewShot && tools !== true;
  return {
    name,
    ...(stopStrings ? { stopStrings } : {}),
    ...(tools === undefined ? {} : { tools }),
    ...(shows || usual ? { fingerprint: shows ? 'few-shot' : 'zero-shot' } : {}),
    opening(instructions) {
      if (instructions.verbatim === true) return [];
      const told = definition.opening(instructions);
      const messages: readonly Message[] = typeof told === 'string' ? [{ role: 'system', text: told }] : told;
      if (!shows || (usual && !instructions.example)) return messages;
      const example = exampleText(instructions, (action, thought) => definition.write(action, thought, instructions));
      const [first, ...rest] = messages;
      return first ? [{ ...first, text: `${first.text}\n\n${example}` }, ...rest] : [{ role: 'system', text: example }];
    },
    read: (reply, instructions) => (instructions.verbatim === true ? { action: reply } : definition.read(reply, instructions)),
    write: (action, thought, instructions) =>
      instructions.verbatim === true ? action : definition.write(action, thought, instructions),
  };
}
