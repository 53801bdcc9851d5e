/** Electricity: a part runs where a closed way leads from a generator's one pole through it to the other. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../processes/laws.ts';
import { isWiredTo } from '../processes/circuits.ts';
import { Substance, type SubstanceKind } from '../substances/substance.ts';
import { Container } from './containers.ts';
import * as electrical from './electrical.ts';
import { openVessel } from './properties.ts';
import type { Terminal, Thing } from './thing.ts';
import { World } from './world.ts';

const { Battery, electricBuzzer, electricMotor, lightBulb, solarPanel, Switch, windGenerator, Wire } = electrical;

const terminal = (one: Terminal | undefined): Terminal => {
  if (!one) throw new RangeError('no terminal');
  return one;
};
function join(one: Terminal | undefined, other: Terminal | undefined): void {
  terminal(one).connect(terminal(other));
  terminal(other).connect(terminal(one));
}

/** A battery and a part on a table, wired from pole to pole; `through` stands between the generator's anode and the part, or behind it. */
function circuit(
  part: electrical.PolarizedPart,
  through?: Thing,
  { generator = new Battery(part.world), behind = false }: { generator?: electrical.Generator; behind?: boolean } = {},
) {
  const { world } = part;
  const table = new Container(world, 'Table', 'table', ['table']);
  const [first, second, third] = [new Wire(world), new Wire(world), new Wire(world)];
  for (const thing of [generator, first, second, third, part]) table.add(thing);
  /** From one end to the other, by way of what stands between them. */
  const lead = (from: Terminal | undefined, to: Terminal, between?: Thing): void => {
    if (!between) {
      join(from, to);
      return;
    }
    table.add(between);
    const [into, out] = between.contactPoints(true);
    join(from, into);
    join(out, third.terminal1);
    join(third.terminal2, to);
  };
  join(generator.anode, first.terminal1);
  lead(first.terminal2, part.cathode, behind ? undefined : through);
  join(part.anode, second.terminal1);
  lead(second.terminal2, generator.cathode, behind ? through : undefined);
  const pass = (ticks = 12): boolean => {
    for (let i = 0; i < ticks; i++) {
      world.clock += 1;
      table.tick();
    }
    return part.device.isActivated;
  };
  return { table, first, second, generator, pass };
}
const newWorld = (): World<Thing> => new World(LAWS);

describe('a circuit', () => {
  it.each([
    ['light bulb', (world: World<Thing>) => lightBulb(world, 'red')],
    ['motor', electricMotor],
    ['buzzer', electricBuzzer],
  ])('turns a %s on by itself when it is closed', (_, make) => {
    const part = make(newWorld());
    expect(part.device.isActivated).toBe(false);
    expect(circuit(part).pass()).toBe(true);
    expect(part.describe(false)).toMatch(/, which is on$/);
  });

  it('is dead as soon as one connection is gone', () => {
    for (const cut of ['first', 'second', 'generator'] as const) {
      const part = lightBulb(newWorld(), 'blue');
      const built = circuit(part);
      expect(built.pass()).toBe(true);
      built[cut].disconnect();
      expect(built.pass(), cut).toBe(false);
      expect(built[cut].isConnected).toBe(false);
    }
  });

  it('needs the poles the right way round', () => {
    const world = newWorld();
    const part = lightBulb(world, 'green');
    const battery = new Battery(world);
    const table = new Container(world, 'Table', 'table', []);
    const [first, second] = [new Wire(world), new Wire(world)];
    for (const thing of [battery, first, second, part]) table.add(thing);
    join(battery.anode, first.terminal1);
    join(first.terminal2, part.anode);
    join(part.cathode, second.terminal1);
    join(second.terminal2, battery.cathode);
    for (let i = 0; i < 12; i++) {
      world.clock += 1;
      table.tick();
    }
    expect(part.device.isActivated).toBe(false);
  });

  it('is open where a switch is off', () => {
    const world = newWorld();
    const part = lightBulb(world, 'red');
    const lever = new Switch(world);
    const built = circuit(part, lever, { behind: true });
    expect(built.pass()).toBe(false);
    lever.device.isActivated = true;
    expect(built.pass()).toBe(true);
    expect(lever.otherTerminal(lever.anode)).toBe(lever.cathode);
    lever.device.isActivated = false;
    expect(built.pass()).toBe(false);
    expect(lever.otherTerminal(lever.anode)).toBeUndefined();
  });

  // As in the original: voltage is handed on by wires and by things that conduct, ground is searched through anything that is closed.
  // A switch hands nothing on, so between the driving pole and the part it stops the current, on or off.
  it.each([
    ['between the driving pole and the part', false, false],
    ['on the side of the ground', true, true],
  ])('with a switch that is on %s lights up: %s', (_, lights, behind) => {
    const world = newWorld();
    const part = lightBulb(world, 'red');
    const lever = new Switch(world);
    lever.device.isActivated = true;
    expect(circuit(part, lever, { behind }).pass(30)).toBe(lights);
    expect(lever.device.isActivated).toBe(true);
  });

  it.each([
    ['Lead', true],
    ['Tin', true],
    ['SteelBlock', true],
    ['IronBlock', true],
    ['Rubber', false],
    ['WoodBlock', false],
    ['Brick', false],
    ['Soap', false],
  ] as const satisfies readonly (readonly [SubstanceKind, boolean])[])('goes through %s: %s', (kind, conducts) => {
    const world = newWorld();
    const part = lightBulb(world, 'yellow');
    expect(circuit(part, new Substance(world, kind)).pass()).toBe(conducts);
  });
});

describe('generators', () => {
  it.each([
    ['solar panel', solarPanel],
    ['wind generator', windGenerator],
  ])('a %s runs in the open air alone, or in an open container there', (_, make) => {
    const world = newWorld();
    const outside = new Container(world, 'Outside', 'outside', []);
    const room = new Container(world, 'Kitchen', 'kitchen', []);
    const box = new Container(world, 'Box', 'box', [], openVessel());
    const generator = make(world);
    const runsIn = (place: Thing): boolean => {
      place.add(generator);
      world.clock += 1;
      generator.tick();
      return generator.device.isActivated;
    };
    expect([runsIn(room), runsIn(outside)]).toEqual([false, true]);
    outside.add(box);
    expect(runsIn(box)).toBe(true);
    box.vessel.isOpen = false;
    expect(runsIn(box)).toBe(false);
  });

  it('a gas generator runs when it is turned on, and drives the circuit only then', () => {
    const world = newWorld();
    const part = electricMotor(world);
    const gas = electrical.gasGenerator(world);
    const built = circuit(part, undefined, { generator: gas });
    expect(built.pass()).toBe(false);
    gas.device.isActivated = true;
    expect(built.pass()).toBe(true);
  });
});

it('a terminal takes one connection', () => {
  const world = newWorld();
  const [one, two, three] = [new Wire(world), new Wire(world), new Wire(world)];
  join(one.terminal1, two.terminal1);
  terminal(one.terminal1).connect(terminal(three.terminal1));
  expect(terminal(one.terminal1).connections).toEqual([two.terminal1]);
  expect(one.describe(true)).toContain(
    'its terminal 1 is connected to: a terminal 1 on wire. its terminal 2 is connected to: nothing.',
  );
});

it('whether a part is wired to another is seen through wires', () => {
  const part = lightBulb(newWorld(), 'red');
  circuit(part);
  expect([isWiredTo(part, 'battery'), isWiredTo(part, 'solar panel')]).toEqual([true, false]);
});
