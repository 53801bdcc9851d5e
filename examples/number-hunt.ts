/**
 * A whole environment in one file: find a hidden number between 1 and 100 by guessing. Task and guesses decide everything.
 * Try: npx agoge lint ./examples/number-hunt.ts
 */
import type { Environment, Episode, Expert, Step, TaskRef } from 'agoge';

const highest = 100;
const turns = 12;

/** The hidden number of a task: a fixed scramble of its index, different for each split. */
function hidden({ split, index }: TaskRef): number {
  return ((index * 37 + (split === 'test' ? 11 : 0)) % highest) + 1;
}

class Hunt implements Episode {
  readonly observation = `I think of a number from 1 to ${highest}. Guess it with: guess <number>`;
  private guesses = 0;
  private done = false;

  constructor(private readonly number: number) {}

  step(action: string): Step {
    if (this.done) return { observation: 'The game is over.', reward: 0, done: true };
    const guess = Number(/^guess (\d{1,3})$/.exec(action.trim())?.[1]);
    this.guesses++;
    this.done = guess === this.number || this.guesses >= turns;
    if (guess === this.number) return { observation: 'Found!', reward: 1, done: true, success: true };
    const hint = Number.isNaN(guess) ? 'Say: guess <number>' : guess < this.number ? 'Higher.' : 'Lower.';
    return { observation: hint, reward: 0, done: this.done };
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
  tasks: (split) => ({
    size: highest,
    info: (index) => ({
      category: hidden({ env: 'number-hunt', split, index }) > 50 ? 'high' : 'low',
      itemId: `number-hunt_${split}_${index}`,
    }),
  }),
  open: (task) => new Hunt(hidden(task)),
  expert: () => new Halving(),
  instructions: {
    task: 'Find the hidden number. After each guess you are told whether it is higher or lower.',
    actions: [
      { name: 'guess', template: 'guess {number}', description: 'Guess the number.', parameters: { number: `1 to ${highest}` } },
    ],
  },
};

export default environment;
