/** Plays one task after the other, as long as it is asked for steps: what the memory law watches. */
import type { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode } from '../envs/environment.ts';
import { anyAction } from './generate.ts';
import { expertOf } from './play.ts';

/** Steps of an episode that does not end by itself. */
const longest = 30;

interface Open {
  readonly episode: Episode;
  readonly expert: ReturnType<typeof expertOf>;
  observation: string;
  steps: number;
}

export class EndlessPlay implements AsyncDisposable {
  steps = 0;
  private open: Open | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly random: Random,
    private readonly tasks: readonly TaskRef[],
  ) {}

  async step(): Promise<void> {
    const { environment, random } = this;
    const open = (this.open ??= await this.next());
    const { episode, expert } = open;
    const wise = random.below(4) > 0 ? await expert?.next(open.observation) : null;
    const action = wise ?? anyAction(random, environment, open.observation, episode);
    const { observation, done } = await episode.step(action.slice(0, 2000));
    open.observation = observation;
    this.steps++;
    if (done || ++open.steps === longest) await this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async next(): Promise<Open> {
    const task = this.random.pick(this.tasks);
    const episode = await this.environment.open(task);
    return { episode, expert: expertOf(this.environment, task), observation: episode.observation, steps: 0 };
  }

  private async close(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    await open?.episode[Symbol.asyncDispose]();
  }
}
