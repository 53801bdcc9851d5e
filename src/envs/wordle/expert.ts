/**
 * A guesser by information: among all words the one whose answers part the words that are left into the most even shares, and a
 * word that may be the hidden one among equals. It knows what the answers tell and nothing else.
 */
import type { Expert } from '../environment.ts';
import { feedback, fits, invalid, learn, words, type Knowledge } from './game.ts';

export class WordleExpert implements Expert {
  readonly follows = true;
  private knowledge: Knowledge = new Map();
  private left: readonly string[] = words;
  private advised: string | undefined;

  next(observation: string, played = this.advised): string | null {
    if (played !== undefined) this.hear(played.trim().replaceAll(' ', ''), observation);
    const best = this.left.length <= 2 ? this.left[0] : bestGuess(this.knowledge, this.left);
    this.advised = best === undefined ? undefined : [...best].join(' ');
    return this.advised ?? null;
  }

  /** Any hidden word that would have been answered like this teaches the same. */
  private hear(guess: string, observation: string): void {
    if (observation === invalid || !words.includes(guess)) return;
    const answer = observation.replace(/\s/g, '');
    const hidden = this.left.find((word) => feedback(guess, learn(this.knowledge, guess, word)) === answer);
    if (hidden === undefined) return;
    this.knowledge = learn(this.knowledge, guess, hidden);
    this.left = words.filter((word) => fits(word, this.knowledge));
  }
}

/** The best guess follows from what is known; the first ones are the same in every game. */
const thought = new Map<string, string | undefined>();

function bestGuess(knowledge: Knowledge, left: readonly string[]): string | undefined {
  const key = JSON.stringify([...knowledge]);
  if (!thought.has(key) && thought.size < 10_000) thought.set(key, thinkOf(knowledge, left));
  return thought.get(key) ?? thinkOf(knowledge, left);
}

function thinkOf(knowledge: Knowledge, left: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const guess of words) {
    const shares = new Map<string, number>();
    for (const hidden of left) {
      const answer = feedback(guess, learn(knowledge, guess, hidden));
      shares.set(answer, (shares.get(answer) ?? 0) + 1);
    }
    const expected = [...shares.values()].reduce((sum, share) => sum + share * share, 0) - (left.includes(guess) ? 0.5 : 0);
    if (expected < least) [best, least] = [guess, expected];
  }
  return best;
}
