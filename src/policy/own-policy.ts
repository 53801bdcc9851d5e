/**
 * A policy of the user's own: a program that plays, or whoever else can answer. Named wherever a policy is: `--policy ./mine.ts`.
 * Either one function from what is seen to an action, or the whole contract, opened once.
 */
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { importOwn } from '../user-modules/load-file.ts';
import type { ConversationMessage } from './conversation.ts';
import type { Policy, Situation } from './policy.ts';
import { writtenReply } from './words.ts';

/** What a function that plays may look at. */
export interface Seen extends Pick<Situation, 'environment' | 'task' | 'observation' | 'actions' | 'turn'> {
  /** Everything said so far: instructions, observations, replies. */
  readonly messages: readonly ConversationMessage[];
  /** The same for the same seed: the only chance a policy should use. */
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** What `definePolicy` takes: a name, and what it replies. */
export type PolicyDefinition =
  | {
      readonly name: string;
      /** The action, which is written in the episode's format; or the reply as it shall stand. */
      act(seen: Seen): Action | Promise<Action>;
    }
  /** `id` is what the policy is called where it was named. */
  | { readonly name: string; open(id: string): Policy | Promise<Policy> };

export type Action = string | { readonly reply: string };

/**
 * A policy for `agoge eval --policy ./first.ts`.
 *
 * @example
 * export default definePolicy({
 *   name: 'first',
 *   act: ({ actions }) => actions?.[0] ?? 'look',
 * });
 */
export function definePolicy(definition: PolicyDefinition): PolicyDefinition {
  return definition;
}

/** A definition as episodes use it. */
export async function policyOf(definition: PolicyDefinition, id = definition.name): Promise<Policy> {
  if ('open' in definition) return definition.open(id);
  return {
    id,
    async reply(conversation, { seed, signal }, situation) {
      if (!situation) throw new AgogeError('POLICY_OWN', `${id} needs an environment to look at: use it in episodes`);
      const listed = situation.actions ?? (await situation.listActions?.());
      const { environment, task, observation, turn } = situation;
      const random = Random.of(seed, 'own policy');
      const seen = { environment, task, observation, turn, actions: listed, messages: conversation.messages, random, signal };
      // What somebody's JavaScript gives may be anything.
      const said: unknown = await definition.act(seen);
      if (typeof said === 'string') return writtenReply(conversation, situation.write(said));
      const reply = typeof said === 'object' && said !== null && 'reply' in said ? said.reply : undefined;
      if (typeof reply === 'string') return writtenReply(conversation, reply);
      throw new AgogeError('POLICY_OWN', `${id} gave a ${typeof said} for turn ${turn}: return the action as text, or { reply }`);
    },
    async [Symbol.asyncDispose]() {
      return Promise.resolve();
    },
  };
}

export async function loadPolicy(spec: string): Promise<Policy> {
  const { default: found } = await importOwn(spec, { area: 'POLICY', what: 'a policy' });
  if (isPolicy(found)) return policyOf(found, spec);
  throw new AgogeError('POLICY_BAD_FILE', `${spec} exports no policy: export one as default, made by definePolicy`);
}

function isPolicy(found: unknown): found is PolicyDefinition {
  if (typeof found !== 'object' || found === null || !('name' in found)) return false;
  return ['act', 'open'].some((method) => typeof Reflect.get(found, method) === 'function');
}
