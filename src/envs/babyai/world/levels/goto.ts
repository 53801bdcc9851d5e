/** Levels in which the agent goes to something: in one room, through doors, in a maze, past a locked door. */
import { Rejected, type Maze } from '../maze.ts';
import { described, type Mission } from '../mission.ts';
import type { Thing } from '../things.ts';
import { oneRoom, rooms, type Level } from './level.ts';

const goTo = (thing: Thing): Mission => ({ do: 'go to', what: described(thing) });
const middle = { column: 1, row: 1 };

/** A red ball among distractors, which may all be painted grey. */
export const redBall = ({ distractors, grey = false }: { distractors: number; grey?: boolean }): Level => ({
  size: oneRoom(8),
  build(maze) {
    maze.placeAgent();
    const ball = maze.addThing(0, 0, 'ball', 'red');
    const others = maze.addDistractors('anywhere', distractors, { unique: false });
    if (grey) for (const other of others) other.paint('grey');
    maze.requireReachable();
    return goTo(ball);
  },
});

/** The only thing in a room. */
export const onlyThing = (roomSize: number): Level => ({
  size: oneRoom(roomSize),
  build(maze) {
    maze.placeAgent();
    const [thing] = maze.addDistractors('anywhere', 1);
    return goTo(thing as Thing);
  },
});

/** One of several things in a room. */
export const local = (roomSize: number, things: number): Level => ({
  size: oneRoom(roomSize),
  build(maze) {
    maze.placeAgent();
    const added = maze.addDistractors('anywhere', things, { unique: false });
    maze.requireReachable();
    return goTo(maze.pick(added));
  },
});

/** One of several things in a maze of nine rooms. */
export const inMaze = (roomSize: number, things: number): Level => ({
  size: rooms(roomSize, 3, 3),
  build(maze) {
    maze.placeAgent();
    maze.connectAll();
    const added = maze.addDistractors('anywhere', things, { unique: false });
    maze.requireReachable();
    return goTo(maze.pick(added));
  },
});

/** Something in a room whose door is locked; the key lies anywhere, by a slip of the original even behind that door. */
export const behindLock: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    const { column, row } = lockRoom(maze);
    maze.connectAll();
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) maze.addDistractors({ column: i, row: j }, 2, { unique: false });
    }
    placeOutside(maze, column, row);
    maze.requireReachable();
    const [thing] = maze.addDistractors({ column, row }, 1, { unique: false });
    return goTo(thing as Thing);
  },
};

/** A red or a blue ball, the only one of these two. */
export const redOrBlueBall: Level = {
  size: oneRoom(8),
  build(maze) {
    maze.placeAgent();
    const others = maze.addDistractors('anywhere', 7, { unique: false });
    if (others.some(({ kind, colour }) => kind === 'ball' && (colour === 'blue' || colour === 'red'))) throw Rejected.instance;
    const ball = maze.addThing(0, 0, 'ball', maze.pick(['red', 'blue']));
    maze.requireReachable();
    return goTo(ball);
  },
};

/** One of the four doors of a room. */
export const door: Level = {
  size: rooms(7, 3, 3),
  build(maze) {
    const doors = [0, 1, 2, 3].map(() => maze.addDoor(1, 1));
    maze.placeAgent(1, 1);
    return { do: 'go to', what: { kind: 'door', colour: maze.pick(doors).colour } };
  },
};

/** A thing of a room, or one of its doors. */
export const thingOrDoor: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    maze.placeAgent(1, 1);
    const things = maze.addDistractors(middle, 8, { unique: false });
    for (let i = 0; i < 4; i++) things.push(maze.addDoor(1, 1));
    maze.requireReachable();
    return goTo(maze.pick(things));
  },
};

/**
 * Locks a room and leaves its key somewhere. The original means to keep the key out of the locked room but compares
 * numbers by identity, which is never true, so the key may lie inside and the task cannot be solved.
 */
export function lockRoom(maze: Maze): { column: number; row: number; door: Thing } {
  const column = maze.integer(maze.size.columns);
  const row = maze.integer(maze.size.rows);
  const locked = maze.addDoor(column, row, { locked: true });
  maze.addThing(maze.integer(maze.size.columns), maze.integer(maze.size.rows), 'key', locked.colour);
  return { column, row, door: locked };
}

/** Places the agent anywhere but in this room. */
export function placeOutside(maze: Maze, column: number, row: number): void {
  do maze.placeAgent();
  while (maze.roomAt(maze.x, maze.y) === maze.room(column, row));
}
