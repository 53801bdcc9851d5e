/**
 * The maze as an Environment. `test` has AgentGym's starts 0 to 24 in its one maze, `train` those of its training set, `all` both;
 * `generated` and `generated-test` are mazes without end.
 */
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskInfo, TaskSet } from '../environment.ts';
import { unknownSplit } from '../unknown.ts';
import { distances, MazeExpert } from './expert.ts';
import { MazeExplorer } from './explorer.ts';
import { generateMaze, type GeneratedMaze } from './generated.ts';
import { instructions } from './prompt.ts';
import type { MazeSettings } from './settings.ts';
import { doubleT, MazeWorld, moveNames, starts, type Place } from './world.ts';

/** What viewers may draw. */
export interface MazeState {
  readonly rows: readonly string[];
  readonly position: Place;
  readonly goal: Place;
  /** Cells that the player has stood on or beside, as `row,column`. */
  readonly seen: readonly string[];
}

const between = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Games of AgentGym's sets. Its training set also has game 25, which starts on the goal and which servers refuse. */
const games: Readonly<Record<string, readonly number[]>> = {
  train: between(13, 22),
  test: between(0, 24),
  all: between(0, 24),
};
const endless = ['generated', 'generated-test'];

export function openMaze({ size, expert }: MazeSettings): MazeEnvironment {
  return new MazeEnvironment(size, expert);
}

export class MazeEnvironment implements Environment {
  readonly name = 'maze';
  readonly version: string;
  readonly splits = [...Object.keys(games), ...endless];
  readonly instructions = instructions;
  /** Some starts are one or two moves from the goal. */
  readonly luck = 0.4;

  constructor(
    private readonly size: readonly [number, number],
    private readonly knows: MazeSettings['expert'] = 'informed',
  ) {
    this.version = ['1', ...(size.join('-') === '3-5' ? [] : [`size${size.join('-')}`])].join('-');
  }

  tasks(split: string): TaskSet {
    this.check(split);
    const size = games[split]?.length ?? Infinity;
    return { size, info: (index) => this.info({ env: this.name, split, index }) };
  }

  open(task: TaskRef): MazeEpisode {
    const { maze, start } = this.placed(task);
    return new MazeEpisode(new MazeWorld(maze, start));
  }

  /** A game as recordings have it: of an older server, which also played the last one, whose start is the goal. */
  openRecorded(game: number): MazeEpisode {
    const start = starts.at(game);
    if (game >= starts.length || !start) throw new AgogeError('ENV_UNKNOWN_TASK', `The game ${game} is not valid.`);
    return new MazeEpisode(new MazeWorld(doubleT, start));
  }

  /** A game as AgentGym's servers take it: negative numbers count from the end, the last game starts on the goal. */
  openGame(game: number): MazeEpisode {
    const start = starts.at(game);
    if (start?.join() === doubleT.goal.join())
      throw new AgogeError('ENV_UNKNOWN_TASK', `The game ${game} starts on the goal: choose one of 0 to ${starts.length - 2}.`);
    return this.openRecorded(game);
  }

  taskOfItem(item: number): TaskRef {
    this.openGame(item);
    return { env: this.name, split: 'all', index: item < 0 ? item + starts.length : item };
  }

  expert(task: TaskRef): Expert {
    const { maze, start } = this.placed(task);
    const world = new MazeWorld(maze, start);
    return this.knows === 'blind' ? new MazeExplorer(world) : new MazeExpert(world);
  }

  private info(task: TaskRef): TaskInfo {
    const { maze, start } = this.placed(task);
    const far = distances(maze).get(start.join(',')) ?? 0;
    const known = games[task.split]?.[task.index];
    return {
      category: far <= 5 ? 'near' : far <= 10 ? 'middle' : 'far',
      itemId: known === undefined ? `maze-${task.split}_${task.index}` : `lmrlgym_maze_${known}`,
      title: `from ${start.join(', ')} to ${maze.goal.join(', ')}, ${far} moves`,
    };
  }

  private placed({ split, index }: TaskRef): GeneratedMaze {
    this.check(split);
    const list = games[split];
    const last = list ? list.length - 1 : Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(index) || index < 0 || index > last) {
      const has = list ? `has tasks 0 to ${last}` : 'counts its tasks from 0';
      throw new AgogeError('ENV_UNKNOWN_TASK', `maze/${split} ${has}, not ${index}: pick one of them`);
    }
    if (list) return { maze: doubleT, start: at(starts, at(list, index)) };
    const random = Random.of(1, 'maze', split, index);
    return generateMaze(random, this.size[0] + random.below(this.size[1] - this.size[0] + 1));
  }

  private check(split: string): void {
    if (!this.splits.includes(split)) throw unknownSplit(this.name, split, this.splits);
  }
}

export class MazeEpisode implements Episode {
  readonly observation: string;
  readonly actions = moveNames;
  private ended: Step | undefined;

  constructor(private readonly world: MazeWorld) {
    this.observation = world.describe();
  }

  get state(): MazeState {
    const { maze, position, seen } = this.world;
    return { rows: maze.rows, goal: maze.goal, position, seen: [...seen] };
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const { observation, reward, done } = this.world.step(action);
    if (!done) return { observation, reward, done };
    this.ended = { observation, reward: 0, done, success: reward > 0 };
    return { ...this.ended, reward };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
