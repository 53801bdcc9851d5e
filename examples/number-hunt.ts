/**
 * A whole environment in one file: find a hidden number between 1 and 100 by guessing. Task and guesses decide everything.
 * Try: npx agoge lint ./examples/number-hunt.ts
 */
import { AgogeError, type Environment, type Episode, type Expert, type Step, type TaskRef } from 'agoge';

const highest = 100;
const turns = 12;

/** The hidden number of a task: a fixed scramble of its index, different for each split. Refuses what does not exist by name. */
function hidden({ split, index }: TaskRef): number {
  const shift = shiftOf(split);
  if (!Number.isInteger(index) || index < 0 || index >= highest) {
    throw new AgogeError(
      'ENV_UNKNOWN_TASK',
      `number-hunt/${split} has tasks 0 to ${highest - 1}, not ${index}: pick one of them`,
    );
  }
  return ((index * 37 + shift) % highest) + 1;
}

function shiftOf(split: string): number {
  if (split === 'train') return 0;
  if (split === 'test') return 11;
  throw new AgogeError('ENV_UNKNOWN_SPLIT', `number-hunt has no split "${split}": choose train or test`);
}

class Hunt implements Episode {
  readonly observation = `I think of a number from 1 to ${highest}. Guess it with: guess <number>`;
  private guesses = 0;
  private ended: Step | undefined;

  constructor(private readonly number: number) {}

  step(action: string): Step {
    // After the end nothing changes and nothing is earned.
    if (this.ended) return this.ended;
    const guess = Number(/^guess (\d{1,3})$/.exec(action.trim())?.[1]);
    // What is no guess costs nothing: a law says that junk never changes what a valid action does.
    if (Number.isNaN(guess)) return { observation: 'Say: guess <number>', reward: 0, done: false };
    this.guesses++;
    if (guess === this.number) return this.end({ observation: 'Found!', reward: 1, done: true, success: true });
    const step = { observation: guess < this.number ? 'Higher.' : 'Lower.', reward: 0, done: this.guesses >= turns };
    return step.done ? this.end({ ...step, success: false }) : step;
  }

  private end(step: Step): Step {
    this.ended = { ...step, reward: 0 };
    return step;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

/** Halves the range that is left. */
class Halving implements Expert {
  private low = 1;
  private high = highest;
  private last = 0;

  next(observation: string): string {
    if (observation === 'Higher.') this.low = this.last + 1;
    if (observation === 'Lower.') this.high = this.last - 1;
    this.last = Math.floor((this.low + this.high) / 2);
    return `guess ${this.last}`;
  }
}

const environment: Environment = {
  name: 'number-hunt',
  version: '1',
  splits: ['train', 'test'],
  tasks(split) {
    shiftOf(split);
    return {
      size: highest,
      info: (index) => ({
        category: hidden({ env: 'number-hunt', split, index }) > 50 ? 'high' : 'low',
        itemId: `number-hunt_${split}_${index}`,
      }),
    };
  },
  open: (task) => new Hunt(hidden(task)),
  expert: () => new Halving(),
  // How long an episode and a reply may be where nobody says otherwise: junk costs no guess, but a turn.
  facts: { limits: { turns: 16, tokens: 8 } },
  instructions: {
    task: 'Find the hidden number. After each guess you are told whether it is higher or lower.',
    actions: [
      { name: 'guess', template: 'guess {number}', description: 'Guess the number.', parameters: { number: `1 to ${highest}` } },
    ],
  },
};

export default environment;
