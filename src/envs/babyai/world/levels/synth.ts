/**
 * Levels that draw from the whole language: any deed, any description, joined in any way, in a maze that may have a locked
 * room. One quirk is kept: the locked room of a rejected maze is remembered when the next maze has none, and then
 * still decides which descriptions are allowed.
 */
import { isInRoom, Rejected, type Maze, type MazeSize } from '../maze.ts';
import { matching, places, type Deed, type Described, type Description, type Mission } from '../mission.ts';
import { colours } from '../things.ts';
import { rooms, type Level } from './level.ts';

type Join = 'action' | 'and' | 'seq';
type DeedKind = 'goto' | 'pickup' | 'open' | 'putnext';

export interface SynthOptions {
  readonly size?: MazeSize;
  readonly things?: number;
  readonly lockedRoom?: number;
  /** Descriptions may say where a thing is. */
  readonly places?: boolean;
  readonly unblocking?: boolean;
  /** Things behind the locked door may be meant without saying so. */
  readonly implicitUnlock?: boolean;
  readonly deeds?: readonly DeedKind[];
  readonly joins?: readonly Join[];
}

const portables: readonly Described[] = ['box', 'ball', 'key'];
const everything: readonly Described[] = [...portables, 'door'];

export function synth(options: SynthOptions): Level {
  const settings: Required<SynthOptions> = {
    size: rooms(8, 3, 3),
    things: 18,
    lockedRoom: 0.5,
    places: true,
    unblocking: true,
    implicitUnlock: true,
    deeds: ['goto', 'pickup', 'open', 'putnext'],
    joins: ['action', 'and', 'seq'],
    ...options,
  };
  return {
    size: settings.size,
    unblocking: settings.unblocking,
    build(maze) {
      if (maze.random.uniform(0, 1) < settings.lockedRoom) lockOneRoom(maze);
      maze.connectAll();
      maze.addDistractors('anywhere', settings.things, { unique: false });
      do maze.placeAgent();
      while (maze.roomAt(maze.x, maze.y) === maze.lockedRoom);
      if (!settings.unblocking) maze.requireReachable();
      return drawMission(maze, settings, settings.joins);
    },
  };
}

function lockOneRoom(maze: Maze): void {
  const { columns, rows: rowCount } = maze.size;
  for (;;) {
    const column = maze.integer(columns);
    const row = maze.integer(rowCount);
    const side = maze.integer(4);
    maze.lockedRoom = maze.room(column, row);
    if (maze.lockedRoom.neighbours[side] === null) continue;
    const door = maze.addDoor(column, row, { side, locked: true });
    for (;;) {
      const keyColumn = maze.integer(columns);
      const keyRow = maze.integer(rowCount);
      if (maze.room(keyColumn, keyRow) === maze.lockedRoom) continue;
      maze.addThing(keyColumn, keyRow, 'key', door.colour);
      return;
    }
  }
}

function drawMission(maze: Maze, settings: Required<SynthOptions>, joins: readonly Join[]): Mission {
  switch (maze.pick(joins)) {
    case 'action':
      return drawDeed(maze, settings);
    case 'and':
      return { do: 'and', first: drawMission(maze, settings, ['action']), second: drawMission(maze, settings, ['action']) };
    case 'seq': {
      const first = drawMission(maze, settings, ['action', 'and']);
      const second = drawMission(maze, settings, ['action', 'and']);
      return { do: maze.pick(['then', 'after'] as const), first, second };
    }
  }
}

function drawDeed(maze: Maze, settings: Required<SynthOptions>): Deed {
  switch (maze.pick(settings.deeds)) {
    case 'goto':
      return { do: 'go to', what: drawDescription(maze, settings, everything) };
    case 'pickup':
      return { do: 'pick up', what: drawDescription(maze, settings, portables) };
    case 'open':
      return { do: 'open', what: drawDescription(maze, settings, ['door']) };
    case 'putnext': {
      const what = drawDescription(maze, settings, portables);
      return { do: 'put next to', what, fixed: drawDescription(maze, settings, everything) };
    }
  }
}

/** A description that fits something, and without implicit unlocking something outside the locked room. */
function drawDescription(maze: Maze, settings: Required<SynthOptions>, kinds: readonly Described[]): Description {
  for (let tries = 0; tries <= 100; tries++) {
    const colour = maze.pick([undefined, ...colours]);
    const kind = maze.pick(kinds);
    const place = settings.places && maze.chance() ? maze.pick(places) : undefined;
    const description = { kind, colour, place };
    const found = matching(maze, description);
    const { lockedRoom } = maze;
    const allowed =
      settings.implicitUnlock || lockedRoom === null ? found : found.filter(({ x, y }) => !isInRoom(lockedRoom, x, y));
    if (allowed.length > 0) return description;
  }
  throw Rejected.instance;
}
