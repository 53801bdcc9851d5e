/**
 * A grid of rooms while it is being built, and afterwards: walls, doors, things, and where the agent stands. Every method
 * that leaves something open draws it, in MiniGrid's order and from numpy's generator, so equal seeds give equal mazes.
 */
import type { NumpyRandom } from '../../../core/random/numpy.ts';
import { Grid, stepX, stepY, type Direction } from './grid.ts';
import { colours, Thing, type Colour, type Kind } from './things.ts';

export type Portable = Exclude<Kind, 'wall' | 'door'>;
const portables: readonly Portable[] = ['key', 'ball', 'box'];

/** Thrown when the draws led nowhere: the whole maze is built again with the draws that follow. One instance, so cheap. */
export class Rejected extends Error {
  static readonly instance = new Rejected('this maze is drawn again');
}

export interface Room {
  readonly left: number;
  readonly top: number;
  readonly size: number;
  /** To the right, below, to the left, above: the wall's door, 'none' where the wall was taken away. */
  readonly doors: (Thing | 'none' | null)[];
  readonly doorPlaces: (readonly [number, number] | null)[];
  readonly neighbours: (Room | null)[];
  readonly things: Thing[];
  locked: boolean;
}

export interface MazeSize {
  readonly roomSize: number;
  readonly rows: number;
  readonly columns: number;
}

export class Maze {
  grid: Grid;
  rooms: Room[][] = [];
  x = -1;
  y = -1;
  direction: Direction = 0;
  /** The room that the level locked. It outlives a rejected maze, as in the original (see levels/synth.ts). */
  lockedRoom: Room | null = null;
  /** What the agent has in its hand when the episode starts; until then it lies in the grid. */
  inHand: Thing | null = null;

  constructor(
    readonly size: MazeSize,
    readonly random: NumpyRandom,
  ) {
    this.grid = this.emptyGrid();
  }

  /** Starts over: empty rooms, places for doors, the agent in the middle facing right. */
  clear(): void {
    const { roomSize, rows, columns } = this.size;
    const pitch = roomSize - 1;
    this.grid = this.emptyGrid();
    this.rooms = [];
    for (let row = 0; row < rows; row++) {
      const line: Room[] = [];
      for (let column = 0; column < columns; column++) {
        this.grid.enclose(column * pitch, row * pitch, roomSize, roomSize);
        line.push(emptyRoom(column * pitch, row * pitch, roomSize));
      }
      this.rooms.push(line);
    }
    for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) this.joinNeighbours(column, row);
    this.x = Math.floor(columns / 2) * pitch + Math.floor(roomSize / 2);
    this.y = Math.floor(rows / 2) * pitch + Math.floor(roomSize / 2);
    this.direction = 0;
    this.inHand = null;
  }

  integer(below: number): number {
    return this.random.integers(0, below);
  }

  chance(): boolean {
    return this.random.integers(0, 2) === 0;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(from.length)] as T;
  }

  /** Distinct elements, in the order drawn. */
  pickSeveral<T>(from: readonly T[], count: number): T[] {
    const rest = [...from];
    return Array.from({ length: count }, () => rest.splice(this.integer(rest.length), 1)[0] as T);
  }

  room(column: number, row: number): Room {
    const room = this.rooms[row]?.[column];
    if (!room) throw new RangeError(`there is no room at column ${column}, row ${row}`);
    return room;
  }

  /** The room a cell belongs to; a wall belongs to the room on its right or below. */
  roomAt(x: number, y: number): Room {
    const pitch = this.size.roomSize - 1;
    return this.room(Math.floor(x / pitch), Math.floor(y / pitch));
  }

  /** Column by column, as the original walks over them. */
  *everyRoom(): Generator<Room> {
    for (let column = 0; column < this.size.columns; column++) {
      for (let row = 0; row < this.size.rows; row++) yield this.room(column, row);
    }
  }

  /** Puts a thing on a free cell of a room, not on or beside the agent. */
  placeInRoom(column: number, row: number, thing: Thing): Thing {
    const room = this.room(column, row);
    const [x, y] = this.freeCell(room, (cellX, cellY) => Math.abs(cellX - this.x) + Math.abs(cellY - this.y) < 2);
    this.grid.put(x, y, thing);
    room.things.push(thing);
    return thing;
  }

  addThing(column: number, row: number, kind: Portable = this.pick(portables), colour: Colour = this.pick(colours)): Thing {
    return this.placeInRoom(column, row, new Thing(kind, colour));
  }

  addDoor(column: number, row: number, fixed: { side?: number; colour?: Colour; locked?: boolean } = {}): Thing {
    const room = this.room(column, row);
    const side = fixed.side ?? this.freeSide(room);
    const colour = fixed.colour ?? this.pick(colours);
    const locked = fixed.locked ?? this.chance();
    const place = room.doorPlaces[side];
    const neighbour = room.neighbours[side];
    if (!place || !neighbour) throw new RangeError(`the room has no neighbour on side ${side}`);
    const door = Thing.door(colour, locked ? 'locked' : 'closed');
    room.locked = locked;
    this.grid.put(place[0], place[1], door);
    room.doors[side] = door;
    neighbour.doors[(side + 2) % 4] = door;
    return door;
  }

  /** Takes away the wall between two rooms, the corners left standing. */
  removeWall(column: number, row: number, side: Direction): void {
    const room = this.room(column, row);
    const far = room.size - 1;
    for (let along = 1; along < far; along++) {
      if (side === 0 || side === 2) this.grid.set(room.left + (side === 0 ? far : 0), room.top + along, null);
      else this.grid.set(room.left + along, room.top + (side === 1 ? far : 0), null);
    }
    room.doors[side] = 'none';
    const neighbour = room.neighbours[side];
    if (neighbour) neighbour.doors[(side + 2) % 4] = 'none';
  }

  /** Places the agent in a room so that nothing but a wall is right before it. */
  placeAgent(column = this.integer(this.size.columns), row = this.integer(this.size.rows)): void {
    const room = this.room(column, row);
    for (;;) {
      this.x = -1;
      this.y = -1;
      [this.x, this.y] = this.freeCell(room);
      this.direction = this.integer(4) as Direction;
      const front = this.grid.at(this.x + stepX[this.direction], this.y + stepY[this.direction]);
      if (front === null || front.kind === 'wall') return;
    }
  }

  /** Adds doors at random until every room can be reached, counting every door as a way. */
  connectAll(doorColours: readonly Colour[] = colours): void {
    const { columns, rows } = this.size;
    const start = this.roomAt(this.x, this.y);
    for (let tries = 0; tries <= 5000; tries++) {
      if (reachableRooms(start) === columns * rows) return;
      const column = this.integer(columns);
      const row = this.integer(rows);
      const side = this.integer(4);
      const room = this.room(column, row);
      const neighbour = room.neighbours[side];
      if (!neighbour || room.doors[side] || room.locked || neighbour.locked) continue;
      this.addDoor(column, row, { side, colour: this.pick(doorColours), locked: false });
    }
    throw Rejected.instance;
  }

  /** Adds things that may distract, in one room or wherever the draw puts them. */
  addDistractors(where: { column: number; row: number } | 'anywhere', count: number, { unique = true } = {}): Thing[] {
    const present = this.rooms.flat().flatMap((room) => room.things.map(({ kind, colour }) => `${colour} ${kind}`));
    const added: Thing[] = [];
    while (added.length < count) {
      const colour = this.pick(colours);
      const kind = this.pick(portables);
      const name = `${colour} ${kind}`;
      if (unique && present.includes(name)) continue;
      const column = where === 'anywhere' ? this.integer(this.size.columns) : where.column;
      const row = where === 'anywhere' ? this.integer(this.size.rows) : where.row;
      added.push(this.addThing(column, row, kind, colour));
      present.push(name);
    }
    return added;
  }

  /** Can every thing be touched without moving another? Doors of any state count as ways. */
  everythingReachable(): boolean {
    const { grid } = this;
    const reached = new Uint8Array(grid.cells.length);
    const todo = [this.y * grid.width + this.x];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (reached[at] !== 0) continue;
      reached[at] = 1;
      const thing = grid.cells[at];
      // The outer wall ends every walk, so no step leaves the grid.
      if (!thing || thing.kind === 'door') todo.push(at + 1, at - 1, at + grid.width, at - grid.width);
    }
    return grid.cells.every((thing, at) => !thing || thing.kind === 'wall' || reached[at] === 1);
  }

  requireReachable(): void {
    if (!this.everythingReachable()) throw Rejected.instance;
  }

  private emptyGrid(): Grid {
    const { roomSize, rows, columns } = this.size;
    return new Grid((roomSize - 1) * columns + 1, (roomSize - 1) * rows + 1);
  }

  /** Draws the places of the doors to the right and below; the other two are those of the neighbours. */
  private joinNeighbours(column: number, row: number): void {
    const room = this.room(column, row);
    const far = room.size - 1;
    if (column < this.size.columns - 1) {
      room.neighbours[0] = this.room(column + 1, row);
      room.doorPlaces[0] = [room.left + far, this.random.integers(room.top + 1, room.top + far)];
    }
    if (row < this.size.rows - 1) {
      room.neighbours[1] = this.room(column, row + 1);
      room.doorPlaces[1] = [this.random.integers(room.left + 1, room.left + far), room.top + far];
    }
    if (column > 0) {
      const neighbour = (room.neighbours[2] = this.room(column - 1, row));
      room.doorPlaces[2] = neighbour.doorPlaces[0] ?? null;
    }
    if (row > 0) {
      const neighbour = (room.neighbours[3] = this.room(column, row - 1));
      room.doorPlaces[3] = neighbour.doorPlaces[1] ?? null;
    }
  }

  /** A cell without a thing and without the agent; a thousand and one tries, then the maze is drawn again. */
  private freeCell(room: Room, refuse?: (x: number, y: number) => boolean): [number, number] {
    for (let tries = 0; tries <= 1000; tries++) {
      const x = this.random.integers(room.left, room.left + room.size);
      const y = this.random.integers(room.top, room.top + room.size);
      if (this.grid.at(x, y) !== null || (x === this.x && y === this.y) || refuse?.(x, y)) continue;
      return [x, y];
    }
    throw Rejected.instance;
  }

  private freeSide(room: Room): number {
    for (;;) {
      const side = this.integer(4);
      if (room.neighbours[side] && room.doors[side] === null) return side;
    }
  }
}

function emptyRoom(left: number, top: number, size: number): Room {
  return {
    left,
    top,
    size,
    doors: [null, null, null, null],
    doorPlaces: [null, null, null, null],
    neighbours: [null, null, null, null],
    things: [],
    locked: false,
  };
}

/** Is a cell inside a room, its walls included? */
export function isInRoom(room: Room, x: number, y: number): boolean {
  return x >= room.left && y >= room.top && x < room.left + room.size && y < room.top + room.size;
}

function reachableRooms(start: Room): number {
  const reached = new Set<Room>([start]);
  for (const room of reached) {
    room.neighbours.forEach((neighbour, side) => {
      if (neighbour && room.doors[side]) reached.add(neighbour);
    });
  }
  return reached.size;
}
