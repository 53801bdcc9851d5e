/** Levels in which doors are opened: any, a red one, by place, two in order. Strict ones fail on a wrong door. */
import { described, places, type Mission } from '../mission.ts';
import { colours, type Thing } from '../things.ts';
import { rooms, type Level } from './level.ts';

const open = (door: Thing, strict = false): Mission => ({ do: 'open', what: described(door), strict });

/** A door of a maze of nine rooms; a door between two rooms is twice in the draw. */
export const anyDoor: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    maze.placeAgent();
    maze.connectAll();
    maze.addDistractors('anywhere', 18, { unique: false });
    maze.requireReachable();
    const doors = [...maze.everyRoom()].flatMap((room) => room.doors.filter((door) => door !== null && door !== 'none'));
    return open(maze.pick(doors));
  },
};

export const redDoor: Level = {
  size: rooms(5, 2, 1),
  build(maze) {
    maze.addDoor(0, 0, { side: 0, colour: 'red', locked: false });
    maze.placeAgent(0, 0);
    return { do: 'open', what: { kind: 'door', colour: 'red' } };
  },
};

/** The door on one side of the agent. */
export const doorByPlace: Level = {
  size: rooms(8, 3, 3),
  build(maze) {
    maze.pickSeveral(colours, 4).forEach((colour, side) => maze.addDoor(1, 1, { side, colour, locked: false }));
    const place = maze.pick(places);
    maze.placeAgent(1, 1);
    return { do: 'open', what: { kind: 'door', place } };
  },
};

/** The red door, then the blue one. */
export const redThenBlue: Level = {
  size: rooms(6, 3, 3),
  maxSteps: 20 * 6 ** 2,
  build(maze) {
    maze.pickSeveral(colours, 2); // drawn by the original and not used when both colours are given
    const red = maze.addDoor(1, 1, { side: 2, colour: 'red', locked: false });
    const blue = maze.addDoor(1, 1, { side: 0, colour: 'blue', locked: false });
    maze.placeAgent(1, 1);
    return { do: 'then', first: open(red, true), second: open(blue) };
  },
};

/** One or two of four doors, in order. */
export const inOrder: Level = {
  size: rooms(6, 3, 3),
  maxSteps: 20 * 6 ** 2,
  build(maze) {
    const doors = maze.pickSeveral(colours, 4).map((colour) => maze.addDoor(1, 1, { colour, locked: false }));
    maze.placeAgent(1, 1);
    const [first, second] = maze.pickSeveral(doors, 2).map((door) => open(door, true)) as [Mission, Mission];
    const mode = maze.integer(3);
    return mode === 0 ? first : { do: mode === 1 ? 'then' : 'after', first, second };
  },
};
