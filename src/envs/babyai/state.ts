/** The present state as compact JSON for viewers; `restore` reads it back far enough to draw it. */
import { Grid, type Direction } from './world/grid.ts';
import { colourOf, empty, kindOf, stateOf, Thing } from './world/things.ts';
import { look, viewOrigin, viewSize } from './world/view.ts';
import { stepX, stepY } from './world/grid.ts';
import type { World } from './world/world.ts';

export interface BabyAIState {
  readonly level: string;
  readonly mission: string;
  readonly width: number;
  readonly height: number;
  /** Row by row, three hexadecimal digits a cell: kind, colour, door state as MiniGrid numbers them. */
  readonly cells: string;
  /** Column, row, direction (0 right, 1 down, 2 left, 3 up). */
  readonly agent: readonly [number, number, number];
  /** `blue key`, or null. */
  readonly carrying: string | null;
  readonly steps: number;
  readonly maxSteps: number;
}

export function snapshot(level: string, world: World): BabyAIState {
  const { maze, carrying, steps, maxSteps } = world;
  return {
    level,
    mission: world.sentence,
    width: maze.grid.width,
    height: maze.grid.height,
    cells: maze.grid.encode(),
    agent: [maze.x, maze.y, maze.direction],
    carrying: carrying && `${carrying.colour} ${carrying.kind}`,
    steps,
    maxSteps,
  };
}

/** Is this a state of ours? For viewers that get JSON from anywhere. */
export function isBabyAIState(state: unknown): state is BabyAIState {
  if (typeof state !== 'object' || state === null) return false;
  const { width, height, cells, agent } = state as Partial<Record<keyof BabyAIState, unknown>>;
  return (
    typeof width === 'number' &&
    typeof height === 'number' &&
    typeof cells === 'string' &&
    cells.length === width * height * 3 &&
    Array.isArray(agent)
  );
}

/** The grid of a state, and for each cell whether the agent sees it. */
export function restore({ width, height, cells, agent: [x, y, towards] }: BabyAIState): { grid: Grid; visible: Uint8Array } {
  const grid = new Grid(width, height);
  for (let at = 0; at < width * height; at++) {
    const thing = thingOf(Number.parseInt(cells.slice(at * 3, at * 3 + 3), 16));
    if (thing) grid.put(at % width, Math.floor(at / width), thing);
  }
  const direction = (towards & 3) as Direction;
  const view = new Uint16Array(viewSize * viewSize);
  look(view, grid, x, y, direction, null);
  const visible = new Uint8Array(width * height);
  const { left, top } = viewOrigin(x, y, direction);
  view.forEach((code, at) => {
    const row = Math.floor(at / viewSize);
    const column = at % viewSize;
    const cellX = left - stepX[direction] * row - stepY[direction] * column;
    const cellY = top - stepY[direction] * row + stepX[direction] * column;
    if (code !== 0 && grid.inside(cellX, cellY)) visible[cellY * width + cellX] = 1;
  });
  return { grid, visible };
}

function thingOf(code: number): Thing | null {
  const kind = kindOf(code);
  if (code === empty || kind === undefined) return null;
  return kind === 'door' ? Thing.door(colourOf(code), stateOf(code)) : new Thing(kind, colourOf(code));
}
