/** One play of one task: in the page where the environment runs there, else by the server; and how it is kept as a demonstration. */
import { formatTask, type TaskRef } from '../../src/core/task.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';
import type { PlayedOut } from '../../src/dashboard/model.ts';

export type PlayedTurn = PlayedOut['turns'][number];

/** Plays a task from its start with these actions, on the server. */
export type PlayOut = (task: string, actions: readonly string[]) => Promise<PlayedOut>;

/** What the page has to know of an environment. */
export type World = Pick<Environment, 'name' | 'splits' | 'instructions'>;

export abstract class Play {
  abstract readonly turns: readonly PlayedTurn[];
  abstract readonly observation: string;
  abstract readonly actions: readonly string[];
  abstract readonly state: unknown;
  abstract readonly success: boolean;
  protected abstract readonly itemId: string;

  protected constructor(protected readonly task: TaskRef) {}

  abstract step(action: string): Promise<void>;

  get reward(): number {
    return this.turns.reduce((sum, { reward }) => sum + reward, 0);
  }

  get done(): boolean {
    return this.turns.at(-1)?.done === true;
  }

  demonstration(): unknown {
    const { itemId, observation, turns, reward, success } = this;
    return { task: formatTask(this.task), itemId, observation, turns, reward, success };
  }
}

/** In the page itself. */
export class OwnPlay extends Play {
  readonly turns: PlayedTurn[] = [];
  readonly observation: string;
  success = false;

  private constructor(
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
    const play = new OwnPlay(await environment.open(task), task, itemId);
    for (const action of actions) await play.step(action);
    return play;
  }

  get actions(): readonly string[] {
    return this.episode.actions ?? [];
  }

  get state(): unknown {
    return this.episode.state;
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

  async step(action: string): Promise<void> {
    if (this.done) return;
    this.played = await this.ask(formatTask(this.task), [...this.turns.map((turn) => turn.action), action]);
  }
}
