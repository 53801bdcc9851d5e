/**
 * Wordle of LMRL-Gym (Abdulhai et al. 2023) as AgentGym serves it, draw for draw. What is known is kept per letter and position; the
 * hidden word is drawn anew at every valid guess among the words that still fit, and the answer is read from what is then known
 * of each letter. So a letter that stands twice is not counted as in the newspaper's game. Six guesses, invalid ones included.
 */
import { PythonRandom } from '../../core/random/python.ts';

/** LMRL-Gym's list, in its order. */
export const words: readonly string[] = (
  'panic solar shire proxy point robot prick wince crimp knoll sugar whack mount perky could wrung light those moist shard ' +
  'pleat aloft skill elder frame humor pause ulcer ultra robin cynic aroma caulk shake dodge swill tacit other thorn trove'
).split(' ');

export const invalid = 'invalid word';
const tries = 6;
const length = 5;

type Known = 'here' | 'possible' | 'not';

/** What is known of each letter at each position; letters not met are absent. */
export type Knowledge = ReadonlyMap<string, readonly Known[]>;

export interface Answer {
  readonly observation: string;
  readonly reward: 0 | 1;
  readonly done: boolean;
  /** Whether the guess was a word of the list. */
  readonly valid: boolean;
}

export class WordleGame {
  readonly guesses: string[] = [];
  readonly answers: string[] = [];
  private readonly random: PythonRandom;
  private knowledge: Knowledge = new Map();
  /** Words that fit all answers so far. */
  left: readonly string[] = words;

  constructor(seed: number | bigint) {
    this.random = new PythonRandom(seed);
  }

  guess(action: string): Answer {
    const word = action.trim().replaceAll(' ', '');
    this.guesses.push(word);
    if (!words.includes(word)) {
      this.answers.push('');
      return { observation: invalid, reward: 0, done: this.guesses.length === tries, valid: false };
    }
    this.knowledge = learn(this.knowledge, word, this.random.choice(this.left));
    this.left = words.filter((candidate) => fits(candidate, this.knowledge));
    const answer = feedback(word, this.knowledge);
    this.answers.push(answer);
    const [only, ...others] = this.left;
    const won = only !== undefined && others.length === 0 && this.guesses.includes(only);
    const observation = `${[...answer].join(' ')}\n`;
    return { observation, reward: won ? 1 : 0, done: won || this.guesses.length === tries, valid: true };
  }
}

/** What is known after a guess, where this is the hidden word. */
export function learn(before: Knowledge, guess: string, hidden: string): Knowledge {
  const after = new Map(before);
  [...guess].forEach((letter, at) => {
    const known = [...(after.get(letter) ?? Array<Known>(length).fill('possible'))];
    if (letter === hidden[at]) known[at] = 'here';
    else if (hidden.includes(letter)) known[at] = 'not';
    else known.fill('not');
    after.set(letter, known);
  });
  return after;
}

/** Could this word be the hidden one? */
export function fits(word: string, knowledge: Knowledge): boolean {
  for (const [letter, known] of knowledge) {
    if (known.every((one) => one === 'possible')) continue;
    if (known.every((one) => one === 'not')) {
      if (word.includes(letter)) return false;
      continue;
    }
    if (!word.includes(letter)) return false;
    if (known.some((one, at) => (one === 'here') !== (word[at] === letter) && one !== 'possible')) return false;
  }
  return true;
}

/** A letter for each of the guess: g in its place, b nowhere, y elsewhere. */
export function feedback(guess: string, knowledge: Knowledge): string {
  return [...guess]
    .map((letter, at) => {
      const known = knowledge.get(letter) ?? [];
      if (known[at] === 'here') return 'g';
      return known.every((one) => one === 'not') ? 'b' : known[at] === 'not' ? 'y' : '';
    })
    .join('');
}
