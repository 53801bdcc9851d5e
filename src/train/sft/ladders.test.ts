import { expect, it } from 'vitest';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { Ladders } from './ladders.ts';

const entries = [
  { env: 'invented', generated: true, name: 'lookup', weight: 2 },
  { env: 'invented', generated: true, settings: { kind: 'fetch' } },
  { env: 'invented', generated: true, settings: { kind: 'chain' } },
  { env: 'wordle', split: 'generated', after: 0.3 },
];

function laddersOf(each: 'all' | 'source', curriculum: Partial<SftRecipe['data']['curriculum']> = {}): Ladders {
  const { data, seed } = sftRecipe({
    run: 'ladders',
    data: { source: 'experts', experts: entries, curriculum: { levels: 4, window: 2, threshold: 0.5, each, ...curriculum } },
    steps: 1,
  });
  return new Ladders(data.curriculum, data.experts, seed);
}

const all = (line: number, right: number) => new Map([[line, { token: right, reply: right }]]);
const choices = (ladders: Ladders) => Array.from({ length: 400 }, (_, number) => ladders.choose(number));

it('one line climbs, and the others stay where they are', () => {
  const ladders = laddersOf('source');
  expect(ladders.note(all(1, 1))).toBeUndefined();
  expect(ladders.note(all(1, 1))).toBe('curriculum: invented level 2 of 4');
  expect(ladders.difficulties).toEqual({ lookup: 0, invented: 1 / 3, 'invented-2': 0 });
  const hardest = (line: number) => Math.max(...choices(ladders).map((one) => (one.line === line ? one.difficulty : 0)));
  expect([0, 1, 2].map(hardest)).toEqual([0, 1 / 3, 0]);
});

it('a batch without a line says nothing about it', () => {
  const ladders = laddersOf('source');
  ladders.note(all(0, 1));
  for (let i = 0; i < 5; i++) ladders.note(all(1, 0));
  expect(ladders.note(all(0, 1))).toBe('curriculum: lookup level 2 of 4');
});

it('lines with `after` join by the mean of those that are there from the start, and splits are played as they are', () => {
  const ladders = laddersOf('source');
  const lines = () => new Set(choices(ladders).map(({ line }) => line));
  expect(lines()).toEqual(new Set([0, 1, 2]));
  for (let i = 0; i < 6; i++) ladders.note(all(1, 1));
  expect(ladders.difficulty).toBeCloseTo(1 / 3, 12);
  expect(lines()).toEqual(new Set([0, 1, 2, 3]));
  expect(new Set(choices(ladders).flatMap(({ line, difficulty }) => (line === 3 ? [difficulty] : [])))).toEqual(new Set([1]));
  expect(ladders.judged({ line: 3, generated: false }, true)).toBeUndefined();
});

it('goes on from its state; a single state is for every line', () => {
  const ladders = laddersOf('source');
  for (let i = 0; i < 3; i++) ladders.note(all(2, 1));
  const copy = laddersOf('source');
  copy.restore(ladders.state);
  expect([copy.state, choices(copy)]).toEqual([ladders.state, choices(ladders)]);
  copy.restore({ level: 3, seen: [] });
  expect(copy.difficulties).toEqual({ lookup: 1, invented: 1, 'invented-2': 1 });
});

it('one level for all has one state, judges what is generated, and leaves the line to the draw', () => {
  const ladders = laddersOf('all');
  expect([ladders.judged({ generated: true }, true), ladders.judged({ generated: false }, true)]).toEqual([0, undefined]);
  expect(ladders.judged({ generated: false }, false)).toBe(0);
  ladders.note(all(0, 1));
  ladders.note(all(0, 1));
  expect(ladders.state).toEqual({ level: 1, seen: [] });
  expect([ladders.difficulties, ladders.choose(0).line]).toEqual([{}, undefined]);
});
