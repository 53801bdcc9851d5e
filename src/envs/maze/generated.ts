/** Mazes without end: corridors carved at random, start and goal far enough apart, so that a policy has more than one map to learn. */
import type { Random } from '../../core/random/random.ts';
import { distances } from './expert.ts';
import type { Maze, Place } from './world.ts';

export interface GeneratedMaze {
  readonly maze: Maze;
  readonly start: Place;
}

/** A maze of `size` × `size` rooms with corridors between them (so 2 · size + 1 rows). */
export function generateMaze(random: Random, size: number): GeneratedMaze {
  const side = 2 * size + 1;
  const cells = Array.from({ length: side }, () => Array<string>(side).fill('#'));
  const open = ([row, column]: Place): void => {
    const line = cells[row];
    if (line) line[column] = ' ';
  };
  const stack: Place[] = [[1, 1]];
  open([1, 1]);
  while (stack.length > 0) {
    const [row, column] = stack.at(-1) as Place;
    const ways = (
      [
        [-2, 0],
        [2, 0],
        [0, -2],
        [0, 2],
      ] as const
    ).filter(([down, right]) => cells[row + down]?.[column + right] === '#' && row + down > 0 && column + right > 0);
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    const [down, right] = ways[random.below(ways.length)] ?? [0, 0];
    open([row + down / 2, column + right / 2]);
    open([row + down, column + right]);
    stack.push([row + down, column + right]);
  }
  // A few more openings, so that there is more than one way.
  for (let i = 0; i < size - 1; i++) {
    const row = 1 + random.below(side - 2);
    const column = 1 + random.below(side - 2);
    if (row % 2 !== column % 2) open([row, column]);
  }
  const rows = cells.map((line) => line.join(''));
  const rooms = Array.from({ length: size * size }, (_, i): Place => [1 + 2 * Math.floor(i / size), 1 + 2 * (i % size)]);
  const goal = rooms[random.below(rooms.length)] ?? [1, 1];
  const maze = { rows, goal };
  const far = distances(maze);
  const starts = rooms.filter(([row, column]) => (far.get(`${row},${column}`) ?? 0) >= 2);
  return { maze, start: starts[random.below(starts.length)] ?? [1, 1] };
}
