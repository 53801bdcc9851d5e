/**
 * Chance: a uniformly drawn admissible action where the environment lists them, else a random action form filled with
 * words of the observation. The floor of an evaluation. Decided by the seed alone.
 */
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from './policy.ts';
import { writtenReply } from './words.ts';

export class RandomPolicy implements Policy {
  readonly id = 'random';

  async reply(conversation: Conversation, { seed }: ReplyLimits, situation?: Situation): Promise<Reply> {
    if (!situation) throw new AgogeError('POLICY_RANDOM', 'random play needs an environment to look at: use it in episodes');
    const random = Random.of(seed, 'random policy');
    const actions = situation.actions ?? (await situation.listActions?.());
    const action = actions && actions.length > 0 ? random.pick(actions) : invent(situation, conversation, random);
    return writtenReply(conversation, situation.write(action));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function invent({ environment }: Situation, conversation: Conversation, random: Random): string {
  const forms = environment.instructions.actions;
  if (forms.length === 0) return 'look';
  const seen = conversation.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const words = seen.join(' ').match(/[\p{L}\p{N}]+/gu) ?? ['1'];
  return random.pick(forms).template.replace(/\{\w+\}/g, () => {
    const start = random.below(words.length);
    return words.slice(start, start + random.between(1, 2)).join(' ');
  });
}
