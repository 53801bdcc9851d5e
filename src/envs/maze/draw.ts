/** Draws the part of the maze that the player knows, for a terminal. */
import type { MazeState } from './maze.ts';

export function drawState(state: unknown): string {
  if (!isMazeState(state)) return '';
  const seen = new Set(state.seen);
  return state.rows
    .map((line, row) =>
      [...line]
        .map((cell, column) => {
          if (row === state.position[0] && column === state.position[1]) return '◆ ';
          if (row === state.goal[0] && column === state.goal[1]) return '★ ';
          if (!seen.has(`${row},${column}`)) return '░░';
          return cell === '#' ? '██' : '· ';
        })
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

export function isMazeState(state: unknown): state is MazeState {
  const { rows, seen, position, goal } = (state ?? {}) as Partial<MazeState>;
  return Array.isArray(rows) && Array.isArray(seen) && Array.isArray(position) && Array.isArray(goal);
}
