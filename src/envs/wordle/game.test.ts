/** LMRL-Gym's rules of letters, one by one: what a guess teaches, which words then fit, and what the answer says. */
import { describe, expect, it } from 'vitest';
import { drawState } from './draw.ts';
import { WordleExpert } from './expert.ts';
import { feedback, fits, invalid, learn, words, WordleGame, type Knowledge } from './game.ts';

const nothing: Knowledge = new Map();
const answerTo = (guess: string, hidden: string): string => feedback(guess, learn(nothing, guess, hidden));

/** What is known after several guesses at one hidden word. */
const after = (hidden: string, ...guesses: string[]): Knowledge =>
  guesses.reduce((known, guess) => learn(known, guess, hidden), nothing);

/** The hidden word that remains when all others are ruled out: the game draws it anew, so it is fixed by its answers alone. */
function playOut(seed: number): { game: WordleGame; observations: string[]; rewards: number[] } {
  const game = new WordleGame(seed);
  const expert = new WordleExpert();
  const [observations, rewards]: [string[], number[]] = [[], []];
  let observation = '';
  for (let done = false; !done;) {
    const answer = game.guess(expert.next(observation) ?? '');
    ({ observation, done } = answer);
    observations.push(observation);
    rewards.push(answer.reward);
  }
  return { game, observations, rewards };
}

describe('an answer', () => {
  it.each([
    ['shire', 'shire', 'ggggg', 'every letter in its place'],
    ['shire', 'cynic', 'bbybb', 'a letter that stands elsewhere is y'],
    ['panic', 'cynic', 'bbggg', 'a letter in its place is g, a missing one b'],
    ['other', 'those', 'yyyyb', 'four letters stand elsewhere'],
    ['light', 'point', 'bybbg', 'i stands elsewhere, t in its place'],
  ])('to %s, where %s is hidden, is %s: %s', (guess, hidden, answer) => expect(answerTo(guess, hidden)).toBe(answer));

  it('counts a letter that stands twice in the guess by what is known of the letter, not by how often it is hidden', () => {
    // One o is hidden, in the second place: the newspaper's game calls the second o of robot b.
    expect(answerTo('robot', 'point')).toBe('bgbyg');
    // Both l of skill elsewhere or missing alike.
    expect(answerTo('skill', 'solar')).toBe('gbbyy');
    expect(answerTo('knoll', 'panic')).toBe('bybbb');
  });

  it('has one letter for each of the guess, whatever is hidden', () => {
    for (const guess of words) for (const hidden of words) expect(answerTo(guess, hidden)).toMatch(/^[gyb]{5}$/);
  });

  it('is all g for the hidden word alone', () => {
    for (const guess of words) {
      expect(words.filter((hidden) => answerTo(guess, hidden) === 'ggggg')).toEqual([guess]);
    }
  });
});

describe('the words that fit', () => {
  it('always include the hidden one, after any guesses', () => {
    for (const hidden of words) {
      for (let at = 0; at + 2 < words.length; at += 3) {
        const known = after(hidden, ...words.slice(at, at + 3));
        expect(fits(hidden, known), `${hidden} after ${words.slice(at, at + 3).join(' ')}`).toBe(true);
      }
    }
  });

  it.each([
    ['a missing letter rules out every word with it', 'panic', 'shire', 'whack'],
    ['a letter in its place rules out words without it there', 'point', 'prick', 'knoll'],
    ['a letter elsewhere rules out the same place', 'solar', 'light', 'aloft'],
    ['a letter elsewhere rules out words without it', 'robin', 'cynic', 'shard'],
  ])('%s', (_, hidden, guess, word) => expect(fits(word, after(hidden, guess))).toBe(false));

  it('never grow by a further guess', () => {
    const left = (known: Knowledge): string[] => words.filter((word) => fits(word, known));
    for (const hidden of words) {
      const [once, twice] = [after(hidden, 'shire'), after(hidden, 'shire', 'panic')];
      expect(left(twice).every((word) => left(once).includes(word))).toBe(true);
    }
    expect(left(nothing)).toEqual(words);
  });
});

describe('a game', () => {
  it.each(['s h i r e', 'shire', '  s h i r e ', 'shi re'])('takes %j for one word: blanks do not count', (action) => {
    expect(new WordleGame(0).guess(action)).toEqual({ observation: 'b b b y g\n', reward: 0, done: false, valid: true });
  });

  it.each(['Shire', 'SHIRE', 'apple', 'shir', 'shires', '', 's-h-i-r-e', 'shire\npanic'])(
    'does not know the word %j',
    (action) => {
      const game = new WordleGame(0);
      expect(game.guess(action)).toEqual({ observation: invalid, reward: 0, done: false, valid: false });
      expect(game.left).toEqual(words);
    },
  );

  it('has six tries, invalid ones included, and pays nothing for losing', () => {
    const game = new WordleGame(7);
    const played = ['no', 'no', 'no', 'no', 'no', 'no'].map((guess) => game.guess(guess));
    expect(played.map(({ done }) => done)).toEqual([false, false, false, false, false, true]);
    expect(played.every(({ reward }) => reward === 0)).toBe(true);
    expect([game.guesses.length, game.answers]).toEqual([6, ['', '', '', '', '', '']]);
  });

  it('draws nothing for an invalid word: the game goes on as if it had not been said', () => {
    const [plain, disturbed] = [new WordleGame(5), new WordleGame(5)];
    for (const guess of ['panic', 'solar', 'light']) {
      disturbed.guess('hello');
      expect(disturbed.guess(guess).observation).toBe(plain.guess(guess).observation);
    }
  });

  it('is won with reward 1 once one word is left that was guessed', () => {
    for (let seed = 0; seed < 12; seed++) {
      const { game, rewards } = playOut(seed);
      expect(rewards).toEqual([...rewards.slice(0, -1).map(() => 0), 1]);
      expect(game.left).toHaveLength(1);
      expect(game.guesses).toContain(game.left[0]);
      expect(game.answers.at(-1)).toBe('ggggg');
    }
  });

  it('is decided by its seed', () => {
    expect(playOut(11)).toEqual(playOut(11));
    const endings = new Set(Array.from({ length: 12 }, (_, seed) => playOut(seed).game.left[0]));
    expect(endings.size).toBeGreaterThan(5);
  });
});

describe('the expert', () => {
  it('knows no more than the answers: equal answers, equal guesses', () => {
    const [one, other] = [new WordleExpert(), new WordleExpert()];
    expect(one.next('')).toBe(other.next(''));
    for (const observation of ['b b b y g\n', invalid]) expect(one.next(observation)).toBe(other.next(observation));
  });

  it('goes on from what somebody else has guessed', () => {
    const expert = new WordleExpert();
    const known = after('trove', 'shire');
    const advice = expert.next('b b b y g\n', 's h i r e');
    expect(words).toContain(advice?.replaceAll(' ', ''));
    // Only words that fit the answer are left, and with two of them one is guessed at once.
    const left = words.filter((word) => fits(word, known));
    if (left.length <= 2) expect(left).toContain(advice?.replaceAll(' ', ''));
  });
});

it('is drawn as tiles: [g], (y) and plain', () => {
  const state = { guesses: ['shire', 'hello', 'trove'], answers: ['bbbyg', '', 'ggggg'] };
  expect(drawState(state)).toBe(' S   H   I  (R) [E]\nhello (invalid)\n[T] [R] [O] [V] [E]');
  expect(drawState(state, { colour: true })).toContain('\u001b[30;42m E \u001b[0m');
  expect(drawState({ board: [] })).toBe('');
});
