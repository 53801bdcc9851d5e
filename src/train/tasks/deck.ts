/**
 * Tasks to draw from: those of a split, or those that the rows of files name. Positions count from 0; an endless deck is drawn
 * from below `endless`, so that positions from there on are tasks that training never sees.
 */
import { basename } from 'node:path';
import type { EpisodeLimits } from '../../agent/limits.ts';
import type { FileEntry, SplitEntry, TaskEntry } from '../../config/recipe/shared-keys.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { ListedTask } from '../../data/tasks/task-list.ts';
import { listedTasks } from '../../data/tasks/task-list.ts';
import { readTaskLines } from '../../data/tasks/task-rows.ts';
import type { Environment } from '../../envs/environment.ts';
import { isFile } from '../../user-modules/load-file.ts';

export interface TaskDeck {
  /** `textcraft/fit`, or the name of the file. */
  readonly name: string;
  readonly weight: number;
  /** Of a curriculum; absent: 0. */
  readonly level?: number;
  /** Infinity for a split that generates its tasks. */
  readonly size: number;
  at(position: number): ListedTask;
  /** Every environment of it, for versions and instructions. */
  readonly environments: readonly Environment[];
  /** Said before the run: rows that were passed over. */
  readonly note?: string;
}

export const endless = 0x7fffffff;

export interface DeckParts {
  readonly environment: (entry: Pick<SplitEntry, 'env' | 'url' | 'settings'>) => Promise<Environment>;
  /** What an interaction file says about the episodes of a name. */
  readonly limits?: (name: string) => Partial<EpisodeLimits>;
}

export async function openDeck(entry: TaskEntry, parts: DeckParts): Promise<TaskDeck> {
  const { max_turns: maxTurns } = entry;
  const deck = await deckOf(entry, parts);
  return maxTurns === null ? deck : { ...deck, at: (position) => ({ ...deck.at(position), maxTurns }) };
}

async function deckOf(entry: TaskEntry, parts: DeckParts): Promise<TaskDeck> {
  if ('file' in entry && entry.env === 'data') return rowsDeck(entry, parts);
  return 'file' in entry ? fileDeck(entry, parts) : splitDeck(entry, await parts.environment(entry), parts.limits?.(entry.env));
}

type Part = Pick<SplitEntry, 'split' | 'from' | 'to' | 'weight'>;

export function splitDeck(entry: Part, environment: Environment, limits?: Partial<EpisodeLimits>): TaskDeck {
  const { split, from, weight } = entry;
  return {
    name: `${environment.name}/${split}`,
    weight,
    size: sizeOf(entry, environment),
    environments: [environment],
    at: (position) => ({ environment, task: { env: environment.name, split, index: from + position }, limits }),
  };
}

/** Rows that are tasks themselves: prompt and ground truth. The split is the one that the file's name says. */
async function rowsDeck({ file, ...entry }: FileEntry, { environment, limits }: DeckParts): Promise<TaskDeck> {
  const settings = { ...entry.settings, file: [file].flat().join(',') };
  const data = await environment({ env: 'data', url: entry.url, settings });
  const [split = 'train', second] = data.splits;
  if (second !== undefined) {
    throw new AgogeError(
      'TRAIN_TASKS',
      `the names of ${settings.file} say several splits (${data.splits.join(', ')}): give each its own entry`,
    );
  }
  const deck = splitDeck({ ...entry, split }, data, limits?.('data'));
  return {
    ...deck,
    name: [file]
      .flat()
      .map((path) => basename(path))
      .join('+'),
  };
}

async function fileDeck(entry: FileEntry, { environment, limits }: DeckParts): Promise<TaskDeck> {
  const files = [entry.file].flat();
  const { url, settings } = entry;
  const { tasks, note } = await listedTasks(await readTaskLines(files, entry), {
    strict: entry.strict,
    // Address and settings of the entry are for its own environment; rows of others are played as their name says.
    open: async (env) => {
      if (env !== entry.env && isFile(env)) {
        const why = 'rows of a file name environments, never code';
        throw new AgogeError('ENV_UNKNOWN', `there is no environment "${env}" (${why}): give your own as env in the recipe`);
      }
      return environment(entry.env === null || entry.env === env ? { env, url, settings } : { env, url: null, settings: {} });
    },
    ...(limits ? { limits } : {}),
  });
  const deck = listDeck(files.map((file) => basename(file)).join('+'), entry.weight, tasks);
  return note === undefined ? deck : { ...deck, note };
}

function listDeck(name: string, weight: number, tasks: readonly ListedTask[]): TaskDeck {
  return {
    name,
    weight,
    size: tasks.length,
    environments: [...new Set(tasks.map(({ environment }) => environment))],
    at(position) {
      const task = tasks[position];
      if (!task) throw new AgogeError('TRAIN_NO_TASKS', `${name} has ${tasks.length} tasks, not ${position + 1}; report this`);
      return task;
    },
  };
}

/** The tasks of a finite deck that a test holds for, as a deck of its own; of the first `most` where that is given. */
export function selectDeck(
  deck: TaskDeck,
  holds: (task: ListedTask, position: number) => boolean,
  most: number = deck.size,
): TaskDeck {
  const tasks = Array.from({ length: Math.min(most, deck.size) }, (_, position) => deck.at(position));
  const { name, weight, level = 0 } = deck;
  return { ...listDeck(name, weight, tasks.filter(holds)), level };
}

/** Decks with more tasks are never listed or held in memory. */
export const mostListed = 5_000_000;

/** A deck with the tasks that a test does not hold for replaced by the next ones: for decks too large to list. */
export function passingOver(deck: TaskDeck, holds: (task: ListedTask) => boolean): TaskDeck {
  return {
    ...deck,
    at(position) {
      let task = deck.at(position);
      for (let next = position + 1; !holds(task); next++) task = deck.at(next % deck.size);
      return task;
    },
  };
}

/** How many tasks an entry has. */
export function sizeOf(entry: Omit<Part, 'weight'>, environment: Environment): number {
  const { size } = environment.tasks(entry.split);
  const end = Math.min(entry.to ?? size, size);
  if (size === 0) throw new AgogeError('TRAIN_NO_TASKS', `${environment.name}/${entry.split} has no tasks: choose another split`);
  if (end <= entry.from) {
    throw new AgogeError(
      'TRAIN_NO_TASKS',
      `${environment.name}/${entry.split} has ${size} tasks, none from ${entry.from} to ${end}: correct from and to`,
    );
  }
  return end - entry.from;
}

/** What the recipe says, or so many passes over the tasks as whole batches make (the rest of a pass waits for the next one). */
export function stepsOver(
  { steps, epochs, rollout }: Pick<RlRecipe, 'steps' | 'epochs' | 'rollout'>,
  decks: readonly TaskDeck[],
): number {
  if (epochs === null) {
    if (steps === null) throw new AgogeError('TRAIN_ENDLESS', 'the recipe says neither steps nor epochs: give one of them');
    return steps;
  }
  const size = decks.reduce((sum, deck) => sum + deck.size, 0);
  if (!Number.isFinite(size)) {
    throw new AgogeError(
      'TRAIN_ENDLESS',
      'epochs count passes over the tasks, and a generated split has no end: set steps instead',
    );
  }
  return Math.min(steps ?? Infinity, epochs * Math.max(1, Math.floor(size / rollout.groups)));
}

/** AgentGym's id of a task, which is the same in every split that has it. */
export function itemOf({ environment, task }: ListedTask): string {
  return environment.tasks(task.split).info(task.index).itemId;
}
