/** The shortest way, from wherever the player is. */
import type { Expert } from '../environment.ts';
import { isWall, moves, moveNames, type Maze, type MazeWorld } from './world.ts';

export class MazeExpert implements Expert {
  readonly follows = true;
  private readonly far: ReadonlyMap<string, number>;
  private advised: string | undefined;

  /** `world` is the expert's own: it plays along in it. */
  constructor(private readonly world: MazeWorld) {
    this.far = distances(world.maze);
  }

  next(_observation?: string, played = this.advised): string | null {
    if (played !== undefined) this.world.step(played);
    const [row, column] = this.world.position;
    const here = this.far.get(`${row},${column}`) ?? Infinity;
    this.advised = moveNames.find((move) => {
      const [down, right] = moves[move];
      return (this.far.get(`${row + down},${column + right}`) ?? Infinity) < here;
    });
    return this.advised ?? null;
  }
}

/** Moves to the goal from each free cell that reaches it, by `row,column`. */
export function distances(maze: Maze): Map<string, number> {
  const far = new Map([[maze.goal.join(','), 0]]);
  let edge = [maze.goal];
  for (let steps = 1; edge.length > 0; steps++) {
    edge = edge.flatMap(([row, column]) =>
      Object.values(moves)
        .map(([down, right]) => [row + down, column + right] as const)
        .filter((place) => {
          const key = place.join(',');
          if (isWall(maze, place) || far.has(key)) return false;
          far.set(key, steps);
          return true;
        }),
    );
  }
  return far;
}
