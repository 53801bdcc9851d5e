import { expect, it } from 'vitest';
import { planEpisodes } from './episodes.ts';
import type { Panel } from './panel.ts';

const panel = { env: 'toy', split: 'test', tasks: [3, 5] } as unknown as Panel;
const seeds = (repeats: { samples: number; seeds: number; seed: number }): number[] =>
  planEpisodes(panel, repeats).map(({ seed }) => seed);

it('samples of one seed come first, then those of the next: what was played with fewer is part of more', () => {
  const all = planEpisodes(panel, { samples: 2, seeds: 2, seed: 7 });
  expect(all.map(({ task, sample }) => [task.index, sample])).toEqual([0, 1, 2, 3].flatMap((n) => [[3, n], [5, n]])); // prettier-ignore
  expect(all.map(({ seed }) => seed)).toEqual([
    ...seeds({ samples: 2, seeds: 1, seed: 7 }),
    ...seeds({ samples: 2, seeds: 1, seed: 8 }),
  ]);
  expect(seeds({ samples: 1, seeds: 1, seed: 7 })).toEqual(all.slice(0, 2).map(({ seed }) => seed));
  expect(new Set(all.map(({ seed }) => seed)).size).toBe(8);
});
