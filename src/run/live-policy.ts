/** A policy that shows one of its episodes to whoever looks, as it is being played; to everybody else it is the policy that it wraps. */
import { formatTask } from '../core/task.ts';
import type { Conversation } from '../policy/conversation.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import type { Policy, PolicyUsage, Reply, ReplyLimits, Situation } from '../policy/policy.ts';
import { endLive, isLiveWanted, writeLive } from './live.ts';

/** Milliseconds between two looks whether somebody watches, and between two words to them. */
const looks = 1000;
const words = 250;
/** An episode that has said nothing for so long is over, and the next one is shown. */
const over = 1500;
/** Of a conversation, the newest messages. */
const mostSaid = 8;

export class LivePolicy<P extends Policy = Policy> implements Policy {
  readonly id: string;
  readonly renderer: P['renderer'];
  readonly context: P['context'];
  readonly concurrency: number | undefined;
  readonly identity: Policy['identity'];
  /** Counted by those that count. */
  readonly usage?: () => PolicyUsage;
  private wanted = false;
  private looked = -Infinity;
  private shown: Conversation | undefined;
  private number = 0;
  private heard = -Infinity;
  private wrote = -Infinity;
  private writing: Promise<void> = Promise.resolve();

  /** `folder`: of the run or the evaluation. */
  constructor(
    private readonly policy: P,
    private readonly folder: string,
  ) {
    this.id = policy.id;
    this.renderer = policy.renderer;
    this.context = policy.context;
    this.concurrency = policy.concurrency;
    this.identity = policy.identity;
    if (policy.usage) this.usage = () => (policy.usage as () => PolicyUsage).call(policy);
  }

  async reply(conversation: Conversation, limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    const { policy } = this;
    if (!this.isShown(conversation)) return policy.reply(conversation, limits, situation);
    const tokens: string[] = [];
    const task = situation && formatTask(situation.task);
    const show = (whole: boolean): void => this.show(conversation, task, tokens, whole);
    const onToken = (token: number): void => {
      if (policy instanceof EnginePolicy) tokens.push(policy.engine.model.tokenizer.decode([token]));
      show(false);
    };
    show(false);
    const reply = await policy.reply(conversation, { ...limits, onToken }, situation);
    // Who has no tokens says all at once.
    if (tokens.length === 0) tokens.push(reply.segment.text);
    show(true);
    return reply;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.policy[Symbol.asyncDispose]();
  }

  /** Nobody is shown anything any more. */
  async endLive(): Promise<void> {
    this.looked = Infinity;
    this.wanted = false;
    await this.writing;
    await endLive(this.folder).catch(() => undefined);
  }

  /** One episode at a time, to its end. */
  private isShown(conversation: Conversation): boolean {
    const now = performance.now();
    if (now - this.looked > looks) {
      this.looked = now;
      isLiveWanted(this.folder).then(
        (wanted) => (this.wanted = wanted && this.looked !== Infinity),
        () => undefined,
      );
    }
    if (!this.wanted) return false;
    if (this.shown === conversation) return true;
    if (now - this.heard < over) return false;
    this.shown = conversation;
    this.number++;
    return true;
  }

  private show(conversation: Conversation, task: string | undefined, reply: readonly string[], whole: boolean): void {
    const now = performance.now();
    this.heard = now;
    if (!whole && now - this.wrote < words) return;
    this.wrote = now;
    const said = conversation.segments.slice(-mostSaid).map(({ role, text }) => ({ role, text }));
    const episode = { number: this.number, said, reply: [...reply], whole, ...(task !== undefined && { task }) };
    // What cannot be shown must not stop the run.
    this.writing = this.writing.then(() => writeLive(this.folder, episode)).catch(() => undefined);
  }
}
