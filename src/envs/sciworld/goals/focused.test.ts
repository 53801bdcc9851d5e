/** Goals on the focused thing: for each, what meets it, what leaves it open, and what fails the task. */
import { describe, expect, it } from 'vitest';
import { animal } from '../life/animals.ts';
import { FruitTree } from '../life/plants.ts';
import { LAWS } from '../processes/laws.ts';
import { Substance } from '../substances/substance.ts';
import { Agent } from '../things/agent.ts';
import { AnswerBox, Container, cup } from '../things/containers.ts';
import { Battery, lightBulb, solarPanel, Wire } from '../things/electrical.ts';
import { InclinedPlane } from '../things/inclined-plane.ts';
import type { Thing } from '../things/thing.ts';
import { World } from '../things/world.ts';
import * as focused from './focused.ts';
import type { Goal, GoalContext, Verdict } from './goal.ts';

const world = new World<Thing>(LAWS);
const contextOf = (last?: Thing): GoalContext => ({
  agent: new Agent(world),
  goals: { last, notes: new Map() },
  around: [],
});
const verdict = (goal: Goal, thing: Thing | undefined, last?: Thing): Verdict => goal.check(thing, contextOf(last));
const named = (name: string): Thing => new Container(world, 'Box', name, []);
/** A thing in a box in another one, from the outside in. */
const within = (...names: readonly string[]): Thing => {
  const things = names.map(named);
  things.slice(1).forEach((thing, i) => things[i]?.add(thing));
  return things.at(-1) ?? named('');
};

describe('finding', () => {
  const tree = new FruitTree(world, 'AppleTree');
  const wolf = animal(world, 'Wolf');
  const stone = new Substance(world, 'Brick');
  const fixed = named('wall');
  fixed.movable = false;

  it.each<[goal: string, Goal, met: Thing[], open: Thing[], failed: Thing[]]>([
    ['a name', focused.find('Wolf'), [wolf], [], [tree, stone]],
    ['a living thing', focused.findLiving({}), [wolf, tree], [], [stone, fixed]],
    // What cannot be moved is not living either, but cannot be the answer: the task goes on.
    ['a thing without life', focused.findNonLiving({}), [stone], [fixed], [wolf, tree]],
    ['a plant', focused.findPlant({}), [tree], [], [wolf, stone]],
    ['an animal', focused.findAnimal({}), [wolf], [], [tree, stone]],
    [
      'an answer box',
      focused.findAnswerBox('red box', {}),
      [new AnswerBox(world, 'red')],
      [stone, wolf],
      [new AnswerBox(world, 'blue')],
    ],
  ])('%s', (_, goal, met, open, failed) => {
    expect([met, open, failed].map((things) => things.map((thing) => verdict(goal, thing)))).toEqual([
      met.map(() => 'met'),
      open.map(() => 'open'),
      failed.map(() => 'failed'),
    ]);
    expect(verdict(goal, undefined)).toBe('open');
  });

  it('a stage of life: the wrong stage fails as the wrong species does', () => {
    const young = animal(world, 'Wolf');
    young.cycle.enter('baby');
    const goal = focused.findStage('wolf', 'baby', {});
    const adult = animal(world, 'Wolf');
    adult.cycle.enter('adult');
    const bear = animal(world, 'BrownBear');
    bear.cycle.enter('baby');
    expect([young, adult, bear, stone].map((thing) => verdict(goal, thing))).toEqual(['met', 'failed', 'failed', 'failed']);
  });

  it('a plane by what is asked of it', () => {
    const goal = focused.findPlane(({ angle }) => angle > 30);
    expect(verdict(goal, new InclinedPlane(world, 60))).toBe('met');
    expect(verdict(goal, new InclinedPlane(world, 20))).toBe('failed');
    expect(verdict(goal, stone)).toBe('failed');
  });
});

describe('the state of matter', () => {
  const water = new Substance(world, 'Water');

  it('must be the one asked for; fire counts only where it says so', () => {
    water.material.state = 'liquid';
    expect(verdict(focused.beInState('gas', {}), water)).toBe('open');
    expect(verdict(focused.beInState('liquid', {}), water)).toBe('met');
    const wood = new Substance(world, 'Wood');
    wood.material.burning = true;
    expect(verdict(focused.beInState('gas', {}), wood)).toBe('open');
    expect(verdict(focused.beInState('gas', {}, true), wood)).toBe('met');
    expect(verdict(focused.beInState('gas', {}), named('box'))).toBe('open');
  });

  it('or another than at first', () => {
    const context = contextOf();
    const [note, leave] = [focused.noteState(), focused.leaveNotedState()];
    water.material.state = 'liquid';
    expect([note.check(water, context), leave.check(water, context)]).toEqual(['met', 'open']);
    water.material.state = 'solid';
    expect(leave.check(water, context)).toBe('met');
  });

  it('only of the thing that the goal before was met with', () => {
    water.material.state = 'gas';
    const other = new Substance(world, 'Water');
    expect(verdict(focused.beInState('gas', {}), water, other)).toBe('open');
    expect(verdict(focused.beInState('gas', {}), water, water)).toBe('met');
  });

  it.each([
    [20, 30, 49, 'open'],
    [20, 30, 50, 'met'],
    [-10, 30, 21, 'open'],
    [-10, 30, 20, 'met'],
    [-10, 30, 60, 'open'],
  ])('a change by %d from %d degrees: %d is %s', (by, from, to, expected) => {
    const goal = focused.changeTemperature(by, {});
    water.material.temperature = from;
    expect(verdict(goal, water)).toBe('open');
    water.material.temperature = to;
    expect(verdict(goal, water)).toBe(expected);
  });
});

describe('where a thing is', () => {
  it.each<[Thing, Verdict]>([
    [within('red box', 'cup'), 'met'],
    [within('red box', 'jar', 'cup', 'pea'), 'met'],
    [within('RED BOX', 'cup'), 'met'],
    [within('blue box', 'cup'), 'failed'],
    [within('blue box', 'jar', 'cup'), 'failed'],
    [within('green box', 'cup'), 'open'],
    [within('cup'), 'open'],
  ])('within the right box, however deep; case %#', (thing, expected) => {
    expect(verdict(focused.beWithin('red box', {}, ['blue box']), thing)).toBe(expected);
  });

  it.each([
    [60, 'hot', 'met'],
    [50, 'hot', 'met'],
    [40, 'hot', 'failed'],
    [40, 'cold', 'met'],
    [50, 'cold', 'met'],
    [60, 'cold', 'failed'],
    [60, 'table', 'open'],
  ])('%d degrees in the box "%s" is %s where 50 divides hot and cold', (degrees, box, expected) => {
    const lead = new Substance(world, 'Lead');
    lead.material.temperature = degrees;
    named(box).add(lead);
    expect(verdict(focused.beInBoxByTemperature(50, 'hot', 'cold', {}), lead)).toBe(expected);
  });

  it('the box counts only directly: not through a cup', () => {
    const lead = new Substance(world, 'Lead');
    const holder = cup(world, 'TinCup');
    named('hot').add(holder);
    holder.add(lead);
    expect(verdict(focused.beInBoxByTemperature(-300, 'hot', 'cold', {}), lead)).toBe('open');
  });
});

describe('devices', () => {
  it('are activated by name', () => {
    const bulb = lightBulb(world, 'red');
    const goal = focused.beActivated('red light bulb', {});
    expect(verdict(goal, bulb)).toBe('open');
    bulb.device.isActivated = true;
    expect(verdict(goal, bulb)).toBe('met');
    const blue = lightBulb(world, 'blue');
    blue.device.isActivated = true;
    expect(verdict(goal, blue)).toBe('open');
  });

  it.each([
    ['battery', (): Battery => new Battery(world), 'met'],
    ['solar panel', () => solarPanel(world), 'failed'],
  ] as const)('wired to a %s', (_, make, expected) => {
    const [bulb, wire, source] = [lightBulb(world, 'red'), new Wire(world), make()];
    const [one, two] = wire.contactPoints(true);
    if (!one || !two) throw new RangeError('a wire has two ends');
    for (const [a, b] of [
      [bulb.cathode, one],
      [two, source.anode],
    ] as const) {
      a.connect(b);
      b.connect(a);
    }
    expect(verdict(focused.beWiredTo('battery', {}), bulb)).toBe(expected);
  });
});

it('a stage is reached by the species that was asked for', () => {
  const tree = new FruitTree(world, 'AppleTree');
  tree.cycle.enter('adult');
  expect(verdict(focused.reachStage('apple', 'Adult', {}), tree)).toBe('met');
  expect(verdict(focused.reachStage('apple', 'seed', {}), tree)).toBe('open');
  expect(verdict(focused.reachStage('pear', 'adult', {}), tree)).toBe('open');
});
