import { describe, expect, it } from 'vitest';
import { WordleGame } from './game.ts';
import { trainSeeds } from './items.ts';
import { wordle } from './wordle.ts';

const play = (seed: number, guesses: readonly string[]) => {
  const game = new WordleGame(seed);
  return guesses.map((guess) => game.guess(guess));
};

describe('Wordle', () => {
  it('answers as the original did, draw for draw', () => {
    const answers = play(0, ['s h i r e', 'zzzzz', 'Panic', 'panic', 's o l a r', 'r o b o t']);
    expect(answers.map(({ observation }) => observation)).toEqual([
      'b b b y g\n',
      'invalid word',
      'invalid word',
      'b b b b b\n',
      'b y b b y\n',
      'y y b y y\n',
    ]);
    expect(answers.map(({ done }) => done)).toEqual([false, false, false, false, false, true]);
    expect(play(3, ['panic', 'solar']).map(({ observation }) => observation)).toEqual(['b b y b b\n', 'b g b b b\n']);
  });
  it('has AgentGym’s seeds', () => {
    expect([trainSeeds.length, trainSeeds[0], trainSeeds.at(-1)]).toEqual([955, 0, 1450]);
    const env = wordle();
    expect(env.tasks('test').size).toBe(25);
    expect(env.tasks('train').info(0).itemId).toMatch(/^lmrlgym_wordle_/);
    expect(() => env.open({ env: 'wordle', split: 'test', index: 25 })).toThrow(/0 to 24/);
  });
  it('is solved by what its answers tell', () => {
    const env = wordle();
    for (const split of ['test', 'generated']) {
      let [solved, guesses] = [0, 0];
      for (let index = 0; index < 25; index++) {
        const task = { env: 'wordle', split, index };
        const expert = env.expert(task);
        const episode = env.open(task);
        let { observation }: { observation: string } = episode;
        for (let turn = 0; turn < 6; turn++) {
          const step = episode.step(expert.next(observation) ?? '');
          observation = step.observation;
          guesses++;
          if (step.success === true) solved++;
          if (step.done) break;
        }
      }
      expect(solved).toBe(25);
      expect(guesses / 25).toBeLessThan(4);
    }
  });
});
