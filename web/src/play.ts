/** One play of one task: in the page where the environment runs there, else by the server; and how it is kept as a demonstration. */
import { formatTask, type TaskRef } from '../../src/core/task.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';
import { hintFor, type Hint } from '../../src/envs/hint.ts';
import type { PlayedOut } from '../../src/dashboard/play-model.ts';

export type PlayedTurn = PlayedOut['turns'][number];

/** Plays a task from its start with these actions, on the server. */
export type PlayOut = (task: string, actions: readonly string[], hint?: boolean) => Promise<PlayedOut>;

/** What the page has to know of an environment. */
export type World = Pick<Environment, 'name' | 'splits' | 'instructions'>;

export abstract class Play {
  abstract readonly turns: readonly PlayedTurn[];
  abstract readonly observation: string;
  abstract readonly actions: readonly string[];
  abstract readonly state: unknown;
  abstract readonly success: boolean;
  protected abstract readonly itemId: string;

  protected constructor(readonly task: TaskRef) {}

  /** Numbers of the turns that the expert chose. */
  private readonly byExpert = new Set<number>();

  abstract step(action: string): Promise<void>;
  /** What the expert would do now. */
  abstract hint(): Promise<Hint>;

  /** Lets the expert play one action; gives why it does not, where it has none. */
  async expertStep(): Promise<Hint> {
    const hint = await this.hint();
    if (!('action' in hint)) return hint;
    this.byExpert.add(this.turns.length);
    await this.step(hint.action);
    return hint;
  }

  get reward(): number {
    return this.turns.reduce((sum, { reward }) => sum + reward, 0);
  }

  get done(): boolean {
    return this.turns.at(-1)?.done === true;
  }

  demonstration(): unknown {
    const { itemId, observation, turns, reward, success } = this;
    const own = turns.length - this.byExpert.size;
    const policy = this.byExpert.size === 0 ? 'human' : own === 0 ? 'expert' : 'human and expert';
    return { task: formatTask(this.task), itemId, observation, turns, reward, success, policy };
  }
}

/** In the page itself. */
export class OwnPlay extends Play {
  readonly turns: PlayedTurn[] = [];
  readonly observation: string;
  success = false;

  private constructor(
    private readonly environment: Environment,
    private readonly episode: Episode,
    task: TaskRef,
    protected readonly itemId: string,
  ) {
    super(task);
    this.observation = episode.observation;
  }

  /** Opens a task and plays the given actions first. */
  static async start(environment: Environment, task: TaskRef, actions: readonly string[]): Promise<OwnPlay> {
    const { itemId } = environment.tasks(task.split).info(task.index);
    const play = new OwnPlay(environment, await environment.open(task), task, itemId);
    for (const action of actions) await play.step(action);
    return play;
  }

  get actions(): readonly string[] {
    return this.episode.actions ?? [];
  }

  get state(): unknown {
    return this.episode.state;
  }

  async hint(): Promise<Hint> {
    return hintFor(this.environment, this.task, this.observation, this.turns);
  }

  async step(action: string): Promise<void> {
    if (this.done) return;
    const step = await this.episode.step(action);
    const { observation, reward, done, breakdown } = step;
    this.turns.push({ action, observation, reward, done, ...(breakdown && { breakdown }) });
    if (done) this.success = step.success ?? this.reward >= 1;
  }
}

/** By the server, which plays all of it again for every action. */
export class ServedPlay extends Play {
  private constructor(
    private readonly ask: PlayOut,
    task: TaskRef,
    private played: PlayedOut,
  ) {
    super(task);
  }

  static async start(ask: PlayOut, task: TaskRef, actions: readonly string[]): Promise<{ world: World; play: ServedPlay }> {
    const played = await ask(formatTask(task), actions);
    const { splits, instructions } = played;
    return { world: { name: task.env, splits, instructions }, play: new ServedPlay(ask, task, played) };
  }

  get turns(): readonly PlayedTurn[] {
    return this.played.turns;
  }

  get observation(): string {
    return this.played.observation;
  }

  get actions(): readonly string[] {
    return this.played.actions;
  }

  get state(): unknown {
    return this.played.state;
  }

  get success(): boolean {
    return this.played.success;
  }

  protected get itemId(): string {
    return this.played.itemId;
  }

  async hint(): Promise<Hint> {
    const actions = this.turns.map((turn) => turn.action);
    return (await this.ask(formatTask(this.task), actions, true)).hint ?? { none: 'no-expert' };
  }

  async step(action: string): Promise<void> {
    if (this.done) return;
    this.played = await this.ask(formatTask(this.task), [...this.turns.map((turn) => turn.action), action]);
  }
}
