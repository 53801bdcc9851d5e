/** One play of one task: the page is seen, an action is played, and `stop` asks the evaluators. */
import type { Episode, Step } from '../environment.ts';
import type { Action, ActionError } from './actions/action.ts';
import { parseAction } from './actions/parse.ts';
import { describeAction, type Description } from './actions/print.ts';
import { evaluate } from './evaluators/evaluate.ts';
import type { Judge } from './evaluators/judge.ts';
import type { Player, Sight } from './backend.ts';
import { ShortText } from './observation/short.ts';
import { observationText, type Told } from './prompt.ts';
import { type SiteAddresses, toLocal, toPublic } from './tasks/sites.ts';
import type { WebTask } from './tasks/task.ts';

/** What viewers may draw: the page as text, and what was done last. */
export interface WebArenaState extends Told {
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
  /** The sites are those that ship. */
  readonly own: boolean;
}

export class WebArenaEpisode implements Episode {
  readonly observation: string;
  /** What the agent was told last. */
  told: Told & { readonly text: string };
  state: WebArenaState;
  private ended: Step | undefined;
  private readonly brief: ShortText | undefined;

  private constructor(
    private readonly context: EpisodeContext,
    private sight: Sight,
    private failure = '',
  ) {
    this.brief = context.short ? new ShortText() : undefined;
    this.told = this.tell('None');
    this.observation = this.told.text;
    this.state = this.drawn();
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
  async perform(action: Action, said: Omit<Description, 'nodes'> = {}): Promise<Played> {
    const previous = describeAction(action, { nodes: this.sight.nodes, ...said });
    if (action.kind === 'stop') {
      const { task, player, addresses, judge } = this.context;
      this.told = this.tell(previous);
      const observation = this.brief ? 'Stopped.' : this.told.text;
      const score = await evaluate(task, { answer: action.answer, page: player.page, addresses, judge });
      this.state = { ...this.drawn(), score };
      return { observation, done: true, score, executed: true, failure: '' };
    }
    this.failure = (await this.context.player.act(action)).failure;
    this.sight = await this.context.player.see();
    this.told = this.tell(previous);
    this.state = this.drawn();
    const executed = this.failure === '';
    return { observation: this.told.text, done: false, score: 0, executed, failure: this.failure };
  }

  /** The page as PNG, where the backend paints. */
  async screenshot(): Promise<Uint8Array | undefined> {
    return this.context.player.screenshot?.();
  }

  /** Writes Playwright's trace, where one was asked for and the backend has it. */
  async saveTrace(file: string): Promise<void> {
    await this.context.player.saveTrace?.(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.player[Symbol.asyncDispose]();
  }

  private tell(previous: string): Told & { readonly text: string } {
    const { task, addresses, own } = this.context;
    // Where our own sites stand differs from machine to machine; of others the original tells the real address after a goto.
    const done = own ? toPublic(previous, addresses) : previous;
    const told = { page: this.sight.text, url: toPublic(this.sight.url, addresses), objective: task.intent, previous: done };
    return { ...told, text: this.brief ? this.briefly(this.brief) : observationText(told) };
  }

  /** The objective stands last, as in the whole text: what a small policy has to copy from it is then close at hand. */
  private briefly(brief: ShortText): string {
    const failed = this.failure === '' ? [] : [this.failure];
    return [brief.page(this.sight.text), ...failed, this.context.task.intent].join('\n');
  }

  private drawn(): WebArenaState {
    const { page, url, objective, previous } = this.told;
    return { page, url, objective, previous, failure: this.failure };
  }
}
