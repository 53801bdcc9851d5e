/** Levels about locked doors and their keys. */
import { described, type Mission } from '../mission.ts';
import { colours, Thing } from '../things.ts';
import { lockRoom, placeOutside } from './goto.ts';
import { rooms, type Level } from './level.ts';

const openDoor = (door: Thing): Mission => ({ do: 'open', what: described(door) });

/** A locked room in a maze; in half of the mazes no other door has its colour. */
export const inMaze: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    const { column, row, door } = lockRoom(maze);
    maze.connectAll(maze.chance() ? colours.filter((colour) => colour !== door.colour) : colours);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) maze.addDistractors({ column: i, row: j }, 3, { unique: false });
    }
    placeOutside(maze, column, row);
    maze.requireReachable();
    return openDoor(door);
  },
};

/** The key lies in the same room, among distractors. */
export const local: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    const door = maze.addDoor(1, 1, { locked: true });
    maze.addThing(1, 1, 'key', door.colour);
    maze.addDistractors({ column: 1, row: 1 }, 3);
    maze.placeAgent(1, 1);
    return { do: 'open', what: { kind: 'door' } };
  },
};

/** The key is in a box. */
export const keyInBox: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    const door = maze.addDoor(1, 1, { locked: true });
    const box = new Thing('box', maze.pick(colours));
    box.contents = new Thing('key', door.colour);
    maze.placeInRoom(1, 1, box);
    maze.placeAgent(1, 1);
    return { do: 'open', what: { kind: 'door' } };
  },
};

/** A box behind a locked door, among distractors. */
export const thenPickup: Level = {
  size: rooms(6, 2, 1),
  build(maze) {
    const box = maze.addThing(1, 0, 'box');
    const door = maze.addDoor(0, 0, { side: 0, locked: true });
    maze.addThing(0, 0, 'key', door.colour);
    maze.addDistractors('anywhere', 4);
    maze.placeAgent(0, 0);
    return { do: 'pick up', what: described(box) };
  },
};

/** A box behind a locked door with a ball before it. */
export const blockedThenPickup: Level = {
  size: rooms(6, 2, 1),
  maxSteps: 16 * 6 ** 2,
  build(maze) {
    maze.addThing(1, 0, 'box');
    const door = maze.addDoor(0, 0, { side: 0, locked: true });
    maze.grid.put(door.x - 1, door.y, new Thing('ball', maze.pick(colours)));
    maze.addThing(0, 0, 'key', door.colour);
    maze.placeAgent(0, 0);
    return { do: 'pick up', what: { kind: 'box' } };
  },
};

/** The key of the room with the ball is behind another locked door. */
export const toUnlock: Level = {
  size: rooms(6, 3, 1),
  maxSteps: 30 * 6 ** 2,
  build(maze) {
    const [near, far] = maze.pickSeveral(colours, 2);
    maze.addDoor(0, 0, { side: 0, colour: near ?? 'blue', locked: true });
    maze.addThing(2, 0, 'key', near);
    maze.addDoor(1, 0, { side: 0, colour: far ?? 'blue', locked: true });
    maze.addThing(1, 0, 'key', far);
    maze.addThing(0, 0, 'ball');
    maze.placeAgent(1, 0);
    return { do: 'pick up', what: { kind: 'ball' } };
  },
};

/** A corridor with rooms on both sides: the ball behind a locked door on the right, its key in a room on the left. */
export const keyCorridor = (roomSize: number, rowCount: number): Level => ({
  size: rooms(roomSize, 3, rowCount),
  maxSteps: 30 * roomSize ** 2,
  build(maze) {
    for (let row = 1; row < rowCount; row++) maze.removeWall(1, row, 3);
    const row = maze.integer(rowCount);
    const door = maze.addDoor(2, row, { side: 2, locked: true });
    maze.addThing(2, row, 'ball');
    maze.addThing(0, maze.integer(rowCount), 'key', door.colour);
    maze.placeAgent(1, Math.floor(rowCount / 2));
    maze.connectAll();
    return { do: 'pick up', what: { kind: 'ball' } };
  },
});
