/** Water: what runs while it is on, where it goes, and which containers it fills. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../processes/laws.ts';
import { Container, cup, FlowerPot, Sewer } from './containers.ts';
import { Basin, Fountain, Toilet } from './plumbing.ts';
import { Drain } from './portal.ts';
import type { Thing } from './thing.ts';
import { World } from './world.ts';

const waters = (thing: Thing): number => thing.contentsOfKind('Water').length;

function plumbing(kind: 'Sink' | 'Bathtub' = 'Sink') {
  const world = new World<Thing>(LAWS);
  const sewer = new Sewer(world);
  const basin = new Basin(world, kind, sewer);
  const drain = basin.portals.find((portal) => portal instanceof Drain);
  if (!drain) throw new RangeError('no drain');
  const pass = (thing: Thing, ticks = 1): void => {
    for (let i = 0; i < ticks; i++) {
      world.clock += 1;
      thing.tick();
    }
  };
  return { world, sewer, basin, drain, pass };
}

describe.each(['Sink', 'Bathtub'] as const)('a %s', (kind) => {
  it('is dry while it is off', () => {
    const { basin, pass } = plumbing(kind);
    pass(basin, 3);
    expect(waters(basin)).toBe(0);
  });

  it('fills the open cups in it, and its own water runs off', () => {
    const { world, basin, sewer, pass } = plumbing(kind);
    const [pot, jar] = [cup(world, 'MetalPot'), cup(world, 'GlassJar')];
    basin.add(pot);
    basin.add(jar);
    basin.device.isActivated = true;
    pass(basin, 3);
    expect([waters(pot), waters(jar)]).toEqual([1, 0]);
    expect(waters(sewer)).toBeGreaterThan(0);
    basin.device.isActivated = false;
    pass(basin, 2);
    expect([waters(basin), waters(pot)]).toEqual([0, 1]);
  });

  it('keeps its water where the drain is closed, once', () => {
    const { basin, sewer, drain, pass } = plumbing(kind);
    drain.portal.isOpen = false;
    basin.device.isActivated = true;
    pass(basin, 4);
    expect([waters(basin), waters(sewer)]).toEqual([1, 0]);
  });

  it('cannot be carried, and says whether it runs and whether its drain is open', () => {
    const { basin, drain } = plumbing(kind);
    expect(basin.movable).toBe(false);
    const name = kind.toLowerCase();
    expect(basin.describe(true)).toBe(`a ${name}, which is turned off. In the ${name} is: nothing. The drain is open.`);
    basin.device.isActivated = true;
    drain.portal.isOpen = false;
    expect(basin.describe(true)).toBe(`a ${name}, which is turned on. In the ${name} is: nothing. The drain is closed.`);
  });
});

describe('a toilet', () => {
  it('has water, which goes at a flush, and has new water after it', () => {
    const { world, sewer, pass } = plumbing();
    const toilet = new Toilet(world, sewer);
    expect(waters(toilet)).toBe(1);
    pass(toilet, 2);
    expect([waters(toilet), waters(sewer)]).toEqual([1, 0]);
    toilet.device.isActivated = true;
    pass(toilet);
    expect(toilet.describe(false)).toMatch(/^a toilet, which is flushing\. /);
    expect(waters(sewer)).toBeGreaterThan(0);
    pass(toilet, 5);
    expect([toilet.device.isActivated, waters(toilet)]).toEqual([false, 1]);
    const gone = waters(sewer);
    pass(toilet, 3);
    expect(waters(sewer)).toBe(gone);
  });

  it('flushes for five ticks', () => {
    const { world, sewer, pass } = plumbing();
    const toilet = new Toilet(world, sewer);
    toilet.device.isActivated = true;
    const flushing = Array.from({ length: 7 }, () => {
      pass(toilet);
      return toilet.device.isActivated;
    });
    expect(flushing).toEqual([true, true, true, true, false, false, false]);
  });
});

describe('what fills itself', () => {
  it('a fountain always has water, and one water only', () => {
    const { world, pass } = plumbing();
    const fountain = new Fountain(world);
    pass(fountain, 3);
    expect(waters(fountain)).toBe(1);
  });

  it('a flower pot does where it is of the kind that does, or where the house is made so', () => {
    const { world, pass } = plumbing();
    const [plain, own] = [new FlowerPot(world), new FlowerPot(world, true)];
    pass(plain);
    pass(own);
    expect([waters(plain), waters(own)]).toEqual([0, 1]);
    expect([plain.name, own.name]).toEqual(['flower pot', 'self watering flower pot']);
    world.selfWatering = true;
    pass(plain);
    expect(waters(plain)).toBe(1);
  });
});

describe('cups', () => {
  it('are called by what is in them', () => {
    const { world } = plumbing();
    const pot = cup(world, 'MetalPot');
    expect(pot.referents()).toContain('pot containing nothing');
    expect(pot.describe(false)).toContain('metal pot');
    const box = new Container(world, 'Box', 'box', ['crate']);
    pot.add(box);
    expect(pot.referents()).toContain('metal pot containing box');
    expect(pot.describe(false)).toBe('a metal pot (containing a box (containing nothing))');
  });

  it.each([
    ['MetalPot', 'steel', true],
    ['GlassCup', 'glass', true],
    ['WoodBowl', 'wood', true],
    ['GlassJar', 'glass', false],
  ] as const)('a %s is of %s; open: %s', (kind, material, open) => {
    const made = cup(plumbing().world, kind);
    expect([made.material?.substance, made.vessel.isOpen, made.vessel.isClosable]).toEqual([material, open, !open]);
  });
});
