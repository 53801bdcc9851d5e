/**
 * What each task asks for and what fails it, played from its own description: the right thing scores, the wrong one is -1. Houses are
 * made with open doors and teleport, which change no goals.
 */
import { describe, expect, it } from 'vitest';
import { LivingThing } from '../life/living-thing.ts';
import { Animal } from '../life/animals.ts';
import { Plant } from '../life/plants.ts';
import { Simulation } from '../simulation.ts';
import { InclinedPlane } from '../things/inclined-plane.ts';
import type { Thing } from '../things/thing.ts';
import { allWithin } from '../things/within.ts';

function house(task: string, variation = 0) {
  const simulation = new Simulation(task, variation, new Set(['openDoors', 'openContainers', 'teleportAction'] as const));
  const { agent, universe, goals } = simulation;
  /** Puts the agent beside a thing, focuses on it and says how the task stands. */
  const focus = (thing: Thing): number => {
    const place = thing.containers.find((holder) => holder.container === universe);
    place?.add(agent);
    simulation.focus.on = thing;
    return simulation.step('look around').score;
  };
  const all = (): readonly Thing[] => allWithin(universe, true, true);
  const named = (name: string): Thing => {
    const found = all().find((thing) => thing.name === name);
    if (!found) throw new RangeError(`no ${name} in ${task} ${variation}`);
    return found;
  };
  return { simulation, goals, focus, all, named, text: simulation.taskDescription };
}

describe.each([
  ['find-living-thing', (thing: Thing) => thing instanceof LivingThing],
  ['find-non-living-thing', (thing: Thing) => !(thing instanceof LivingThing) && thing.movable],
  ['find-plant', (thing: Thing) => thing instanceof Plant],
  ['find-animal', (thing: Thing) => thing instanceof Animal],
] as const)('%s', (task, fits) => {
  it('is half done with the right thing, and done with it in the box that it names', () => {
    const { focus, all, named, text, goals } = house(task);
    const right = all().find((thing) => fits(thing) && thing.kind !== 'Agent' && thing.containers.length > 1);
    if (!right) throw new RangeError('nothing fits');
    const [, box = '', room = ''] = /move it to the (.+ box) in the (.+)\.$/.exec(text) ?? [];
    expect(focus(right)).toBeGreaterThanOrEqual(0.5);
    expect(named(box).container?.name).toBe(room);
    named(box).add(right);
    expect(focus(right)).toBe(1);
    expect(goals.isCompleted).toBe(true);
  });

  it('is failed by the first wrong focus', () => {
    const { focus, all, simulation } = house(task);
    const wrong = all().find((thing) =>
      task === 'find-non-living-thing' ? thing instanceof LivingThing : thing.name === 'metal pot',
    );
    if (!wrong) throw new RangeError('nothing is wrong');
    expect(focus(wrong)).toBe(-1);
    // A reset takes the failure back; what the place itself earns is left.
    const { score } = simulation.step('reset task');
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThan(0.5);
  });
});

describe('life spans', () => {
  const animalsOf = (house_: ReturnType<typeof house>): Animal[] =>
    house_.named('outside').visible.filter((thing): thing is Animal => thing instanceof Animal && thing.kind !== 'Bee');
  const bySpan = (animals: readonly Animal[]): Animal[] => [...animals].sort((a, b) => a.life.lifespan - b.life.lifespan);

  it.each([
    ['lifespan-longest-lived', -1],
    ['lifespan-shortest-lived', 0],
  ])('%s: only one of the three animals is right', (task, at) => {
    for (const variation of [0, 60]) {
      const animals = bySpan(animalsOf(house(task, variation)));
      expect(animals).toHaveLength(3);
      const scores = animals.map((_, i) => {
        const fresh = house(task, variation);
        return fresh.focus(bySpan(animalsOf(fresh))[i] ?? fresh.named('outside'));
      });
      expect(scores).toEqual(animals.map((_, i) => (animals.at(at) === animals[i] ? 1 : -1)));
    }
  });

  it('first the longest, then the shortest: the other order fails', () => {
    const task = 'lifespan-longest-lived-then-shortest-lived';
    const right = house(task, 3);
    const [shortest, , longest] = bySpan(animalsOf(right));
    if (!shortest || !longest) throw new RangeError('three animals');
    expect(right.focus(longest)).toBeLessThan(1);
    expect(right.focus(shortest)).toBe(1);
    const wrong = house(task, 3);
    const [first] = bySpan(animalsOf(wrong));
    expect(wrong.focus(first ?? wrong.named('outside'))).toBe(-1);
  });
});

describe('stages of life', () => {
  it('are counted in the description and come in the order of growing; a later one fails', () => {
    const { text, goals, simulation, named } = house('identify-life-stages-1', 2);
    const [, count = '', species = ''] = /focus on the (\d+) life stages of the (.+), starting/.exec(text) ?? [];
    expect(goals.ordered).toHaveLength(Number(count));
    const living = named('outside').visible.find(
      (thing): thing is Animal => thing instanceof Animal && thing.life.species === species,
    );
    if (!living) throw new RangeError(`no ${species}`);
    const stages = living.cycle.stages.map(({ name }) => name);
    expect(Number(count)).toBe(stages.length - 1);
    living.cycle.enter(stages[1] ?? '');
    simulation.focus.on = living;
    expect(simulation.step('look around').score).toBe(-1);
  });
});

describe('heating and cooling', () => {
  it.each([
    ['boil', 'liquid', 'gas'],
    ['melt', 'solid', 'liquid'],
    ['freeze', 'liquid', 'solid'],
  ] as const)('%s wants the substance that is named, first %s and then %s', (task, from, to) => {
    const { text, all, simulation, goals, focus } = house(task, 1);
    const [, name = ''] = /(?:boil|melt|freeze) ([a-z -]+?)\. /.exec(text) ?? [];
    const substance = all().find(
      ({ name: own, material }) => material !== undefined && (own === name || material.substance === name),
    );
    if (!substance?.material) throw new RangeError(`no ${name} in ${text}`);
    const { material } = substance;
    const reached = (state: typeof from | typeof to | 'gas'): number => {
      material.state = state;
      focus(substance);
      return goals.progress.filter(({ met, optional }) => met && !optional).length;
    };
    // The state that is wanted in the end does not count before the one that comes first.
    expect([reached(to), reached(from), reached(to)]).toEqual([1, 2, 3]);
    expect(simulation.step('look around')).toMatchObject({ score: 1, isCompleted: true });
  });

  it.each(['boil', 'melt', 'freeze', 'change-the-state-of-matter-of'])('%s is failed by a focus on anything else', (task) => {
    const { focus, named } = house(task, 1);
    expect(focus(named('metal pot'))).toBe(-1);
  });
});

describe('boxes for an answer', () => {
  it('conductivity: the thing goes to the box for what it is; the other box fails', () => {
    for (const variation of [0, 1, 40]) {
      const made = (): ReturnType<typeof house> => house('test-conductivity', variation);
      const { text, focus, named } = made();
      const [, thing = ''] = /First, focus on the (.+?)\. /.exec(text) ?? [];
      const [, good = ''] = /is electrically conductive, place it in the (.+? box)/.exec(text) ?? [];
      const [, bad = ''] = /electrically nonconductive, place it in the (.+? box)/.exec(text) ?? [];
      const conducts = named(thing).material?.conducts === true;
      const right = named(thing);
      named(conducts ? good : bad).add(right);
      expect(focus(right), text).toBe(1);
      const other = made();
      other.named(conducts ? bad : good).add(other.named(thing));
      expect(other.focus(other.named(thing))).toBe(-1);
    }
  });

  it('a thermometer is focused on first, then the thing; the wrong order fails', () => {
    const first = house('use-thermometer', 0);
    const [, object = ''] = /Next, focus on the (.+?)\. /.exec(first.text) ?? [];
    expect(first.focus(first.named(object))).toBe(-1);
    const second = house('use-thermometer', 0);
    expect(second.focus(second.named('thermometer'))).toBeGreaterThan(0);
    expect(second.focus(second.named(object))).toBeGreaterThan(0.5);
  });
});

describe('inclined planes', () => {
  it.each(['inclined-plane-determine-angle', 'inclined-plane-friction-named-surfaces'])(
    '%s: one of the two planes is right',
    (task) => {
      for (const variation of [0, 1]) {
        const planesOf = (house_: ReturnType<typeof house>): InclinedPlane[] =>
          house_.all().filter((thing) => thing instanceof InclinedPlane);
        const { text } = house(task, variation);
        const [, which = ''] = /has the (\w+) (?:angle|friction)/.exec(text) ?? [];
        const measure = ({ angle, surface }: InclinedPlane): number => (task.includes('angle') ? angle : surface.friction);
        const scores = [0, 1].map((i) => {
          const fresh = house(task, variation);
          const planes = planesOf(fresh).sort((a, b) => measure(a) - measure(b));
          expect(planes).toHaveLength(2);
          return fresh.focus(planes[i] ?? fresh.named('workshop'));
        });
        const high = /steepest|most/.test(which);
        expect(scores, text).toEqual(high ? [-1, 1] : [1, -1]);
      }
    },
  );
});
