/**
 * Ways through a maze with full knowledge of it. A state is a cell and a direction, written cell × 4 + direction.
 * `cheapestRoute` goes through whatever has a price (doors to open, things to move); `stepsToFace` counts moves through
 * cells that are free now.
 */
import { stepX, stepY, type Direction, type Grid } from '../world/grid.ts';

export interface Route {
  readonly cost: number;
  /** From where the agent stands to the goal, each a turn or a step from the one before. */
  readonly states: readonly number[];
}

export const cellOf = (state: number): number => state >> 2;
export const directionOf = (state: number): Direction => (state & 3) as Direction;

/** The cell right ahead in a state. */
export function ahead(grid: Grid, state: number): number {
  const direction = directionOf(state);
  return cellOf(state) + stepX[direction] + stepY[direction] * grid.width;
}

/** The cheapest way to a state, counting one a turn, `enter` a step into a cell, and `goal` at the end; Infinity forbids. */
export function cheapestRoute(
  grid: Grid,
  start: number,
  enter: (cell: number) => number,
  goal: (front: number) => number,
): Route | null {
  const costs = new Float64Array(grid.cells.length * 4).fill(Infinity);
  const before = new Int32Array(grid.cells.length * 4).fill(-1);
  const buckets: number[][] = [[start]];
  costs[start] = 0;
  let best: { cost: number; state: number } | null = null;
  for (let cost = 0; cost < buckets.length && (!best || cost < best.cost); cost++) {
    const bucket = buckets[cost] ?? [];
    for (const state of bucket) {
      if (costs[state] !== cost) continue;
      const total = cost + goal(ahead(grid, state));
      if (total < (best?.cost ?? Infinity)) best = { cost: total, state };
      const reach = (next: number, price: number): void => {
        const reached = cost + price;
        if (!(reached < (costs[next] ?? Infinity))) return;
        costs[next] = reached;
        before[next] = state;
        (buckets[reached] ??= []).push(next);
      };
      const front = ahead(grid, state);
      reach((front << 2) | directionOf(state), enter(front));
      reach((state & ~3) | ((state + 3) & 3), 1);
      reach((state & ~3) | ((state + 1) & 3), 1);
    }
  }
  if (!best) return null;
  const states: number[] = [];
  for (let state = best.state; state >= 0; state = before[state] ?? -1) states.push(state);
  return { cost: best.cost, states: states.reverse() };
}

/** For every state, the moves it takes until `cell` is right ahead, through free cells only; -1 where there is no way. */
export function stepsToFace(grid: Grid, cell: number): Int32Array {
  const steps = new Int32Array(grid.cells.length * 4).fill(-1);
  const queue: number[] = [];
  const reach = (state: number, distance: number): void => {
    if (steps[state] !== -1 || !isFree(grid, cellOf(state))) return;
    steps[state] = distance;
    queue.push(state);
  };
  for (const direction of [0, 1, 2, 3] as const) reach((behind(grid, cell, direction) << 2) | direction, 0);
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] as number;
    const distance = (steps[state] as number) + 1;
    const direction = directionOf(state);
    reach((behind(grid, cellOf(state), direction) << 2) | direction, distance);
    reach((state & ~3) | ((state + 1) & 3), distance);
    reach((state & ~3) | ((state + 3) & 3), distance);
  }
  return steps;
}

export function isFree(grid: Grid, cell: number): boolean {
  if (cell < 0 || cell >= grid.cells.length) return false;
  const thing = grid.cells[cell];
  return !thing || thing.passable;
}

function behind(grid: Grid, cell: number, direction: Direction): number {
  return cell - stepX[direction] - stepY[direction] * grid.width;
}
