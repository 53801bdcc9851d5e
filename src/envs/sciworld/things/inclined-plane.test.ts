/** Inclined planes: how fast things slide by angle and surface, and how the plane says where they are. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../processes/laws.ts';
import { MATERIALS, type MaterialKind } from '../substances/materials.ts';
import { Substance } from '../substances/substance.ts';
import { InclinedPlane } from './inclined-plane.ts';
import type { Thing } from './thing.ts';
import { World } from './world.ts';

function plane(angle: number, surface?: MaterialKind, label?: string) {
  const world = new World<Thing>(LAWS);
  const slope = new InclinedPlane(world, angle, surface, label);
  const block = new Substance(world, 'Brick');
  slope.add(block);
  const pass = (ticks = 1): number => {
    for (let i = 0; i < ticks; i++) {
      world.clock += 1;
      slope.tick();
    }
    return slope.heightOf(block) ?? NaN;
  };
  const ticksDown = (): number => {
    let ticks = 0;
    while (pass() > 0) ticks++;
    return ticks + 1;
  };
  return { world, slope, block, pass, ticksDown };
}

describe('sliding', () => {
  it.each([10, 30, 45, 60, 80])('at %d degrees falls by a tenth of the sine a tick, less the friction', (angle) => {
    const { pass, slope } = plane(angle);
    const step = 0.1 * Math.sin((angle * Math.PI) / 180) * (1 - slope.surface.friction);
    expect(pass()).toBeCloseTo(1 - step, 6);
    expect(pass(2)).toBeCloseTo(1 - 3 * step, 6);
  });

  it('is faster the steeper the plane', () => {
    const times = [10, 20, 30, 40, 50, 60, 70, 80].map((angle) => plane(angle).ticksDown());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times[0]).toBeGreaterThan(3 * (times.at(-1) ?? NaN));
  });

  it('is slower the rougher the surface', () => {
    const surfaces: MaterialKind[] = ['steel', 'wood', 'sandpaper', 'soapyWater', 'rubber', 'glass'];
    const byFriction = [...surfaces].sort((a, b) => MATERIALS[a].friction - MATERIALS[b].friction);
    const times = byFriction.map((surface) => plane(45, surface).ticksDown());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBeGreaterThan(2);
  });

  it('ends at the bottom, and a thing that is put there again starts at the top', () => {
    const { pass, slope, block } = plane(60);
    expect(pass(60)).toBe(0);
    expect(pass(5)).toBe(0);
    slope.add(block);
    expect(slope.heightOf(block)).toBe(1);
  });

  it('a liquid is at the bottom at once, a gas stays at the top', () => {
    for (const [state, height] of [
      ['liquid', 0],
      ['gas', 1],
    ] as const) {
      const { slope, block, world } = plane(20);
      block.material.state = state;
      // Its temperature would settle its state, so only the slope looks at it.
      world.clock += 1;
      slope.tick();
      expect(slope.heightOf(block), state).toBe(height);
    }
  });
});

describe('what it says', () => {
  it.each([
    [0, 'at the top of the plane'],
    [1, 'approximately 5% down the plane'],
    [5, 'approximately 25% down the plane'],
    [60, 'at the bottom of the plane'],
  ])('after %d ticks at 80 degrees: %s', (ticks, where) => {
    const { slope, pass } = plane(80);
    pass(ticks);
    // A session collapses runs of blanks.
    expect(slope.describe(false).replace(/ +/g, ' ')).toBe(`an inclined plane, with: a brick ${where}`);
  });

  it('an empty one says nothing of blocks', () => {
    const world = new World<Thing>(LAWS);
    expect(new InclinedPlane(world, 45).describe(true)).toBe('an inclined plane');
  });

  it('is called by its surface and by its letter, and never by its angle', () => {
    const rough = plane(45, 'sandpaper').slope;
    expect(rough.title()).toBe('inclined plane with a sandpaper surface');
    const lettered = plane(70, undefined, 'B').slope;
    expect(lettered.title()).toBe('inclined plane B');
    expect(lettered.referents()).toEqual(expect.arrayContaining(['plane', 'plane B', 'inclined plane B']));
    expect([rough.describe(true), lettered.describe(true)].join()).not.toMatch(/45|70/);
  });
});
