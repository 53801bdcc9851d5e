/**
 * TextCraft worlds along a curriculum: from one recipe of one ingredient without distractors to worlds as varied as the real
 * goals. The expert plans once; nothing about such a world can be memorised.
 */
import type { Random } from '../../core/random/random.ts';
import type { Episode, Expert, Practice, Step } from '../environment.ts';
import { firstObservation } from './commands.ts';
import { expertIn, type ExpertStyle } from './expert.ts';
import { generateWorld, type Difficulty } from './generated.ts';
import { World } from './world.ts';

export function practiceWorld(
  random: Random,
  level: number,
  style: ExpertStyle,
  siblings = 0,
): Practice & { readonly expert: Expert } {
  const { book, goal, commands } = generateWorld(random, { ...difficultyAt(level, random), siblings: siblings * level });
  const world = new World(book, goal);
  const expert = expertIn(new World(book, goal), style);
  return { episode: new WorldEpisode(world, firstObservation(commands, goal)), expert };
}

/**
 * What a world is made of at a level from 0 to 1. Nothing jumps: between two whole numbers the larger one is drawn as often as
 * the level lies near it, so that a new level is a little harder on average and never a different task.
 */
function difficultyAt(level: number, random: Random): Difficulty {
  const grow = (from: number, to: number, since = 0): number => {
    const share = Math.max(0, Math.min(1, (level - since) / (1 - since)));
    return Math.floor(from + (to - from) * share + random.float() * 0.999);
  };
  return {
    depth: [1, grow(1, 4, 0.12)],
    inputs: [1, grow(1, 3, 0.04)],
    distractors: [0, grow(0, 12)],
    maxCount: grow(1, 9),
    maxTurns: grow(3, 26),
    repeats: 0.25 * level,
    kinds: 0.08 * level,
    likeness: 0.1 + 0.4 * level,
  };
}

class WorldEpisode implements Episode {
  constructor(
    private readonly world: World,
    readonly observation: string,
  ) {}

  step(action: string): Step {
    const { observation, reward, done } = this.world.step(action);
    return { observation, reward, done, ...(done ? { success: true } : {}) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
