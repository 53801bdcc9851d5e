/** One room with the things that a test puts into it, and the mission that it is about. The agent stands at (3, 3) and looks right. */
import type { Move } from './grid.ts';
import { oneRoom, type Level } from './levels/level.ts';
import type { Mission } from './mission.ts';
import type { Thing } from './things.ts';
import { World, type Result } from './world.ts';

export type Placed = readonly [x: number, y: number, thing: Thing];

export function sceneLevel(things: readonly Placed[], mission: Mission, size = 8): Level {
  return {
    size: oneRoom(size),
    build(maze) {
      for (const [x, y, thing] of things) maze.grid.put(x, y, thing);
      [maze.x, maze.y, maze.direction] = [3, 3, 0];
      return mission;
    },
  };
}

export function scene(things: readonly Placed[], mission: Mission, size?: number): World {
  return new World(sceneLevel(things, mission, size), 0);
}

/** The last of several moves. */
export function moved(world: World, ...moves: readonly Move[]): Result {
  const results = moves.map((move) => world.step(move));
  const last = results.at(-1);
  if (!last) throw new RangeError('no move');
  return last;
}
