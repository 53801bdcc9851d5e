/** MiniGrid's rules of the seven moves, of doors and keys, and of rewards. */
import { describe, expect, it } from 'vitest';
import { Move } from './grid.ts';
import type { Mission } from './mission.ts';
import { moved, scene } from './scene.fixture.ts';
import { Thing, type DoorState } from './things.ts';

const elsewhere: Mission = { do: 'go to', what: { kind: 'box', colour: 'grey' } };
const { left, right, forward, pickup, drop, toggle, done } = Move;

describe('turning and walking', () => {
  it.each([
    [[left], 3],
    [[right], 1],
    [[left, left], 2],
    [[right, right, right, right], 0],
  ])('%j turns the agent to %d and moves it nowhere', (moves, direction) => {
    const world = scene([], elsewhere);
    moved(world, ...moves);
    expect([world.maze.direction, world.maze.x, world.maze.y]).toEqual([direction, 3, 3]);
  });

  it.each([
    [[forward], 4, 3],
    [[right, forward], 3, 4],
    [[left, forward], 3, 2],
    [[left, left, forward, forward], 1, 3],
    [[forward, forward, forward, forward, forward], 6, 3],
  ])('%j leads to (%d, %d); walls stop it', (moves, x, y) => {
    const world = scene([], elsewhere);
    moved(world, ...moves);
    expect([world.maze.x, world.maze.y]).toEqual([x, y]);
  });

  it.each(['key', 'ball', 'box'] as const)('a %s stands in the way', (kind) => {
    const world = scene([[4, 3, new Thing(kind, 'red')]], elsewhere);
    moved(world, forward);
    expect(world.maze.x).toBe(3);
  });

  it('"done" changes nothing but the count of steps', () => {
    const world = scene([], elsewhere);
    const before = world.maze.grid.encode();
    expect(moved(world, done)).toEqual({ reward: 0, terminated: false, truncated: false });
    expect([world.maze.grid.encode(), world.steps]).toEqual([before, 1]);
  });
});

describe('the hand', () => {
  it.each(['key', 'ball', 'box'] as const)('takes a %s that is right ahead, and puts it down again', (kind) => {
    const thing = new Thing(kind, 'blue');
    const world = scene([[4, 3, thing]], elsewhere);
    moved(world, pickup);
    expect([world.carrying, world.maze.grid.at(4, 3), thing.x]).toEqual([thing, null, -1]);
    moved(world, left, drop);
    expect([world.carrying, world.maze.grid.at(3, 2), thing.x, thing.y]).toEqual([null, thing, 3, 2]);
  });

  it('holds one thing at a time', () => {
    const [first, second] = [new Thing('ball', 'red'), new Thing('ball', 'green')];
    const world = scene(
      [
        [4, 3, first],
        [3, 2, second],
      ],
      elsewhere,
    );
    moved(world, pickup, left, pickup);
    expect([world.carrying, world.maze.grid.at(3, 2)]).toEqual([first, second]);
  });

  it('puts nothing onto a thing or into a wall', () => {
    const [ball, key] = [new Thing('ball', 'red'), new Thing('key', 'green')];
    const world = scene(
      [
        [4, 3, ball],
        [3, 2, key],
      ],
      elsewhere,
    );
    moved(world, pickup, left, drop);
    expect([world.carrying, world.maze.grid.at(3, 2)]).toEqual([ball, key]);
  });

  it('takes no door and no wall', () => {
    const world = scene([[4, 3, Thing.door('red', 'closed')]], elsewhere);
    moved(world, pickup);
    expect(world.carrying).toBeNull();
  });
});

describe('doors and boxes', () => {
  const withKey = (colour: 'red' | 'blue' | null, state: DoorState) => {
    const door = Thing.door('red', state);
    const things: [number, number, Thing][] = [[4, 3, door]];
    if (colour) things.push([3, 2, new Thing('key', colour)]);
    const world = scene(things, elsewhere);
    if (colour) moved(world, left, pickup, right);
    moved(world, toggle);
    return door.state;
  };

  it.each([
    ['closed', null, 'open'],
    ['open', null, 'closed'],
    ['locked', null, 'locked'],
    ['locked', 'blue', 'locked'],
    ['locked', 'red', 'open'],
    ['closed', 'blue', 'open'],
  ] as const)('a %s red door, toggled with a key of colour %s, is then %s', (state, key, then) => {
    expect(withKey(key, state)).toBe(then);
  });

  it('a key is kept after it has opened a door, and a ball opens none', () => {
    const door = Thing.door('red', 'locked');
    const ball = new Thing('ball', 'red');
    const world = scene(
      [
        [4, 3, door],
        [3, 2, ball],
      ],
      elsewhere,
    );
    moved(world, left, pickup, right, toggle);
    expect([door.state, world.carrying]).toEqual(['locked', ball]);
  });

  it.each([
    ['open', 4],
    ['closed', 3],
    ['locked', 3],
  ] as const)('one walks into an %s door as far as %d', (state, x) => {
    const world = scene([[4, 3, Thing.door('red', state)]], elsewhere);
    moved(world, forward);
    expect(world.maze.x).toBe(x);
  });

  it('a toggled box becomes what is in it, and an empty one vanishes', () => {
    const [full, blank, key] = [new Thing('box', 'green'), new Thing('box', 'green'), new Thing('key', 'yellow')];
    full.contents = key;
    const world = scene(
      [
        [4, 3, full],
        [3, 2, blank],
      ],
      elsewhere,
    );
    moved(world, toggle, left, toggle);
    expect([world.maze.grid.at(4, 3), world.maze.grid.at(3, 2)]).toEqual([key, null]);
  });
});

describe('reward', () => {
  const ball: [number, number, Thing] = [6, 3, new Thing('ball', 'red')];
  const toBall: Mission = { do: 'go to', what: { kind: 'ball', colour: 'red' } };

  it('is 1 − 0.9 × steps ÷ most on the step that completes the mission, and 0 before', () => {
    const world = scene([ball], toBall);
    expect(world.maxSteps).toBe(8 ** 2);
    expect(moved(world, forward)).toEqual({ reward: 0, terminated: false, truncated: false });
    expect(moved(world, forward)).toEqual({ reward: 1 - (0.9 * 2) / 64, terminated: true, truncated: false });
  });

  it('is smaller the longer it took, down to a tenth', () => {
    const rewards = [0, 1, 2, 3].map((wasted) => {
      const world = scene([ball], toBall);
      for (let turn = 0; turn < wasted * 4; turn++) world.step(left);
      return moved(world, forward, forward).reward;
    });
    expect([...rewards].sort((a, b) => b - a)).toEqual(rewards);
    const late = scene([ball], toBall);
    for (let turn = 0; turn < 62; turn++) late.step(turn % 2 === 0 ? left : right);
    const last = moved(late, forward, forward);
    expect(last.reward).toBeCloseTo(0.1, 12);
    expect(last.truncated).toBe(true);
  });

  it('putting something next to something may take two walks, so it has twice the steps', () => {
    const mission: Mission = { do: 'put next to', what: { kind: 'ball' }, fixed: { kind: 'key' } };
    const world = scene([ball, [1, 1, new Thing('key', 'blue')]], mission);
    expect(world.maxSteps).toBe(2 * 8 ** 2);
    expect(scene([ball], { do: 'and', first: toBall, second: toBall }).maxSteps).toBe(2 * 8 ** 2);
  });
});
