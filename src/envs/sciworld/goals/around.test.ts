/** Goals on the agent and what is around it: places, doors, devices, wires, and what was done since. */
import { describe, expect, it } from 'vitest';
import { lookAt, read } from '../actions/looking.ts';
import { use } from '../actions/doing.ts';
import { animal } from '../life/animals.ts';
import { LAWS } from '../processes/laws.ts';
import { Substance } from '../substances/substance.ts';
import { Agent } from '../things/agent.ts';
import { Container, cup } from '../things/containers.ts';
import { Battery, lightBulb, solarPanel, Wire, type PolarizedPart } from '../things/electrical.ts';
import { Door } from '../things/portal.ts';
import { closedVessel } from '../things/properties.ts';
import type { Terminal, Thing } from '../things/thing.ts';
import { allWithin } from '../things/within.ts';
import { World } from '../things/world.ts';
import * as around from './around.ts';
import type { Goal, Verdict } from './goal.ts';

/** An agent in a room, and how a goal stands there. */
function scene() {
  const world = new World<Thing>(LAWS);
  const room = (name: string): Container => new Container(world, 'Room', name, []);
  const [kitchen, hallway] = [room('kitchen'), room('hallway')];
  const agent = new Agent(world);
  kitchen.add(agent);
  const check = (goal: Goal): Verdict =>
    goal.check(undefined, {
      agent,
      goals: { last: undefined, notes: new Map() },
      around: agent.container ? allWithin(agent.container) : [],
    });
  const put = <T extends Thing>(thing: T, where: Thing = kitchen): T => {
    where.add(thing);
    return thing;
  };
  return { world, kitchen, hallway, agent, check, put };
}

describe('places', () => {
  it('a place is reached by its name', () => {
    const { check, agent, hallway } = scene();
    const goal = around.moveTo('hallway', '');
    expect(check(goal)).toBe('open');
    hallway.add(agent);
    expect(check(goal)).toBe('met');
  });

  it('moving on counts from the first look, or at once in the place of the task', () => {
    const { check, agent, hallway } = scene();
    const [anywhere, here] = [around.moveOn(''), around.moveOn('', 'kitchen')];
    expect([check(anywhere), check(here), check(anywhere)]).toEqual(['open', 'met', 'open']);
    hallway.add(agent);
    expect(check(anywhere)).toBe('met');
  });

  it('staying is counted in looks, and begins again after leaving', () => {
    const { check, agent, hallway, kitchen } = scene();
    const goal = around.stayIn('kitchen', 3, '');
    expect([check(goal), check(goal)]).toEqual(['open', 'open']);
    hallway.add(agent);
    expect(check(goal)).toBe('open');
    kitchen.add(agent);
    expect([check(goal), check(goal), check(goal)]).toEqual(['open', 'open', 'met']);
  });

  it('a door must be open to count', () => {
    const { world, check, kitchen, hallway } = scene();
    const door = new Door(world, kitchen, hallway);
    kitchen.addPortal(door);
    expect(check(around.nearOpenDoor(''))).toBe('open');
    door.portal.isOpen = true;
    expect(check(around.nearOpenDoor(''))).toBe('met');
  });
});

describe('things around', () => {
  it('are near when they are in the room, in whatever they are', () => {
    const { world, check, put, hallway } = scene();
    const goal = around.beNear('lead', '');
    put(new Substance(world, 'Lead'), hallway);
    expect(check(goal)).toBe('open');
    put(new Substance(world, 'Lead'), put(cup(world, 'TinCup')));
    expect(check(goal)).toBe('met');
  });

  it('are held directly, by the right holder', () => {
    const { world, check, put } = scene();
    const [pot, jar] = [put(cup(world, 'MetalPot')), put(cup(world, 'GlassCup'))];
    const goal = around.holds('metal pot', 'lead', '');
    const lead = put(new Substance(world, 'Lead'), jar);
    expect(check(goal)).toBe('open');
    pot.add(jar);
    expect(check(goal)).toBe('open');
    pot.add(lead);
    expect(check(goal)).toBe('met');
  });

  it('together means these and no others in one container', () => {
    const { world, check, put } = scene();
    const pot = put(cup(world, 'MetalPot'));
    const goal = around.together(['lead', 'tin'], '');
    put(new Substance(world, 'Lead'), pot);
    expect(check(goal)).toBe('open');
    put(new Substance(world, 'Tin'), pot);
    expect(check(goal)).toBe('met');
    const brick = put(new Substance(world, 'Brick'), pot);
    expect(check(goal)).toBe('open');
    brick.leave();
    expect(check(goal)).toBe('met');
    // Twice the same is one too many.
    put(new Substance(world, 'Tin'), pot);
    expect(check(goal)).toBe('open');
  });

  it('lids, switches and fire', () => {
    const { world, check, put } = scene();
    const box = put(new Container(world, 'Box', 'box', [], closedVessel()));
    const bulb = put(lightBulb(world, 'red'));
    const wood = put(new Substance(world, 'Wood'));
    const goals = [
      around.isOpen('box', ''),
      around.isOn('red light bulb', ''),
      around.isOff('red light bulb', ''),
      around.burns('wood', ''),
    ];
    expect(goals.map(check)).toEqual(['open', 'open', 'met', 'open']);
    box.vessel.isOpen = true;
    bulb.device.isActivated = true;
    wood.material.burning = true;
    // Burning wood is called "wood (on fire)"; its name is wood still.
    expect(goals.map(check)).toEqual(['met', 'met', 'open', 'met']);
  });

  it('so many of a species in a stage', () => {
    const { world, check, put } = scene();
    const add = (stage: string): void => put(animal(world, 'Wolf')).cycle.enter(stage);
    const goal = around.countStage('wolf', 'baby', 2, '');
    add('baby');
    add('adult');
    expect(check(goal)).toBe('open');
    add('baby');
    expect(check(goal)).toBe('met');
  });
});

describe('wires', () => {
  function wiring() {
    const { world, check, put } = scene();
    const [wire, bulb, battery, panel] = [
      put(new Wire(world)),
      put(lightBulb(world, 'red')),
      put(new Battery(world)),
      put(solarPanel(world)),
    ];
    const ends = wire.contactPoints(true);
    const join = (end: number, terminal: Terminal): void => {
      ends[end]?.connect(terminal);
      if (ends[end]) terminal.connect(ends[end]);
    };
    return { check, wire, bulb, battery, panel, join };
  }

  it('an end of a part is wired when a wire is on that end', () => {
    const { check, bulb, join } = wiring();
    join(0, bulb.cathode);
    expect(check(around.wired('red light bulb', 'first', ''))).toBe('open');
    expect(check(around.wired('red light bulb', 'second', ''))).toBe('met');
  });

  it.each<[string, (parts: ReturnType<typeof wiring>) => PolarizedPart, Goal, Verdict]>([
    ['any source', ({ battery }) => battery, around.wireToSource('red light bulb', ''), 'met'],
    ['a named source', ({ battery }) => battery, around.wireToSource('red light bulb', '', 'battery'), 'met'],
    ['another source', ({ panel }) => panel, around.wireToSource('red light bulb', '', 'battery'), 'open'],
    ['a source to a bulb', ({ battery }) => battery, around.wireFromSourceToBulb(''), 'met'],
  ])('from %s by one wire', (_, sourceOf, goal, expected) => {
    const parts = wiring();
    parts.join(0, parts.bulb.cathode);
    expect(parts.check(goal)).toBe('open');
    parts.join(1, sourceOf(parts).anode);
    expect(parts.check(goal)).toBe(expected);
  });
});

describe('what was done', () => {
  it.each([
    ['examine', lookAt, around.examine('lead', '')],
    ['read', read, around.readDocument('lead', '')],
  ])('%s counts from the first look on, for the thing of that name', (_, rule, goal) => {
    const { world, check, agent, put } = scene();
    const [lead, tin] = [put(new Substance(world, 'Lead')), put(new Substance(world, 'Tin'))];
    agent.history.push({ rule, things: [lead] });
    expect(check(goal)).toBe('open');
    agent.history.push({ rule, things: [tin] });
    expect(check(goal)).toBe('open');
    agent.history.push({ rule, things: [lead] });
    expect(check(goal)).toBe('met');
  });

  it('using counts for the device by name or for the patient, as in the original', () => {
    const { world, check, agent, put } = scene();
    const [lead, tin] = [put(new Substance(world, 'Lead')), put(new Substance(world, 'Tin'))];
    const fresh = (): Goal => {
      const goal = around.useOn('tin', 'lead', '');
      check(goal);
      return goal;
    };
    const after = (things: readonly Thing[]): Verdict => {
      const goal = fresh();
      agent.history.push({ rule: use, things });
      return check(goal);
    };
    expect([after([tin, tin]), after([lead, lead]), after([lead, tin])]).toEqual(['met', 'met', 'open']);
  });
});
