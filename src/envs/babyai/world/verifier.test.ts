/** When a mission is done: each deed, strict ones, and missions of several parts in their order. Sentences as MiniGrid says them. */
import { describe, expect, it } from 'vitest';
import { Move } from './grid.ts';
import type { Deed, Description, Mission } from './mission.ts';
import { moved, scene, type Placed } from './scene.fixture.ts';
import { Thing } from './things.ts';

const { left, right, forward, pickup, drop, toggle } = Move;
const goTo = (what: Description): Deed => ({ do: 'go to', what });

/** A ball two ahead, a key above, a closed door below. */
const room = (): readonly Placed[] => [
  [5, 3, new Thing('ball', 'red')],
  [3, 2, new Thing('key', 'blue')],
  [3, 4, Thing.door('green', 'closed')],
];

describe('go to', () => {
  it('is done by facing the thing from the next cell, not by standing two away', () => {
    const world = scene(room(), goTo({ kind: 'ball' }));
    expect(world.step(Move.done).terminated).toBe(false);
    expect(moved(world, forward).terminated).toBe(true);
  });

  it('is done by turning towards it', () => {
    expect(moved(scene(room(), goTo({ kind: 'key' })), left).terminated).toBe(true);
    expect(moved(scene(room(), goTo({ kind: 'key' })), right).terminated).toBe(false);
  });

  it('asks for the colour as well as the kind', () => {
    expect(moved(scene(room(), goTo({ kind: 'ball', colour: 'green' })), forward).terminated).toBe(false);
    expect(moved(scene(room(), goTo({ colour: 'red' })), forward).terminated).toBe(true);
  });

  it('takes places as seen from where the agent starts', () => {
    for (const [place, moves, found] of [
      ['left', [left], true],
      ['right', [left], false],
      ['front', [forward], true],
      ['behind', [forward], false],
    ] as const) {
      const things = room().filter(([, , { kind }]) => kind !== 'door');
      expect(moved(scene(things, goTo({ place })), ...moves).terminated, place).toBe(found);
    }
  });
});

describe('open', () => {
  const open = (strict: boolean): Deed => ({ do: 'open', what: { kind: 'door', colour: 'green' }, strict });

  it('is done when the door is toggled open, not when it is faced', () => {
    const world = scene(room(), open(false));
    expect(moved(world, right).terminated).toBe(false);
    expect(moved(world, toggle)).toMatchObject({ terminated: true, reward: 1 - (0.9 * 2) / 64 });
  });

  it('a wrong door spoils a strict mission without reward, and no other', () => {
    const doors = (): readonly Placed[] => [...room(), [4, 3, Thing.door('red', 'closed')]];
    expect(moved(scene(doors(), open(true)), toggle)).toMatchObject({ terminated: true, reward: 0 });
    expect(moved(scene(doors(), open(false)), toggle)).toMatchObject({ terminated: false });
  });

  it('closing it is not opening it', () => {
    const world = scene([[3, 4, Thing.door('green', 'open')]], open(false));
    expect(moved(world, right, toggle).terminated).toBe(false);
    expect(moved(world, toggle).terminated).toBe(true);
  });
});

describe('pick up', () => {
  const take = (strict: boolean): Deed => ({ do: 'pick up', what: { kind: 'ball' }, strict });

  it('is done when the right thing is in the hand', () => {
    const world = scene(room(), take(false));
    expect(moved(world, forward).terminated).toBe(false);
    expect(moved(world, pickup).terminated).toBe(true);
  });

  it('another thing spoils a strict mission, and no other', () => {
    expect(moved(scene(room(), take(true)), left, pickup)).toMatchObject({ terminated: true, reward: 0 });
    expect(moved(scene(room(), take(false)), left, pickup)).toMatchObject({ terminated: false });
    expect(moved(scene(room(), take(true)), pickup)).toMatchObject({ terminated: false });
  });
});

describe('put next to', () => {
  const mission: Mission = { do: 'put next to', what: { kind: 'key' }, fixed: { kind: 'ball' } };

  it('is done when the thing lies beside the other, along a row or a column', () => {
    const world = scene(room(), mission);
    expect(moved(world, left, pickup, right).terminated).toBe(false);
    expect(moved(world, drop).terminated).toBe(true);
  });

  it('is not done across a corner, nor by another thing', () => {
    const across = scene([...room().slice(1), [4, 2, new Thing('ball', 'red')]], {
      do: 'put next to',
      what: { kind: 'key' },
      fixed: { kind: 'door' },
    });
    expect(moved(across, left, pickup, right, drop).terminated).toBe(false);
    const other = scene([...room(), [2, 3, new Thing('box', 'grey')]], mission);
    expect(moved(other, left, left, pickup, right, right, drop).terminated).toBe(false);
  });
});

describe('missions of two parts', () => {
  const key = goTo({ kind: 'key' });
  const ball = goTo({ kind: 'ball' });
  const ends = (mission: Mission, moves: readonly Move[]): boolean[] => {
    const world = scene(room(), mission);
    return moves.map((move) => world.step(move).terminated);
  };
  const keyThenBall = [left, right, forward];
  const ballThenKey = [forward, left, left, forward, right];

  it.each([
    ['and', keyThenBall, true],
    ['and', ballThenKey, true],
    ['then', keyThenBall, true],
    ['then', ballThenKey, false],
    ['after', ballThenKey, true],
    ['after', keyThenBall, false],
  ] as const)('"key %s ball" by %j: %s', (order, moves, done) => {
    const last = ends({ do: order, first: key, second: ball }, moves).at(-1);
    expect(last).toBe(done);
  });

  it('are in words what they are in data', () => {
    const said = (mission: Mission): string => scene(room(), mission).sentence;
    expect(said({ do: 'and', first: key, second: ball })).toBe('go to the key and go to the ball');
    expect(said({ do: 'then', first: key, second: ball })).toBe('go to the key, then go to the ball');
    expect(said({ do: 'after', first: key, second: ball })).toBe('go to the key after you go to the ball');
    expect(said({ do: 'open', what: { kind: 'door', colour: 'green' } })).toBe('open the green door');
    expect(said({ do: 'pick up', what: { colour: 'red' } })).toBe('pick up the red object');
    expect(said({ do: 'put next to', what: { kind: 'key' }, fixed: { kind: 'ball' } })).toBe('put the key next to the ball');
  });

  it.each([
    ['left', 'on your left'],
    ['right', 'on your right'],
    ['front', 'in front of you'],
    ['behind', 'behind you'],
  ] as const)('say %s as "%s"', (place, words) => {
    expect(scene(room(), goTo({ kind: 'ball', place })).sentence).toBe(`go to the ball ${words}`);
  });

  it('say "a" where several things fit', () => {
    const two: readonly Placed[] = [...room(), [6, 6, new Thing('ball', 'blue')]];
    expect(scene(two, goTo({ kind: 'ball' })).sentence).toBe('go to a ball');
    expect(scene(two, goTo({ kind: 'ball', colour: 'blue' })).sentence).toBe('go to the blue ball');
  });
});
