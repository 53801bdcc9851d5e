/** Levels in which something is put next to something else: in one room, or across two with the wall between them gone. */
import { described, type Mission } from '../mission.ts';
import type { Thing } from '../things.ts';
import { oneRoom, rooms, type Level } from './level.ts';

const put = (thing: Thing, fixed: Thing): Mission => ({ do: 'put next to', what: described(thing), fixed: described(fixed) });

export const local = (roomSize: number, things: number): Level => ({
  size: oneRoom(roomSize),
  build(maze) {
    maze.placeAgent();
    const added = maze.addDistractors('anywhere', things);
    maze.requireReachable();
    const [thing, fixed] = maze.pickSeveral(added, 2) as [Thing, Thing];
    return put(thing, fixed);
  },
});

/** From one of two rooms into the other; the agent starts with the thing in its hand. */
export const acrossCarrying = (roomSize: number, thingsPerRoom: number): Level => ({
  size: rooms(roomSize, 2, 1),
  maxSteps: 8 * roomSize ** 2,
  build(maze) {
    maze.placeAgent(0, 0);
    const left = maze.addDistractors({ column: 0, row: 0 }, thingsPerRoom);
    const right = maze.addDistractors({ column: 1, row: 0 }, thingsPerRoom);
    maze.removeWall(0, 0, 0);
    const a = maze.pick(left);
    const b = maze.pick(right);
    const [thing, fixed] = maze.chance() ? [b, a] : [a, b];
    maze.inHand = thing;
    return put(thing, fixed);
  },
});

/** Something from the left room into the right one, then the other way round. */
export const twoAcross = (roomSize: number, thingsPerRoom: number): Level => ({
  size: rooms(roomSize, 2, 1),
  maxSteps: 16 * roomSize ** 2,
  build(maze) {
    maze.placeAgent(0, 0);
    const left = maze.addDistractors({ column: 0, row: 0 }, thingsPerRoom);
    const right = maze.addDistractors({ column: 1, row: 0 }, thingsPerRoom);
    maze.removeWall(0, 0, 0);
    const [a, d] = maze.pickSeveral(left, 2) as [Thing, Thing];
    const [b, c] = maze.pickSeveral(right, 2) as [Thing, Thing];
    return { do: 'then', first: put(a, b), second: put(c, d) };
  },
});
