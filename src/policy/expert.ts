/**
 * The environment's own solver as a policy, through the same conversation as any agent: the ceiling of an evaluation, the
 * teacher of demonstrations. An environment on a server is solved by the server's own expert, or by ours of the same name.
 */
import { AgogeError } from '../core/error.ts';
import { formatTask } from '../core/task.ts';
import type { Expert, RemoteExpert } from '../envs/environment.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from './policy.ts';
import type { Renderer } from './renderer.ts';
import { writtenReply } from './words.ts';

export interface ExpertOptions {
  /** Where given, replies carry tokens and become training rows. */
  readonly renderer?: Renderer;
}

export class ExpertPolicy implements Policy {
  readonly id = 'expert';
  readonly renderer: Renderer | undefined;
  private readonly experts = new WeakMap<Conversation, Expert | RemoteExpert>();

  constructor(options: ExpertOptions = {}) {
    this.renderer = options.renderer;
  }

  async reply(conversation: Conversation, _limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    if (!situation) throw new AgogeError('POLICY_EXPERT', 'an expert needs an environment to look at: use it in episodes');
    const expert = this.experts.get(conversation) ?? expertFor(situation);
    this.experts.set(conversation, expert);
    const action = await expert.next(situation.observation);
    if (action === null) {
      throw new AgogeError('POLICY_EXPERT_GAVE_UP', `the expert gave up on ${formatTask(situation.task)}: report this task`);
    }
    return writtenReply(conversation, situation.write(action));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function expertFor({ environment, task }: Situation): Expert | RemoteExpert {
  const expert = environment.expert?.(task) ?? environment.remoteExpert?.(task);
  if (!expert) throw new AgogeError('POLICY_EXPERT', `${environment.name} has no expert: choose another policy`);
  return expert;
}
