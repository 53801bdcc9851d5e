/** Heat, states of matter and fire: what a tick does to things, each law by itself and all of them together. */
import { describe, expect, it } from 'vitest';
import { Material } from '../substances/material.ts';
import { MATERIALS, type MaterialKind } from '../substances/materials.ts';
import { ice, Substance } from '../substances/substance.ts';
import { Container, cup } from '../things/containers.ts';
import { Cooler, Heater } from '../things/heating.ts';
import type { Thing } from '../things/thing.ts';
import { World } from '../things/world.ts';
import { burn, ignite } from './fire.ts';
import { exchange } from './heat.ts';
import { LAWS } from './laws.ts';
import { settleState } from './states.ts';

const newWorld = (): World<Thing> => new World(LAWS);
/** Lets time pass for a thing and all that is in it. */
function pass(thing: Thing, ticks = 1): void {
  for (let i = 0; i < ticks; i++) {
    thing.world.clock += 1;
    thing.tick();
  }
}
const temperature = (thing: Thing): number => thing.material?.temperature ?? NaN;
const materialAt = (degrees: number, kind: MaterialKind = 'water'): Material => {
  const material = new Material(kind);
  material.temperature = degrees;
  return material;
};

describe('states of matter', () => {
  it.each([
    [-40, 'solid', 'ice'],
    [-0.1, 'solid', 'ice'],
    [0, 'liquid', 'water'],
    [10, 'liquid', 'water'],
    [100, 'liquid', 'water'],
    [100.1, 'gas', 'steam'],
  ] as const)('water of %d degrees is %s and called %s', (degrees, state, name) => {
    const water = new Substance(newWorld(), 'Water');
    water.material.temperature = degrees;
    settleState(water);
    expect([water.material.state, water.name]).toEqual([state, name]);
  });

  it('every material is solid below its melting point and gas above its boiling point', () => {
    const world = newWorld();
    for (const kind of Object.keys(MATERIALS) as MaterialKind[]) {
      const thing = new Container(world, 'Lump', 'lump', []);
      const material = new Material(kind);
      thing.material = material;
      expect(material.melting, kind).toBeLessThanOrEqual(material.boiling);
      for (const [degrees, state] of [
        [material.melting - 1, 'solid'],
        [material.melting, 'liquid'],
        [material.boiling, 'liquid'],
        [material.boiling + 1, 'gas'],
      ] as const) {
        material.temperature = degrees;
        settleState(thing, true);
        expect(material.state, `${kind} at ${degrees}`).toBe(state);
        expect(thing.name).toBe(material.names[state] ?? thing.name);
      }
    }
  });

  it('things without a material have none, and keep their name', () => {
    const bare = new Container(newWorld(), 'Box', 'box', []);
    settleState(bare, true);
    expect([bare.name, bare.material]).toEqual(['box', undefined]);
  });

  it('ice is called water until its first tick', () => {
    const frozen = ice(newWorld());
    expect(frozen.name).toBe('water');
    pass(frozen);
    expect(frozen.name).toBe('ice');
  });
});

describe('heat', () => {
  it('flows from the warmer to the colder, a tenth of the difference times the worse conductor', () => {
    const [hot, cold] = [materialAt(100), materialAt(0)];
    const worse = Math.min(hot.conductivity, cold.conductivity);
    exchange(hot, cold);
    expect(hot.temperature).toBeCloseTo(100 - 100 * worse * 0.1, 12);
    // The second sees what the first has become.
    expect(cold.temperature).toBeCloseTo(hot.temperature * worse * 0.1, 12);
    expect(cold.temperature).toBeLessThan(hot.temperature);
  });

  it('is held up by the worse conductor, whichever side it is on', () => {
    const [steel, wood] = [new Material('steel'), new Material('wood')];
    const worse = Math.min(steel.conductivity, wood.conductivity);
    expect(steel.conductivity).not.toBe(wood.conductivity);
    for (const [first, second] of [
      [materialAt(80, 'steel'), materialAt(20, 'wood')],
      [materialAt(80, 'wood'), materialAt(20, 'steel')],
    ] as const) {
      exchange(first, second);
      expect(first.temperature).toBeCloseTo(80 - 60 * worse * 0.1, 12);
    }
  });

  it('is nothing between equals, and at most a thousand degrees in a tick', () => {
    const [one, other] = [materialAt(20), materialAt(20)];
    exchange(one, other);
    expect([one.temperature, other.temperature]).toEqual([20, 20]);
    const [star, stone] = [materialAt(1e9, 'steel'), materialAt(0, 'steel')];
    exchange(star, stone);
    expect(star.temperature).toBe(1e9 - 1000);
  });

  it.each([
    ['Stove', 260],
    ['HotPlate', 260],
    ['Oven', 540],
    ['BlastFurnace', 3000],
  ] as const)('a %s that is on brings what is in it towards %d degrees, never past it', (kind, limit) => {
    const world = newWorld();
    const heater = new Heater(world, kind);
    const lead = new Substance(world, 'Lead');
    heater.add(lead);
    const before = temperature(lead);
    pass(heater, 3);
    expect(temperature(lead)).toBe(before);
    heater.device.isActivated = true;
    let last = temperature(lead);
    for (let tick = 0; tick < 120; tick++) {
      pass(heater);
      expect(temperature(lead)).toBeGreaterThanOrEqual(last);
      last = temperature(lead);
    }
    expect(last).toBeLessThanOrEqual(limit);
    expect(last).toBeGreaterThan(limit * 0.99);
  });

  it.each([
    ['Fridge', 2],
    ['Freezer', -18],
    ['UltraColdFreezer', -86],
  ] as const)('a %s cools to %d degrees while it is on, and warms nothing', (kind, limit) => {
    const world = newWorld();
    const cooler = new Cooler(world, kind);
    const [warm, cold] = [new Substance(world, 'Water'), new Substance(world, 'Water')];
    cold.material.temperature = -200;
    const own = new Cooler(world, kind);
    own.add(cold);
    cooler.add(warm);
    pass(cooler, 200);
    pass(own, 5);
    expect(temperature(warm)).toBeGreaterThanOrEqual(limit);
    expect(temperature(warm)).toBeLessThan(limit + 0.1);
    expect(temperature(cold)).toBe(-200);
    cooler.device.isActivated = false;
    const off = temperature(warm);
    pass(cooler, 5);
    expect(temperature(warm)).toBe(off);
  });

  it('boils water in a pot on a stove, by way of the pot', () => {
    const world = newWorld();
    const stove = new Heater(world, 'Stove');
    const pot = cup(world, 'MetalPot');
    const water = new Substance(world, 'Water');
    pot.add(water);
    stove.add(pot);
    stove.device.isActivated = true;
    const names = new Set<string>();
    for (let tick = 0; tick < 400 && water.name !== 'steam'; tick++) {
      pass(stove);
      names.add(water.name);
      expect(temperature(pot)).toBeGreaterThanOrEqual(temperature(water));
    }
    expect([...names]).toEqual(['water', 'steam']);
  });
});

describe('fire', () => {
  it('catches at the point of combustion and burns two hundred degrees hotter', () => {
    const wood = new Substance(newWorld(), 'Wood');
    wood.material.temperature = wood.material.combustion - 1;
    burn(wood);
    expect(wood.material.burning).toBe(false);
    wood.material.temperature = wood.material.combustion;
    burn(wood);
    expect(wood.material).toMatchObject({ burning: true, burned: true, temperature: wood.material.combustion + 200 });
    expect(wood.title()).toBe('wood (on fire)');
  });

  it('uses up its fuel tick by tick and leaves ash in its place, as hot as it was', () => {
    const world = newWorld();
    const place = new Container(world, 'Pit', 'pit', []);
    const wood = new Substance(world, 'Wood');
    place.add(wood);
    expect(ignite(wood)).toBe('The wood catches fire.');
    const { fuel } = wood.material;
    expect(fuel).toBeGreaterThan(0);
    for (let tick = 1; tick < fuel; tick++) {
      burn(wood);
      expect([wood.material.fuel, wood.deleted]).toEqual([fuel - tick, false]);
    }
    burn(wood);
    expect(wood.deleted).toBe(true);
    expect(place.visible.map(({ name }) => name)).toEqual(['ash']);
    expect(place.visible.map(temperature)).toEqual([wood.material.temperature]);
  });

  it('is put out by liquid water beside it, which takes its heat', () => {
    const world = newWorld();
    const place = new Container(world, 'Pit', 'pit', []);
    const [wood, water] = [new Substance(world, 'Wood'), new Substance(world, 'Water')];
    water.material.state = 'liquid';
    place.add(wood);
    ignite(wood);
    place.add(water);
    burn(wood);
    expect(wood.material).toMatchObject({ burning: false, temperature: wood.material.combustion - 10 });
    expect(water.material.temperature).toBe(wood.material.combustion + 200);
    expect(wood.title()).toBe('burned wood');
  });

  it('is not put out by ice', () => {
    const world = newWorld();
    const place = new Container(world, 'Pit', 'pit', []);
    const [wood, water] = [new Substance(world, 'Wood'), new Substance(world, 'Water')];
    water.material.state = 'solid';
    place.add(wood);
    place.add(water);
    ignite(wood);
    burn(wood);
    expect(wood.material.burning).toBe(true);
  });

  it('says why a thing does not burn', () => {
    const world = newWorld();
    const wood = new Substance(world, 'Wood');
    ignite(wood);
    expect(ignite(wood)).toBe('The wood is already on fire.');
    expect(ignite(new Container(world, 'Box', 'box', []))).toBe('That is not flammable.');
    const ash = new Substance(world, 'Ash');
    ash.material.fuel = 0;
    expect(ignite(ash)).toBe('The ash is not flammable.');
  });
});
