/**
 * Missions as data and as English: what is to be done to which things, alone or joined by "and", "then", "after you".
 * A description names things by kind, colour and place; places are as the agent sees them from where it starts.
 */
import { isInRoom, type Maze } from './maze.ts';
import { stepX, stepY } from './grid.ts';
import type { Colour, Kind, Thing } from './things.ts';

export const places = ['left', 'right', 'front', 'behind'] as const;
export type Place = (typeof places)[number];
export type Described = Exclude<Kind, 'wall'>;

export interface Description {
  readonly kind?: Described | undefined;
  readonly colour?: Colour | undefined;
  readonly place?: Place | undefined;
}

export type Deed =
  | { readonly do: 'go to'; readonly what: Description }
  | { readonly do: 'open'; readonly what: Description; readonly strict?: boolean }
  | { readonly do: 'pick up'; readonly what: Description; readonly strict?: boolean }
  | { readonly do: 'put next to'; readonly what: Description; readonly fixed: Description };

/** `then`: first before second. `after`: "first after you second", so second comes first. `and`: in any order. */
export type Mission = Deed | { readonly do: 'and' | 'then' | 'after'; readonly first: Mission; readonly second: Mission };

/** A description of what a thing looks like. */
export function described({ kind, colour }: Thing): Description & { kind: Described; colour: Colour } {
  if (kind === 'wall') throw new RangeError('a mission is never about a wall');
  return { kind, colour };
}

/** The things that fit a description now, column by column. A bare colour fits walls too, as in the original. */
export function matching(maze: Maze, { kind, colour, place }: Description): Thing[] {
  const { grid } = maze;
  const room = place && maze.roomAt(maze.x, maze.y);
  const found: Thing[] = [];
  for (let x = 0; x < grid.width; x++) {
    for (let y = 0; y < grid.height; y++) {
      const thing = grid.cells[y * grid.width + x];
      if (!thing || (kind !== undefined && thing.kind !== kind) || (colour !== undefined && thing.colour !== colour)) continue;
      if (room && !(isInRoom(room, x, y) && liesAt(maze, place, x, y))) continue;
      found.push(thing);
    }
  }
  return found;
}

/** The cells where these things lie, of those that lie anywhere. */
export function cellsOf(maze: Maze, things: readonly Thing[]): number[] {
  const cells: number[] = [];
  maze.grid.cells.forEach((thing, at) => {
    if (thing && things.includes(thing)) cells.push(at);
  });
  return cells;
}

/** The mission in words, as MiniGrid says it. */
export function sentence(maze: Maze, mission: Mission): string {
  switch (mission.do) {
    case 'go to':
    case 'open':
    case 'pick up':
      return `${mission.do} ${phrase(maze, mission.what)}`;
    case 'put next to':
      return `put ${phrase(maze, mission.what)} next to ${phrase(maze, mission.fixed)}`;
    case 'and':
      return `${sentence(maze, mission.first)} and ${sentence(maze, mission.second)}`;
    case 'then':
      return `${sentence(maze, mission.first)}, then ${sentence(maze, mission.second)}`;
    case 'after':
      return `${sentence(maze, mission.first)} after you ${sentence(maze, mission.second)}`;
  }
}

/** How many walks through the maze a mission may need: two to put something next to something. */
export function walksNeeded(mission: Mission): number {
  if ('first' in mission) return walksNeeded(mission.first) + walksNeeded(mission.second);
  return mission.do === 'put next to' ? 2 : 1;
}

/** The deeds of a mission from left to right. */
export function deedsOf(mission: Mission): Deed[] {
  return 'first' in mission ? [...deedsOf(mission.first), ...deedsOf(mission.second)] : [mission];
}

function liesAt(maze: Maze, place: Place | undefined, x: number, y: number): boolean {
  const dx = stepX[maze.direction];
  const dy = stepY[maze.direction];
  const ahead = (x - maze.x) * dx + (y - maze.y) * dy;
  const right = (y - maze.y) * dx - (x - maze.x) * dy;
  switch (place) {
    case 'left':
      return right < 0;
    case 'right':
      return right > 0;
    case 'front':
      return ahead > 0;
    case 'behind':
      return ahead < 0;
    case undefined:
      return true;
  }
}

function phrase(maze: Maze, description: Description): string {
  const { kind, colour, place } = description;
  const article = matching(maze, description).length > 1 ? 'a' : 'the';
  const name = `${colour === undefined ? '' : `${colour} `}${kind ?? 'object'}`;
  if (place === undefined) return `${article} ${name}`;
  return `${article} ${name} ${place === 'front' ? 'in front of you' : place === 'behind' ? 'behind you' : `on your ${place}`}`;
}
