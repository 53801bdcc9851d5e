/** Levels in which something is picked up: in a maze, behind others, by look, in the room above, in a room of its own. */
import { Rejected } from '../maze.ts';
import { described, type Description } from '../mission.ts';
import { oneRoom, rooms, type Level } from './level.ts';

/** One of many things in a maze; `blocked`: at least one of them can only be reached by moving another. */
export const inMaze = ({ things, blocked }: { things: number; blocked: boolean }): Level => ({
  size: rooms(8, 3, 3),
  build(maze) {
    maze.placeAgent();
    maze.connectAll();
    const added = maze.addDistractors('anywhere', things, { unique: false });
    if (maze.everythingReachable() === blocked) throw Rejected.instance;
    return { do: 'pick up', what: described(maze.pick(added)) };
  },
});

/** By kind, by colour, or both; picking up anything else first fails. */
export const byLook: Level = {
  size: oneRoom(7),
  build(maze) {
    const added = maze.addDistractors('anywhere', 5);
    maze.placeAgent(0, 0);
    const { kind, colour } = described(maze.pick(added));
    const by = maze.pick(['type', 'color', 'both']);
    const what: Description = by === 'type' ? { kind } : by === 'color' ? { colour } : { kind, colour };
    return { do: 'pick up', what, strict: true };
  },
};

/** In the room above, whose door is closed. */
export const above: Level = {
  size: rooms(6, 3, 3),
  maxSteps: 8 * 6 ** 2,
  build(maze) {
    const thing = maze.addThing(1, 0);
    maze.addDoor(1, 1, { side: 3, locked: false });
    maze.placeAgent(1, 1);
    maze.connectAll();
    return { do: 'pick up', what: described(thing) };
  },
};

/** The only thing in nine rooms. */
export const findIt = (roomSize: number): Level => ({
  size: rooms(roomSize, 3, 3),
  maxSteps: 20 * roomSize ** 2,
  build(maze) {
    const thing = maze.addThing(maze.integer(3), maze.integer(3));
    maze.placeAgent(1, 1);
    maze.connectAll();
    return { do: 'pick up', what: { kind: described(thing).kind } };
  },
});

/** The only ball in one large room. */
export const oneBall = (roomSize: number): Level => ({
  size: oneRoom(roomSize),
  build(maze) {
    maze.addThing(0, 0, 'ball');
    maze.placeAgent();
    return { do: 'pick up', what: { kind: 'ball' } };
  },
});

/** A thing or a door of a room: go to it, or pick it up, or open it. */
export const actOnIt: Level = {
  size: rooms(7, 3, 3),
  build(maze) {
    const things = maze.addDistractors({ column: 1, row: 1 }, 5);
    for (let i = 0; i < 4; i++) things.push(maze.addDoor(1, 1, { locked: false }));
    maze.placeAgent(1, 1);
    const what = described(maze.pick(things));
    if (maze.chance()) return { do: 'go to', what };
    return what.kind === 'door' ? { do: 'open', what } : { do: 'pick up', what };
  },
};
