/**
 * Ways through what is in sight, as AgentGym's search finds them. The search notes a state as visited when it leaves the
 * queue, not when it enters, so a state keeps the last predecessor that reached it before; recordings depend on which of
 * several shortest ways that gives. One search from where the agent stands answers for every goal.
 */
import { Move, stepX, stepY, type Direction } from '../world/grid.ts';
import type { Area, Seen } from './sight.ts';

export interface Ways {
  /** Moves until this cell is right ahead, or null when no way is known. */
  facing(x: number, y: number): Move[] | null;
  /** Moves until the agent stands on this cell. */
  onto(x: number, y: number): Move[] | null;
}

/** Everything but doors is in the way, closed ones included; cells out of sight are thought to be free. */
export function waysFrom(x: number, y: number, direction: Direction, area: Area, things: readonly Seen[]): Ways {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const blocked = new Uint8Array(width * height);
  for (const thing of things) {
    if (thing.kind !== 'door' && isInside(area, thing.x, thing.y))
      blocked[(thing.y - area.top) * width + thing.x - area.left] = 1;
  }
  const start = (((y - area.top) * width + x - area.left) << 2) | direction;
  const search = new Search(start, width, height, blocked);
  const cell = (cellX: number, cellY: number): number =>
    isInside(area, cellX, cellY) ? (cellY - area.top) * width + cellX - area.left : -1;
  return {
    facing: (goalX, goalY) => search.movesTo(search.facing[cell(goalX, goalY)] ?? -1),
    onto: (goalX, goalY) => search.movesTo(search.onto[cell(goalX, goalY)] ?? -1),
  };
}

function isInside({ left, top, right, bottom }: Area, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

/** States are written cell × 4 + direction. No closures in here: this is where the text layer spends its time. */
class Search {
  /** For each cell, the first state to leave the queue that has it right ahead, or that stands on it; -1 for none. */
  readonly facing: Int32Array;
  readonly onto: Int32Array;
  private readonly before: Int32Array;
  private readonly moves: Uint8Array;
  private readonly left: Uint8Array;
  private readonly queue: number[];

  constructor(
    private readonly start: number,
    private readonly width: number,
    private readonly height: number,
    private readonly blocked: Uint8Array,
  ) {
    const cells = width * height;
    this.facing = new Int32Array(cells).fill(-1);
    this.onto = new Int32Array(cells).fill(-1);
    this.before = new Int32Array(cells * 4);
    this.moves = new Uint8Array(cells * 4);
    this.left = new Uint8Array(cells * 4);
    this.queue = [start];
    for (let head = 0; head < this.queue.length; head++) this.leave(this.queue[head] as number);
  }

  movesTo(state: number): Move[] | null {
    if (state < 0) return null;
    const moves: Move[] = [];
    for (let at = state; at !== this.start; at = this.before[at] ?? this.start) moves.push(this.moves[at] as Move);
    return moves.reverse();
  }

  /** A state that was queued twice is expanded twice: it may still become the last predecessor of a neighbour. */
  private leave(state: number): void {
    const direction = (state & 3) as Direction;
    const cell = state >> 2;
    const x = (cell % this.width) + stepX[direction];
    const y = Math.floor(cell / this.width) + stepY[direction];
    const isInArea = x >= 0 && y >= 0 && x < this.width && y < this.height;
    const front = y * this.width + x;
    if (this.left[state] === 0) {
      this.left[state] = 1;
      if (this.onto[cell] === -1) this.onto[cell] = state;
      if (isInArea && this.facing[front] === -1) this.facing[front] = state;
    }
    if (isInArea && this.blocked[front] === 0) this.reach((front << 2) | direction, state, Move.forward);
    this.reach((state & ~3) | ((state + 3) & 3), state, Move.left);
    this.reach((state & ~3) | ((state + 1) & 3), state, Move.right);
  }

  private reach(state: number, from: number, move: Move): void {
    if (this.left[state] === 1) return;
    this.queue.push(state);
    this.before[state] = from;
    this.moves[state] = move;
  }
}
