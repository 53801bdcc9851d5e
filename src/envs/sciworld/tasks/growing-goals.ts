/** Optional goals of tasks that grow plants from seed. */
import * as around from '../goals/around.ts';
import type { Goal } from '../goals/goal.ts';

/** Soil, water and a seed in each pot. */
export function tendPots(pots: readonly string[], species: string): readonly Goal[] {
  const each = (content: string, word: string): readonly Goal[] =>
    pots.map((pot, i) => around.holds(pot, content, `have ${word} in flower pot (${i + 1})`));
  return [...each('soil', 'soil'), ...each('water', 'water'), ...each(`${species} seed`, 'seed')];
}

/** Up to a number of plants in each stage of growth. */
export function raise(species: string, most: number): readonly Goal[] {
  return Array.from({ length: most }, (_, i) => i + 1).flatMap((count) => [
    around.countStage(species, 'seed', count, `have at least ${count} plants as seeds`),
    around.countStage(species, 'seedling', count, `have at least ${count} plants as seedlings`),
    around.countStage(species, 'adult', count, `have at least ${count} plants as adult plants`),
    around.countStage(species, 'reproducing', count, `have at least ${count} plants as reproducing plants`, {
      key: `atLeast${count}Reproducing`,
    }),
  ]);
}

export function haveSeedJar(): readonly Goal[] {
  return [
    around.beNear('seed jar', 'be in same location as seed jar'),
    around.holds('inventory', 'seed jar', 'have seed jar in inventory', { key: 'haveSeedJar' }),
  ];
}

export function goToGreenhouse(): readonly Goal[] {
  return [
    around.moveOn('move to a new location'),
    around.moveTo('greenhouse', 'move to the greenhouse', { key: 'move1' }),
    around.moveTo('greenhouse', 'move to the greenhouse (after having seed jar)', {
      key: 'move2',
      after: ['haveSeedJar'],
    }),
  ];
}
