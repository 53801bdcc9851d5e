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

interface Reached {
  readonly x: number;
  readonly y: number;
  readonly direction: Direction;
  /** Index of the state before, -1 at the start. */
  readonly before: number;
  readonly move: Move;
}

/** Everything but doors is in the way, closed ones included; cells out of sight are thought to be free. */
export function waysFrom(x: number, y: number, direction: Direction, area: Area, things: readonly Seen[]): Ways {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const blocked = new Uint8Array(width * height);
  for (const thing of things) {
    const inside = thing.x >= area.left && thing.x < area.right && thing.y >= area.top && thing.y < area.bottom;
    if (inside && thing.kind !== 'door') blocked[(thing.y - area.top) * width + thing.x - area.left] = 1;
  }
  const reached = explore((x - area.left) * 4 + (y - area.top) * width * 4 + direction, width, height, blocked);
  const states = reached.map(({ state, before, move }): Reached => {
    const cell = state >> 2;
    return {
      x: area.left + (cell % width),
      y: area.top + Math.floor(cell / width),
      direction: (state & 3) as Direction,
      before,
      move,
    };
  });
  const wayTo = (fits: (state: Reached) => boolean): Move[] | null => {
    let at = states.findIndex(fits);
    if (at < 0) return null;
    const moves: Move[] = [];
    for (let state = states[at]; state && state.before >= 0; state = states[at]) {
      moves.push(state.move);
      at = state.before;
    }
    return moves.reverse();
  };
  return {
    facing: (goalX, goalY) =>
      wayTo((state) => state.x + stepX[state.direction] === goalX && state.y + stepY[state.direction] === goalY),
    onto: (goalX, goalY) => wayTo((state) => state.x === goalX && state.y === goalY),
  };
}

interface Left {
  readonly state: number;
  readonly before: number;
  readonly move: Move;
}

/** States in the order they first leave the queue. A state is cell × 4 + direction. */
function explore(start: number, width: number, height: number, blocked: Uint8Array): Left[] {
  const position = new Int32Array(width * height * 4).fill(-1);
  const before = new Int32Array(width * height * 4).fill(-1);
  const moves: Move[] = [];
  const queue = [start];
  const left: Left[] = [];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0;
    // Second copies are expanded again: they may still hand down a later predecessor.
    if (position[state] === -1) {
      position[state] = left.length;
      left.push({ state, before: before[state] ?? -1, move: moves[state] ?? Move.forward });
    }
    const here = position[state] ?? 0;
    const reach = (next: number, move: Move): void => {
      if (next < 0 || position[next] !== -1) return;
      queue.push(next);
      before[next] = here;
      moves[next] = move;
    };
    reach(forward(state, width, height, blocked), Move.forward);
    reach((state & ~3) | ((state + 3) & 3), Move.left);
    reach((state & ~3) | ((state + 1) & 3), Move.right);
  }
  return left;
}

function forward(state: number, width: number, height: number, blocked: Uint8Array): number {
  const direction = (state & 3) as Direction;
  const cell = state >> 2;
  const x = (cell % width) + stepX[direction];
  const y = Math.floor(cell / width) + stepY[direction];
  if (x < 0 || y < 0 || x >= width || y >= height || blocked[y * width + x] === 1) return -1;
  return ((y * width + x) << 2) | direction;
}
