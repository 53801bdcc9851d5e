/**
 * Wordle as an Environment. A task is the seed of the hidden word's draws: `test` is AgentGym's 0 to 24, `train` its 955 seeds, of
 * which test is left out, `all` every seed; `generated` and `generated-test` are seeds that no set of AgentGym uses.
 */
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskSet } from '../environment.ts';
import { unknownSplit } from '../unknown.ts';
import { WordleExpert } from './expert.ts';
import { WordleGame } from './game.ts';
import { trainSeeds } from './items.ts';
import { instructions } from './prompt.ts';

/** What viewers may draw. */
export interface WordleState {
  readonly guesses: readonly string[];
  /** Of each guess: g, y and b for its letters; empty for an invalid one. */
  readonly answers: readonly string[];
}

export const opening = "Let's start Wordle!";
const testSeeds = Array.from({ length: 25 }, (_, seed) => seed);
const lists: Readonly<Record<string, readonly number[]>> = { train: trainSeeds.filter((seed) => seed >= 25), test: testSeeds };
const firstSeed: Readonly<Record<string, number>> = { all: 0, generated: 1_000_000, 'generated-test': 2 ** 40 };

export function wordle(): Wordle {
  return new Wordle();
}

export class Wordle implements Environment {
  readonly name = 'wordle';
  readonly version = '1';
  readonly splits = [...Object.keys(lists), ...Object.keys(firstSeed)];
  readonly instructions = instructions;

  tasks(split: string): TaskSet {
    if (!this.splits.includes(split)) throw unknownSplit(this.name, split, this.splits);
    return {
      size: lists[split]?.length ?? Infinity,
      info: (index) => {
        const seed = this.seedOf({ env: this.name, split, index });
        return { category: 'wordle', itemId: `lmrlgym_wordle_${seed}`, title: `seed ${seed}` };
      },
    };
  }

  open(task: TaskRef): WordleEpisode {
    return new WordleEpisode(this.seedOf(task));
  }

  taskOfItem(item: number): TaskRef {
    const index = testSeeds.indexOf(item);
    return index >= 0 ? { env: this.name, split: 'test', index } : { env: this.name, split: 'all', index: item };
  }

  expert(task: TaskRef): Expert {
    this.seedOf(task);
    return new WordleExpert();
  }

  private seedOf({ split, index }: TaskRef): number {
    this.tasks(split);
    const list = lists[split];
    const seed = list ? list[index] : index + (firstSeed[split] ?? 0);
    if (seed === undefined || !Number.isSafeInteger(seed) || index < 0) {
      const has = list ? `has tasks 0 to ${list.length - 1}` : 'counts its tasks from 0';
      throw new AgogeError('ENV_UNKNOWN_TASK', `wordle/${split} ${has}, not ${index}: pick one of them`);
    }
    return seed;
  }
}

export class WordleEpisode implements Episode {
  readonly observation = opening;
  readonly game: WordleGame;
  private ended: Step | undefined;

  constructor(seed: number | bigint) {
    this.game = new WordleGame(seed);
  }

  get state(): WordleState {
    return { guesses: [...this.game.guesses], answers: [...this.game.answers] };
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const { observation, reward, done } = this.game.guess(action);
    if (!done) return { observation, reward, done };
    this.ended = { observation, reward: 0, done, success: reward === 1 };
    return { ...this.ended, reward };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
