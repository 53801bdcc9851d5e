/** A maze as far as its player knows it: what was never near lies in fog. */
import { isMazeState } from '../../../src/envs/maze/draw.ts';

const size = 18;

export function MazePicture({ state }: { readonly state: unknown }) {
  if (!isMazeState(state)) return null;
  const seen = new Set(state.seen);
  const height = state.rows.length * size;
  const width = (state.rows[0]?.length ?? 0) * size;
  const middle = (at: number): number => at * size + size / 2;
  return (
    <div class="picture">
      <svg viewBox={`0 0 ${String(width)} ${String(height)}`} width={width} height={height} role="img" aria-label="maze">
        {state.rows.flatMap((line, row) =>
          [...line].map((cell, column) => {
            const known = seen.has(`${String(row)},${String(column)}`);
            const fill = !known ? 'var(--line)' : cell === '#' ? 'var(--muted)' : 'var(--panel)';
            return (
              <rect
                key={`${String(row)},${String(column)}`}
                x={column * size}
                y={row * size}
                width={size}
                height={size}
                fill={fill}
              />
            );
          }),
        )}
        <circle
          cx={middle(state.goal[1])}
          cy={middle(state.goal[0])}
          r={size / 3}
          fill="none"
          stroke="var(--good)"
          stroke-width="3"
        />
        <circle cx={middle(state.position[1])} cy={middle(state.position[0])} r={size / 3.5} fill="var(--accent)" />
      </svg>
    </div>
  );
}
