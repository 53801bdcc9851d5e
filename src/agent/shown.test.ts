/** What episodes keep of an environment's state: that of each turn, though the environment changes it in place. */
import { expect, it } from 'vitest';
import { defineEnvironment } from '../envs/define.ts';
import type { Environment } from '../envs/environment.ts';
import { HumanPolicy } from '../policy/human.ts';
import { playEpisode } from './episode.ts';
import { createFormat } from './formats/index.ts';

interface Pile {
  readonly parts: { taken: number };
  taken: number;
  readonly cards: string[];
}

/** Each turn takes a card from the pile itself. */
const pile = (more: { state?: (pile: Pile) => unknown } = {}): Environment =>
  defineEnvironment<Pile>({
    name: 'pile',
    splits: { test: 1 },
    instructions: 'Take cards.',
    start: () => ({ state: { parts: { taken: 0 }, taken: 0, cards: ['a', 'b', 'c'] }, observation: '3 cards' }),
    step: (state) => {
      state.parts.taken = ++state.taken;
      state.cards.pop();
      return { observation: `${state.cards.length} cards`, done: state.cards.length === 0, breakdown: state.parts };
    },
    ...more,
  });

function play(environment: Environment): ReturnType<typeof playEpisode> {
  return playEpisode({
    environment,
    task: { env: 'pile', split: 'test', index: 0 },
    policy: new HumanPolicy(async () => 'take'),
    format: createFormat('direct'),
    limits: { turns: 5, tokensPerTurn: 8 },
    sampling: { temperature: 1 },
    seed: 1,
  });
}

it('is the state of each turn, not the last one everywhere', async () => {
  const { state, turns } = await play(pile());
  expect(state).toEqual({ parts: { taken: 0 }, taken: 0, cards: ['a', 'b', 'c'] });
  expect(turns.map(({ breakdown }) => breakdown)).toEqual([{ taken: 1 }, { taken: 2 }, { taken: 3 }]);
  expect(turns.map((turn) => turn.state)).toEqual([
    { parts: { taken: 1 }, taken: 1, cards: ['a', 'b'] },
    { parts: { taken: 2 }, taken: 2, cards: ['a'] },
    { parts: { taken: 3 }, taken: 3, cards: [] },
  ]);
  const shown = await play(pile({ state: ({ cards }) => cards }));
  expect(shown.turns.map((turn) => turn.state)).toEqual([['a', 'b'], ['a'], []]);
});

it('is a text or a number as it stands, and what is no JSON fails the episode by name', async () => {
  const { turns } = await play(pile({ state: ({ taken }) => taken }));
  expect(turns.map(({ state }) => state)).toEqual([1, 2, 3]);
  const { outcome } = await play(pile({ state: () => ({ big: 1n }) }));
  expect(outcome).toMatchObject({ kind: 'failed', by: 'environment' });
  expect(JSON.stringify(outcome)).toContain('is no JSON: show by state()');
});
