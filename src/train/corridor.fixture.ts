/**
 * A small environment with a known optimum: a corridor of rooms with a lamp at one end. The room says which way is right by its
 * colour; each right step goes on, a wrong one stays. Reaching the lamp within the turns is worth 1, which an optimal
 * policy always gets. Can break and dawdle on request, for tests of what a trainer does then.
 */
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode, Expert, Step } from '../envs/environment.ts';

export const corridorWords = ['room', 'red', 'blue', 'lamp', 'left', 'right'];
const ways = ['left', 'right'] as const;
const colours = ['red', 'blue'] as const;

export interface CorridorOptions {
  readonly length?: number;
  /** Milliseconds that a step takes. */
  readonly latency?: number;
  /** Called before each step: may throw, or wait, as a broken server does. */
  readonly trouble?: (task: TaskRef, action: string) => void | Promise<void>;
}

export function corridor(options: CorridorOptions = {}): Environment {
  return {
    name: 'corridor',
    version: '1',
    splits: ['train', 'validation', 'test'],
    instructions: { task: 'Reach the lamp.', actions: [] },
    tasks: (split) => ({
      size: 8,
      info: (index) => ({
        category: `start ${index % 2}`,
        itemId: split === 'train' ? `corridor_${index}` : `corridor-${split}_${index}`,
      }),
    }),
    open: (task) => new CorridorEpisode(task, options),
    expert: () => new CorridorExpert(),
  };
}

/** Which way is right in a room of a task: 0 is left, the colour shows it. */
function rightWay({ index }: TaskRef, room: number): 0 | 1 {
  return ((index >> (room % 3)) & 1) === 1 ? 1 : 0;
}

class CorridorEpisode implements Episode {
  observation: string;
  private room = 0;
  private done = false;

  constructor(
    private readonly task: TaskRef,
    private readonly options: CorridorOptions,
  ) {
    this.observation = this.look();
  }

  step(action: string): Step | Promise<Step> {
    const { latency, trouble } = this.options;
    if (latency === undefined && trouble === undefined) return this.move(action);
    return (async () => {
      if (latency !== undefined) await new Promise((resolve) => setTimeout(resolve, latency));
      await trouble?.(this.task, action);
      return this.move(action);
    })();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.done = true;
  }

  private move(action: string): Step {
    if (this.done) return { observation: this.observation, reward: 0, done: true };
    if (ways[rightWay(this.task, this.room)] === action.trim().split(' ')[0]) this.room++;
    this.done = this.room >= (this.options.length ?? 2);
    this.observation = this.look();
    return { observation: this.observation, reward: this.done ? 1 : 0, done: this.done, success: this.done };
  }

  private look(): string {
    return this.done ? 'lamp' : `room ${colours[rightWay(this.task, this.room)]}`;
  }
}

class CorridorExpert implements Expert {
  readonly follows = true;

  next(observation: string): string | null {
    const at = colours.findIndex((colour) => observation.includes(colour));
    return at < 0 ? null : (ways[at] ?? null);
  }
}
