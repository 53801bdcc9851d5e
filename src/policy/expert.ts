/**
 * The environment's own solver as a policy, through the same conversation as any agent: the ceiling of an evaluation, the
 * teacher of demonstrations. A remote environment is solved by the built-in one of the same name.
 */
import { AgogeError } from '../core/error.ts';
import { formatTask } from '../core/task.ts';
import type { Environment, Expert } from '../envs/environment.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from './policy.ts';
import type { Renderer } from './renderer.ts';
import { writtenReply } from './words.ts';

export interface ExpertOptions {
  /** Where given, replies carry tokens and become training rows. */
  readonly renderer?: Renderer;
  /** Finds the solver of an environment that has none itself (a remote one). */
  readonly local?: (name: string) => Promise<Environment>;
}

export class ExpertPolicy implements Policy {
  readonly id = 'expert';
  readonly renderer: Renderer | undefined;
  private readonly local: ExpertOptions['local'];
  private readonly experts = new WeakMap<Conversation, Expert>();
  private readonly environments = new Map<string, Promise<Environment>>();

  constructor(options: ExpertOptions = {}) {
    this.renderer = options.renderer;
    this.local = options.local;
  }

  async reply(conversation: Conversation, _limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    if (!situation) throw new AgogeError('POLICY_EXPERT', 'an expert needs an environment to look at: use it in episodes');
    const expert = this.experts.get(conversation) ?? (await this.expertFor(situation));
    this.experts.set(conversation, expert);
    const action = expert.next(situation.observation);
    if (action === null) {
      throw new AgogeError('POLICY_EXPERT_GAVE_UP', `the expert gave up on ${formatTask(situation.task)}: report this task`);
    }
    return writtenReply(conversation, situation.write(action));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opening of this.environments.values()) await (await opening).close?.();
  }

  private async expertFor({ environment, task }: Situation): Promise<Expert> {
    const own = environment.expert?.(task);
    if (own) return own;
    const name = environment.name;
    let opening = this.environments.get(name);
    if (!opening && this.local) {
      opening = this.local(name);
      this.environments.set(name, opening);
    }
    const expert = (await opening)?.expert?.(task);
    if (!expert) throw new AgogeError('POLICY_EXPERT', `${name} has no expert: choose another policy`);
    return expert;
  }
}
