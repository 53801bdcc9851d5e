/**
 * Teacher forcing: says again what was said in recorded episodes, task by task and sample by sample. Replies go through
 * the same format and environment, so a replay shows whether both still behave as they did.
 */
import { AgogeError } from '../core/error.ts';
import { formatTask } from '../core/task.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from './policy.ts';
import type { Renderer } from './renderer.ts';
import { writtenReply } from './words.ts';

/** Replies of one recorded episode, by the name of its task. */
export interface Recording {
  readonly task: string;
  readonly replies: readonly string[];
}

export class ReplayPolicy implements Policy {
  private readonly waiting = new Map<string, (readonly string[])[]>();
  private readonly playing = new WeakMap<Conversation, readonly string[]>();
  private readonly given = new Map<string, number>();

  constructor(
    readonly id: string,
    recordings: readonly Recording[],
    readonly renderer?: Renderer,
  ) {
    for (const { task, replies } of recordings) this.waiting.set(task, [...(this.waiting.get(task) ?? []), replies]);
  }

  async reply(conversation: Conversation, _limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    if (!situation) throw new AgogeError('POLICY_REPLAY', 'a replay needs to know the task: use it in episodes');
    const replies = this.playing.get(conversation) ?? this.next(situation);
    this.playing.set(conversation, replies);
    const text = replies[situation.turn];
    if (text === undefined) {
      throw new AgogeError(
        'POLICY_REPLAY_ENDED',
        `the recording of ${formatTask(situation.task)} ended after ${replies.length} replies and the task did not: check the environment's version and settings`,
      );
    }
    return Promise.resolve(writtenReply(conversation, text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  /** Recordings of a task are dealt in turn; a retry of an episode may get the next one, and then the first again. */
  private next({ task }: Situation): readonly string[] {
    const name = formatTask(task);
    const recordings = this.waiting.get(name);
    if (!recordings)
      throw new AgogeError('POLICY_REPLAY', `there is no recording of ${name} to replay: choose its tasks with --tasks`);
    const turn = this.given.get(name) ?? 0;
    this.given.set(name, turn + 1);
    return recordings[turn % recordings.length] ?? [];
  }
}
