/** One play of one task: the page is seen, an action is played, and `stop` asks the evaluators. */
import type { Episode, Step } from '../environment.ts';
import type { Action, ActionError } from './actions/action.ts';
import { parseAction } from './actions/parse.ts';
import { describeAction } from './actions/print.ts';
import { evaluate } from './evaluators/evaluate.ts';
import type { Judge } from './evaluators/judge.ts';
import type { Player, Sight } from './lane.ts';
import { ShortText } from './observation/short.ts';
import { observationText } from './prompt.ts';
import { type SiteAddresses, toLocal, toPublic } from './tasks/sites.ts';
import type { WebTask } from './tasks/task.ts';

/** What viewers may draw: the page as text, and what was done last. */
export interface WebArenaState {
  readonly objective: string;
  readonly url: string;
  readonly page: string;
  readonly previous: string;
  /** Why the last action had no effect; empty where it had. */
  readonly failure: string;
  readonly score?: number;
}

/** What came of a reply, with what AgentGym's server says of it. */
export interface Played {
  readonly observation: string;
  readonly done: boolean;
  /** The evaluators' score at the end, else 0. */
  readonly score: number;
  /** Was the action carried out? */
  readonly executed: boolean;
  /** Why not. */
  readonly failure: string;
  /** The text was no action at all, and nothing was played. */
  readonly error?: ActionError;
}

export interface EpisodeContext {
  readonly task: WebTask;
  readonly player: Player;
  readonly addresses: SiteAddresses;
  readonly judge: Judge | undefined;
  /** Pages are told in short, for small policies. */
  readonly short?: boolean | undefined;
}

export class WebArenaEpisode implements Episode {
  readonly observation: string;
  state: WebArenaState;
  private ended: Step | undefined;
  private readonly brief: ShortText | undefined;

  private constructor(
    private readonly context: EpisodeContext,
    private sight: Sight,
    private failure = '',
  ) {
    this.brief = context.short ? new ShortText() : undefined;
    this.observation = this.told('None');
    this.state = this.drawn('None');
  }

  /** Looks at the first page. The player is closed with the episode, also where there never is one. */
  static async begin(context: EpisodeContext): Promise<WebArenaEpisode> {
    try {
      return new WebArenaEpisode(context, await context.player.see());
    } catch (thrown) {
      await context.player[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** The page as it was last seen, without the prompt's frame. */
  get seen(): Sight {
    return this.sight;
  }

  get task(): WebTask {
    return this.context.task;
  }

  async step(text: string): Promise<Step> {
    if (this.ended) return this.ended;
    const { observation, done, score } = await this.play(text);
    if (!done) return { observation, reward: 0, done };
    this.ended = { observation, reward: 0, done, success: score === 1 };
    return { ...this.ended, reward: score };
  }

  /** Plays what an agent wrote. Public names of the sites in it lead to where the sites are. */
  async play(text: string): Promise<Played> {
    const parsed = parseAction(toLocal(text, this.context.addresses));
    if ('action' in parsed) return this.perform(parsed.action);
    const { error } = parsed;
    return { observation: error.message, done: false, score: 0, executed: false, failure: error.message, error };
  }

  /** Plays an action. Throws where the harness breaks: a browser that is gone, a judge that is missing. */
  async perform(action: Action, reply?: { readonly text: string; readonly splitter: string }): Promise<Played> {
    const previous = describeAction(action, { nodes: this.sight.nodes, reply: reply?.text ?? '', splitter: reply?.splitter });
    if (action.kind === 'stop') {
      const { task, player, addresses, judge } = this.context;
      const observation = this.brief ? 'Stopped.' : this.told(previous);
      const score = await evaluate(task, { answer: action.answer, page: player.page, addresses, judge });
      this.state = { ...this.drawn(previous), score };
      return { observation, done: true, score, executed: true, failure: '' };
    }
    this.failure = (await this.context.player.act(action)).failure;
    this.sight = await this.context.player.see();
    this.state = this.drawn(previous);
    const executed = this.failure === '';
    return { observation: this.told(previous), done: false, score: 0, executed, failure: this.failure };
  }

  /** The page as PNG, where the lane paints. */
  async screenshot(): Promise<Uint8Array | undefined> {
    return this.context.player.screenshot?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.player[Symbol.asyncDispose]();
  }

  private told(previous: string): string {
    if (this.brief) {
      const page = this.brief.page(this.sight.text);
      const failed = this.failure === '' ? '' : `\n${this.failure}`;
      return previous === 'None' ? `${this.context.task.intent}\n${page}` : `${page}${failed}`;
    }
    // Addresses as the agent knows them: where a site really stands would differ from machine to machine.
    const told = toPublic(previous, this.context.addresses);
    return observationText({ page: this.sight.text, url: this.url, objective: this.context.task.intent, previous: told });
  }

  private drawn(previous: string): WebArenaState {
    return { objective: this.context.task.intent, url: this.url, page: this.sight.text, previous, failure: this.failure };
  }

  private get url(): string {
    return toPublic(this.sight.url, this.context.addresses);
  }
}
