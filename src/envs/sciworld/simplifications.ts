/** Simplifications of the house, as the original names them; `easy` stands for those that help most. */
import { AgogeError } from '../../core/error.ts';
import { Portal } from './things/portal.ts';
import type { Thing } from './things/thing.ts';
import { allWithin } from './things/within.ts';

const SIMPLIFICATIONS = [
  'teleportAction',
  'openDoors',
  'openContainers',
  'selfWateringFlowerPots',
  'noElectricalAction',
] as const;

export type Simplification = (typeof SIMPLIFICATIONS)[number];

/** Names separated by commas, in any case, or `easy`. Throws ENV_BAD_SETTING. */
export function readSimplifications(text: string): readonly (Simplification | 'easy')[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    const wanted = part.trim().toLowerCase();
    const found = [...SIMPLIFICATIONS, 'easy' as const].find((name) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    const known = [...SIMPLIFICATIONS, 'easy'].join(', ');
    throw new AgogeError('ENV_BAD_SETTING', `sciworld.simplifications has "${part}": choose from ${known}`);
  });
}

/** `easy` keeps the electrical actions where the task is about them. */
export function simplificationsFor(task: string, chosen: readonly (Simplification | 'easy')[]): ReadonlySet<Simplification> {
  const electrical = task.includes('power-component') || task.includes('conductivity');
  const easy: readonly Simplification[] = [
    ...(['teleportAction', 'openDoors', 'selfWateringFlowerPots'] as const),
    ...(electrical ? [] : ['noElectricalAction' as const]),
  ];
  return new Set(chosen.flatMap((name) => (name === 'easy' ? easy : [name])));
}

export function openAllDoors(universe: Thing): void {
  for (const thing of allWithin(universe, true, true)) if (thing instanceof Portal) thing.portal.isOpen = true;
}

export function openAllContainers(universe: Thing): void {
  for (const { vessel } of allWithin(universe, true, true)) {
    if (vessel?.isContainer === true && vessel.isClosable) vessel.isOpen = true;
  }
}
