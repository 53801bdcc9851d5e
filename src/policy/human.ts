/** A person as a policy. How the question reaches them (a terminal, a page) is given; here is only its place in the loop. */
import { AgogeError } from '../core/error.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from './policy.ts';
import { writtenReply } from './words.ts';

export type Ask = (
  question: { readonly observation: string; readonly turn: number; readonly actions?: readonly string[] | undefined },
  signal: AbortSignal,
) => Promise<string>;

export class HumanPolicy implements Policy {
  readonly id = 'human';
  /** People answer one question at a time. */
  readonly concurrency = 1;

  constructor(private readonly ask: Ask) {}

  async reply(conversation: Conversation, { signal }: ReplyLimits, situation?: Situation): Promise<Reply> {
    if (!situation) throw new AgogeError('POLICY_HUMAN', 'a person needs an environment to look at: use it in episodes');
    const { observation, turn, actions } = situation;
    const answer = await this.ask({ observation, turn, actions }, signal);
    return writtenReply(conversation, situation.write(answer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
