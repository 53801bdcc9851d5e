/** Ways through what is in sight, checked by walking them; what is seen, checked cell by cell. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid, Move, stepX, stepY, turned, type Direction } from '../world/grid.ts';
import { colourOf, colours, empty, hidesView, isOpenDoor, kindOf, kinds, stateOf, Thing, unseen } from '../world/things.ts';
import { look, viewOrigin, viewSize } from '../world/view.ts';
import { waysFrom } from './path.ts';
import type { Seen } from './sight.ts';

const side = 7;
const area = { left: 0, top: 0, right: side, bottom: side };
const thingAt = (x: number, y: number, kind: Seen['kind'] = 'wall'): Seen => ({ kind, name: '', x, y, ahead: 0, right: 0 });
const direction = fc.constantFrom<Direction>(0, 1, 2, 3);
const cell = fc.integer({ min: 0, max: side - 1 });

/** Where moves lead; undefined where they run into something. */
function walked(start: { x: number; y: number; d: Direction }, moves: readonly Move[], blocked: ReadonlySet<string>) {
  let { x, y, d } = start;
  for (const move of moves) {
    if (move === Move.left) d = turned(d, 3);
    else if (move === Move.right) d = turned(d, 1);
    else {
      x += stepX[d];
      y += stepY[d];
      if (blocked.has(`${x} ${y}`)) return undefined;
    }
  }
  return { x, y, d };
}

/** The fewest moves to a state that fits, by a search of its own. */
function fewest(
  start: { x: number; y: number; d: Direction },
  blocked: ReadonlySet<string>,
  fits: (x: number, y: number, d: Direction) => boolean,
) {
  const seen = new Set<string>();
  let front = [start];
  for (let moves = 0; front.length > 0; moves++) {
    const next: (typeof start)[] = [];
    for (const { x, y, d } of front) {
      if (seen.has(`${x} ${y} ${d}`)) continue;
      seen.add(`${x} ${y} ${d}`);
      if (fits(x, y, d)) return moves;
      next.push({ x, y, d: turned(d, 1) }, { x, y, d: turned(d, 3) });
      const [ahead, down] = [x + stepX[d], y + stepY[d]];
      if (ahead >= 0 && down >= 0 && ahead < side && down < side && !blocked.has(`${ahead} ${down}`))
        next.push({ x: ahead, y: down, d });
    }
    front = next;
  }
  return undefined;
}

describe('ways', () => {
  const scene = fc.record({
    x: cell,
    y: cell,
    d: direction,
    goalX: cell,
    goalY: cell,
    walls: fc.array(fc.tuple(cell, cell), { maxLength: 20 }),
  });
  it('lead to where the goal is right ahead, or under the feet, by as few moves as can be', () => {
    fc.assert(
      fc.property(scene, ({ x, y, d, goalX, goalY, walls }) => {
        const things = walls.filter(([a, b]) => a !== x || b !== y).map(([a, b]) => thingAt(a, b));
        const blocked = new Set(things.map((thing) => `${thing.x} ${thing.y}`));
        const ways = waysFrom(x, y, d, area, things);
        const start = { x, y, d };
        const facing = ways.facing(goalX, goalY);
        const ahead = (px: number, py: number, pd: Direction): boolean => px + stepX[pd] === goalX && py + stepY[pd] === goalY;
        expect(facing?.length).toBe(fewest(start, blocked, ahead));
        const end = facing && walked(start, facing, blocked);
        if (facing) expect(end && ahead(end.x, end.y, end.d)).toBe(true);
        const onto = ways.onto(goalX, goalY);
        expect(onto?.length).toBe(fewest(start, blocked, (px, py) => px === goalX && py === goalY));
        if (onto) expect(walked(start, onto, blocked)).toMatchObject({ x: goalX, y: goalY });
      }),
      { seed: 1, numRuns: 150 },
    );
  });
  it('go through doors, closed ones too, and around everything else', () => {
    const wall = [0, 1, 2, 4, 5, 6].map((x) => thingAt(x, 3));
    for (const [kind, open] of [
      ['door', true],
      ['ball', false],
      ['box', false],
      ['key', false],
    ] as const)
      expect(waysFrom(3, 6, 3, area, [...wall, thingAt(3, 3, kind)]).onto(3, 0) !== null, kind).toBe(open);
  });
  it('are none for what lies outside', () => {
    const ways = waysFrom(3, 3, 0, area, []);
    for (const [x, y] of [
      [-1, 3],
      [3, -1],
      [7, 3],
      [3, 7],
    ] as const)
      expect([ways.facing(x, y), ways.onto(x, y)]).toEqual([null, null]);
  });
  it('need no move to where one stands, or to what is ahead', () => {
    const ways = waysFrom(3, 3, 0, area, []);
    expect([ways.onto(3, 3), ways.facing(4, 3)]).toEqual([[], []]);
  });
});

describe('sight', () => {
  const seen = (grid: Grid, x: number, y: number, d: Direction, carried: Thing | null = null): number[] => {
    const view = new Uint16Array(viewSize * viewSize);
    look(view, grid, x, y, d, carried);
    return Array.from(view);
  };
  it.each([0, 1, 2, 3] as const)('shows what lies ahead and beside, whichever way one looks (%d)', (d) => {
    const grid = new Grid(15, 15);
    const [dx, dy] = [stepX[d], stepY[d]];
    // Three ahead and two to the right.
    const ball = new Thing('ball', 'red');
    grid.put(7 + 3 * dx - 2 * dy, 7 + 3 * dy + 2 * dx, ball);
    const view = seen(grid, 7, 7, d);
    expect(view.indexOf(ball.code)).toBe((viewSize - 1 - 3) * viewSize + 3 + 2);
    expect(view.filter((code) => code !== empty)).toEqual([ball.code]);
  });
  it('begins at the far left corner', () => {
    expect(viewOrigin(10, 10, 3)).toEqual({ left: 7, top: 4 });
    expect(viewOrigin(10, 10, 0)).toEqual({ left: 16, top: 7 });
  });
  it('ends at walls and at doors that are not open', () => {
    const behind = new Thing('key', 'blue');
    for (const [state, shown] of [
      ['open', true],
      ['closed', false],
      ['locked', false],
    ] as const) {
      const grid = new Grid(15, 15);
      for (let x = 0; x < 15; x++) grid.set(x, 5, new Thing('wall', 'grey'));
      grid.put(7, 5, Thing.door('red', state));
      grid.put(7, 3, behind);
      expect(seen(grid, 7, 7, 3).includes(behind.code), state).toBe(shown);
    }
  });
  it('takes what lies outside of the grid for walls', () => {
    const view = seen(new Grid(5, 5), 2, 2, 3);
    expect(view.some((code) => kindOf(code) === 'wall')).toBe(true);
    expect(view).toContain(unseen);
  });
  it('shows what is carried where one stands', () => {
    const key = new Thing('key', 'green');
    expect(seen(new Grid(15, 15), 7, 7, 0, key)[viewSize * (viewSize - 1) + 3]).toBe(key.code);
  });
});

describe('things', () => {
  it('are told by their codes: kind, colour, state', () => {
    for (const kind of kinds)
      for (const colour of colours) {
        const thing = new Thing(kind, colour);
        expect([kindOf(thing.code), colourOf(thing.code)]).toEqual([kind, colour]);
        expect(thing.portable).toBe(['key', 'ball', 'box'].includes(kind));
      }
    for (const state of ['open', 'closed', 'locked'] as const) {
      const door = Thing.door('yellow', state);
      expect([stateOf(door.code), door.state, isOpenDoor(door.code), hidesView(door.code), door.passable]).toEqual([
        state,
        state,
        state === 'open',
        state !== 'open',
        state === 'open',
      ]);
      door.paint('red');
      expect([colourOf(door.code), door.state]).toEqual(['red', state]);
    }
    expect([kindOf(empty), kindOf(unseen), hidesView(empty)]).toEqual([undefined, undefined, false]);
  });
});
