/** What each simplification changes in the house, and that the others are left as they are. */
import { describe, expect, it } from 'vitest';
import { Simulation } from './simulation.ts';
import type { Simplification } from './simplifications.ts';
import { allWithin } from './things/within.ts';

const made = (...chosen: Simplification[]): Simulation => new Simulation('grow-plant', 0, new Set(chosen));
const plain = made();
const things = (simulation: Simulation) => allWithin(simulation.universe, true, true);
const closedLids = (simulation: Simulation): number =>
  things(simulation).filter(({ vessel }) => vessel?.isContainer === true && vessel.isClosable && !vessel.isOpen).length;
const closedDoors = (simulation: Simulation): number =>
  new Set(things(simulation).flatMap(({ portals }) => portals.filter(({ isPassable }) => !isPassable))).size;

describe('a house without simplifications', () => {
  it('has closed doors and lids, electricity, and no teleport', () => {
    expect(closedDoors(plain)).toBeGreaterThan(5);
    expect(closedLids(plain)).toBeGreaterThan(3);
    expect(plain.templates).toContain('connect OBJ to OBJ');
    expect(plain.step('teleport to workshop').observation).toBe('No known action matches that input.');
  });
});

describe.each<[Simplification, (simulation: Simulation) => unknown, unknown]>([
  ['openDoors', closedDoors, 0],
  ['openContainers', closedLids, 0],
  ['selfWateringFlowerPots', ({ world }) => world.selfWatering, true],
  [
    'noElectricalAction',
    ({ templates }) => templates.some((text) => text.startsWith('connect') || text.startsWith('disconnect')),
    false,
  ],
  ['teleportAction', (simulation) => simulation.step('teleport to workshop').observation, 'You teleport to the workshop.'],
])('%s', (name, measure, wanted) => {
  it('does what it says', () => expect(measure(made(name))).toBe(wanted));

  it('leaves doors and lids alone otherwise', () => {
    const simulation = made(name);
    if (name !== 'openDoors') expect(closedDoors(simulation)).toBe(closedDoors(plain));
    if (name !== 'openContainers') expect(closedLids(simulation)).toBe(closedLids(plain));
    expect(simulation.taskDescription).toBe(plain.taskDescription);
  });
});

it('teleporting goes to any place, and nowhere else', () => {
  const simulation = made('teleportAction');
  for (const place of ['foundry', 'outside', 'greenhouse', 'hallway']) {
    expect(simulation.step(`teleport to ${place}`).observation).toBe(`You teleport to the ${place}.`);
    expect(simulation.agent.container?.name).toBe(place);
  }
  expect(simulation.step('teleport to agent').observation).toMatch(/^Its not clear how to go to/);
  expect(simulation.agent.container?.name).toBe('hallway');
});
