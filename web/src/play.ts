/** One play of one task in the page: the episode, what was done so far, and how it is kept as a demonstration. */
import { formatTask, type TaskRef } from '../../src/core/task.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';

export interface PlayedTurn {
  readonly action: string;
  readonly observation: string;
  readonly reward: number;
  readonly done: boolean;
  readonly breakdown?: Readonly<Record<string, number>>;
}

export class Play {
  readonly turns: PlayedTurn[] = [];
  readonly observation: string;
  reward = 0;
  done = false;
  success = false;

  private constructor(
    private readonly episode: Episode,
    private readonly task: TaskRef,
    private readonly itemId: string,
  ) {
    this.observation = episode.observation;
  }

  /** Opens a task and plays the given actions first. */
  static async start(environment: Environment, task: TaskRef, actions: readonly string[]): Promise<Play> {
    const { itemId } = environment.tasks(task.split).info(task.index);
    const play = new Play(await environment.open(task), task, itemId);
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
    this.reward += reward;
    this.done = done;
    if (step.done) this.success = step.success ?? this.reward >= 1;
  }

  demonstration(): unknown {
    const { itemId, observation, turns, reward, success } = this;
    return { task: formatTask(this.task), itemId, observation, turns, reward, success };
  }
}
