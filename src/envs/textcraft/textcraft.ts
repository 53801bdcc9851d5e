/**
 * TextCraft as an Environment: AgentGym's 544 goals by item id, in splits, and generated worlds without end.
 * `test` is AgentGym's evaluation set (100 goals), `train` the other 444, of which `validation` keeps every eleventh and
 * `fit` the rest; `all` counts as AgentGym's data_idx does. `fit-renamed` and `validation-renamed` are those goals under fresh names, without end;
 * `fresh` is a panel of 100 that has the trees of `test` under names of its own.
 */
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Practice, Step, TaskInfo, TaskSet } from '../environment.ts';
import { readSettings, type Settings } from '../settings.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { CHOICES_2024, CHOICES_2025, minecraftBook, type RecipeBook } from './book.ts';
import { bookShown, commandList, firstObservation, itemId, parseFirstObservation, spaced } from './commands.ts';
import { expertIn, type ExpertStyle } from './expert.ts';
import { generateWorld, MIXED, SHORT, type Difficulty, type Range } from './generated.ts';
import { goalOrder, type Edition } from './goals.ts';
import { practiceWorld } from './practice.ts';
import { instructions } from './prompt.ts';
import { renamedWorld, type RenamedWorld } from './renamed.ts';
import { settings, type TextCraftSettings } from './settings.ts';
import { World } from './world.ts';

export interface TextCraftOptions {
  readonly edition: Edition;
  readonly quirk: boolean;
  readonly seed: number;
  readonly expert: ExpertStyle;
  /** Replaces the depth, the number of distractors and the share of siblings among them of generated worlds. */
  readonly difficulty: Partial<Difficulty>;
}

/** A world with what its player is shown: what a server needs to open one by goal and commands of a client. */
export interface OpenedWorld {
  readonly world: World;
  readonly commands: string;
  readonly goal: string;
  readonly observation: string;
}

/** What viewers may draw. */
export interface TextCraftState {
  readonly goal: string;
  readonly inventory: readonly { readonly item: string; readonly count: number }[];
}

export function textCraft(given: Settings = {}): TextCraft {
  return openTextCraft(readSettings('textcraft', settings, given));
}

export function openTextCraft({ edition, quirk = edition === '2024', expert, seed, ...rest }: TextCraftSettings): TextCraft {
  const { depth, distractors, siblings } = rest;
  const difficulty = {
    ...(depth !== undefined && { depth }),
    ...(distractors !== undefined && { distractors }),
    ...(siblings !== undefined && { siblings }),
  };
  return new TextCraft({ edition, quirk, expert, seed, difficulty });
}

const TEST_RANGES: readonly Range[] = [
  [0, 30],
  [140, 180],
  [420, 444],
  [533, 535],
];
const GENERATED: Readonly<Record<string, Difficulty>> = {
  generated: MIXED,
  'generated-test': MIXED,
  'generated-short': SHORT,
  'generated-short-test': SHORT,
};

/** Splits whose worlds are goals of another split under fresh names: endless, but for the panel `fresh`. */
const RENAMED: Readonly<Record<string, string>> = { 'fit-renamed': 'fit', 'validation-renamed': 'validation', fresh: 'test' };

export class TextCraft implements Environment {
  readonly name = 'textcraft';
  readonly version: string;
  readonly splits = ['train', 'test', 'all', 'fit', 'validation', ...Object.keys(RENAMED), ...Object.keys(GENERATED)];
  readonly instructions = instructions;
  readonly book: RecipeBook;
  /** Goals by data_idx. */
  readonly goals: readonly string[];
  private readonly indices: ReadonlyMap<string, readonly number[]>;
  private readonly commands = new Map<string, string>();

  constructor(readonly options: TextCraftOptions) {
    const { edition, quirk, seed, difficulty } = options;
    this.version = ['1', edition, ...(quirk ? ['quirk'] : []), `seed${seed}`, ...Object.entries(difficulty).map(String)].join(
      '-',
    );
    this.book = minecraftBook(edition === '2024' ? CHOICES_2024 : CHOICES_2025);
    this.goals = goalOrder(edition, this.book);
    const all = this.goals.map((_, index) => index);
    const test = all.filter((index) => TEST_RANGES.some(([low, high]) => index >= low && index <= high));
    const train = all.filter((index) => !test.includes(index));
    const held = (_: number, position: number): boolean => position % 11 === 5;
    this.indices = new Map([
      ['all', all],
      ['test', test],
      ['train', train],
      ['validation', train.filter(held)],
      ['fit', train.filter((index, position) => !held(index, position))],
    ]);
  }

  tasks(split: string): TaskSet {
    const indices = this.indices.get(split);
    if (indices)
      return { size: indices.length, info: (index) => this.goalInfo(this.dataIndex({ env: this.name, split, index })) };
    if (Object.hasOwn(RENAMED, split))
      return { size: this.renamedSize(split), info: (index) => this.renamedInfo({ env: this.name, split, index }) };
    this.difficultyOf(split);
    return { size: Infinity, info: (index) => this.generatedInfo({ env: this.name, split, index }) };
  }

  open(task: TaskRef): Episode {
    return new TextCraftEpisode(this.openWorld(task));
  }

  /** Goes by what the first observation shows: a server that numbers its goals otherwise, or kept other recipes, is solved too. */
  expert(task: TaskRef): Expert {
    const { world, commands } = this.openWorld(task);
    let expert: Expert | undefined;
    const meet = (observation: string): Expert => {
      const shown = parseFirstObservation(observation);
      const elsewhere = shown && (shown.goal !== world.goal || shown.commands !== commands) && bookShown(shown.commands);
      const there = elsewhere && elsewhere.recipes.has(shown.goal) ? new World(elsewhere, shown.goal) : world;
      return expertIn(there, this.options.expert);
    };
    return {
      follows: true,
      next: (observation, ...played) => (expert ??= meet(observation)).next(observation, ...played),
    };
  }

  practice(random: Random, difficulty: number): Practice {
    return practiceWorld(random, difficulty, this.options.expert, this.options.difficulty.siblings);
  }

  /** The world of a task, for callers that need more than an Episode shows (the stock rules, planning from a state). */
  openWorld(task: TaskRef): OpenedWorld {
    if (this.indices.has(task.split)) return this.openDataIndex(this.dataIndex(task));
    const { book, goal, commands } = Object.hasOwn(RENAMED, task.split) ? this.renamed(task) : this.generated(task);
    return { world: new World(book, goal), commands, goal, observation: firstObservation(commands, goal) };
  }

  /** The world of AgentGym's data_idx: counted modulo the number of goals, as Python counts. */
  openDataIndex(dataIndex: number): OpenedWorld {
    const size = this.goals.length;
    return this.openGoal(this.goals[((Math.trunc(dataIndex) % size) + size) % size] ?? '');
  }

  /** A world for a goal (name or id) and commands of one's own; without commands, the list that we would show. */
  openGoal(goalText: string, commands?: string | null): OpenedWorld {
    const goal = itemId(goalText);
    let shown = commands ?? this.commands.get(goal);
    if (shown === undefined) {
      shown = commandList(this.book, goal, this.options.seed);
      if (this.book.recipes.has(goal)) this.commands.set(goal, shown);
    }
    const world = new World(this.book, goal, { quirk: this.options.quirk });
    return { world, commands: shown, goal, observation: firstObservation(shown, goal) };
  }

  private dataIndex({ split, index }: TaskRef): number {
    const indices = this.indices.get(split) ?? [];
    const dataIndex = indices[index];
    if (dataIndex !== undefined) return dataIndex;
    throw unknownTask(this.name, { split, index }, indices.length, ', or one of the endless split "generated"');
  }

  private goalInfo(dataIndex: number): TaskInfo {
    const goal = this.goals[dataIndex] ?? '';
    return { category: `depth ${this.book.depth(goal)}`, itemId: `textcraft_${dataIndex}`, title: `craft ${spaced(goal)}` };
  }

  private generatedInfo(task: TaskRef): TaskInfo {
    const { depth, goal } = this.generated(task);
    return { category: `depth ${depth}`, itemId: `textcraft-${task.split}_${task.index}`, title: `craft ${spaced(goal)}` };
  }

  private renamedInfo(task: TaskRef): TaskInfo {
    const { split, index } = task;
    return {
      category: `depth ${this.book.depth(this.realGoal(task))}`,
      itemId: `textcraft-${split}_${index}`,
      title: `craft ${spaced(this.renamed(task).goal)}`,
    };
  }

  private renamed(task: TaskRef): RenamedWorld {
    const stream = Random.of(this.options.seed, 'textcraft', task.split, task.index);
    return renamedWorld(this.book, this.realGoal(task), stream);
  }

  private renamedSize(split: string): number {
    return split === 'fresh' ? (this.indices.get('test')?.length ?? Number.NaN) : Infinity;
  }

  /** Whose tree a renamed task has: the goals of its split in turn. */
  private realGoal(task: TaskRef): string {
    checkEndless(task);
    const size = this.renamedSize(task.split);
    if (task.index >= size) throw unknownTask(this.name, task, size);
    const indices = this.indices.get(RENAMED[task.split] ?? '') ?? [];
    return at(this.goals, at(indices, task.index % indices.length));
  }

  private generated(task: TaskRef): ReturnType<typeof generateWorld> {
    checkEndless(task);
    const difficulty = this.difficultyOf(task.split);
    return generateWorld(Random.of(this.options.seed, 'textcraft', task.split, task.index), difficulty);
  }

  private difficultyOf(split: string): Difficulty {
    const difficulty = Object.hasOwn(GENERATED, split) ? GENERATED[split] : undefined;
    if (!difficulty) {
      throw unknownSplit(this.name, split, this.splits);
    }
    return { ...difficulty, ...this.options.difficulty };
  }
}

function checkEndless({ split, index }: TaskRef): void {
  if (Number.isSafeInteger(index) && index >= 0) return;
  throw new AgogeError('ENV_UNKNOWN_TASK', `textcraft/${split} counts its tasks from 0: ${index} is not one of them`);
}

class TextCraftEpisode implements Episode {
  readonly observation: string;
  private readonly world: World;
  private ended: Step | undefined;

  constructor(opened: OpenedWorld) {
    this.observation = opened.observation;
    this.world = opened.world;
  }

  get state(): TextCraftState {
    const { goal, inventory } = this.world;
    return {
      goal: spaced(goal),
      inventory: [...inventory].map(([item, count]) => ({ item: spaced(item), count: Number(count) })),
    };
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const { observation, reward, done } = this.world.step(action);
    if (!done) return { observation, reward, done };
    this.ended = { observation, reward: 0, done, success: true };
    return { observation, reward, done, success: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
