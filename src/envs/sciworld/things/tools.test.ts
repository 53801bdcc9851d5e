/** Tools: what thermometer, lighter, shovel, axe and stopwatch do to what they are used on, and say of the rest. */
import { describe, expect, it } from 'vitest';
import { treesAtEveryStage } from '../life/plants.ts';
import { LAWS } from '../processes/laws.ts';
import { Substance } from '../substances/substance.ts';
import { Container } from './containers.ts';
import { lightBulb } from './electrical.ts';
import { Ground } from './outdoors.ts';
import { Axe, Lighter, Shovel, StopWatch, Thermometer } from './tools.ts';
import type { Thing } from './thing.ts';
import { World } from './world.ts';

const newWorld = (): World<Thing> => new World(LAWS);

describe('a thermometer', () => {
  it.each([
    [21.4, '21'],
    [21.5, '22'],
    [-10.2, '-10'],
    [0, '0'],
  ])('reads %d degrees as %s', (degrees, read) => {
    const world = newWorld();
    const water = new Substance(world, 'Water');
    water.material.temperature = degrees;
    expect(new Thermometer(world).useOn(water)).toEqual({
      done: true,
      text: `the thermometer measures a temperature of ${read} degrees celsius`,
    });
  });

  it('reads nothing of things without a temperature', () => {
    const world = newWorld();
    const { text } = new Thermometer(world).useOn(new Container(world, 'Box', 'box', []));
    expect(text).toMatch(/doesn't appear to have a temperature/);
  });
});

describe('a lighter', () => {
  it('sets on fire what burns below its flame, and warms the rest by ten degrees', () => {
    const world = newWorld();
    const [wood, brick] = [new Substance(world, 'Wood'), new Substance(world, 'Brick')];
    const before = brick.material.temperature;
    const lighter = new Lighter(world);
    expect(lighter.useOn(wood).text).toBe('The wood catches fire.');
    expect(wood.material.burning).toBe(true);
    expect(lighter.useOn(brick).text).toBe('The lighter heats up the brick a small amount.');
    expect([brick.material.temperature, brick.material.burning]).toEqual([before + 10, false]);
    expect(lighter.useOn(new Container(world, 'Box', 'box', [])).text).toBe("It's not clear how to use those items together.");
  });
});

describe('a shovel', () => {
  it('digs a hole in the ground and puts the soil beside it', () => {
    const world = newWorld();
    const place = new Container(world, 'Outside', 'outside', []);
    const ground = new Ground(world);
    place.add(ground);
    expect(new Shovel(world).useOn(ground)).toEqual({
      done: true,
      text: 'You dig a hole in the ground, and place the soil nearby.',
    });
    expect(place.visible.map(({ kind }) => kind).sort()).toEqual(['Ground', 'Hole', 'Soil']);
  });

  it('digs nowhere else', () => {
    const world = newWorld();
    expect(new Shovel(world).useOn(new Substance(world, 'Brick'))).toMatchObject({ done: false });
    expect(new Shovel(world).useOn(new Ground(world)).text).toMatch(/does not appear to be in a location/);
  });
});

describe('an axe', () => {
  it('makes wood of a tree, and breaks devices', () => {
    const world = newWorld();
    const place = new Container(world, 'Outside', 'outside', []);
    const [seed, ...trees] = treesAtEveryStage(world, 'AppleTree');
    for (const tree of trees) place.add(tree);
    const bulb = lightBulb(world, 'red');
    const axe = new Axe(world);
    for (const tree of trees) expect(axe.useOn(tree).text).toMatch(/^You chop down the .*, creating wood\.$/);
    expect(place.visible.map(({ kind }) => kind)).toEqual(trees.map(() => 'Wood'));
    expect(seed && (place.add(seed), axe.useOn(seed).text)).toBe("You can't chop a seed.");
    expect(axe.useOn(bulb).text).toBe('You hit the red light bulb with the axe, causing it to break.');
    expect(bulb.device.isBroken).toBe(true);
    expect(axe.useOn(new Substance(world, 'Water')).done).toBe(false);
  });
});

it('a stopwatch counts the ticks of its last run', () => {
  const world = newWorld();
  const watch = new StopWatch(world);
  const pass = (ticks: number): void => {
    for (let i = 0; i < ticks; i++) {
      world.clock += 1;
      watch.tick();
    }
  };
  pass(3);
  expect(watch.time).toBe(0);
  watch.device.isActivated = true;
  pass(5);
  expect(watch.describe(true)).toBe('a stopwatch, which is activated. The time reads 5 ticks.');
  watch.device.isActivated = false;
  pass(2);
  expect(watch.time).toBe(5);
  watch.device.isActivated = true;
  pass(1);
  expect(watch.time).toBe(1);
});
