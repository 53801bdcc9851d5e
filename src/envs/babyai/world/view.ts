/**
 * What the agent sees: the 7×7 cells before it, itself at the middle of the nearest row, with walls and doors that are not
 * open hiding what lies behind. Codes row by row from far left to near right; the carried thing shows at the agent's cell.
 */
import { stepX, stepY, type Direction, type Grid } from './grid.ts';
import { empty, hidesView, unseen, type Thing } from './things.ts';

export const viewSize = 7;
const half = 3;
const own = viewSize * (viewSize - 1) + half;
const outside = 0x250;

/** A cell of the view in the coordinates of the grid. */
export function viewOrigin(x: number, y: number, direction: Direction): { left: number; top: number } {
  const dx = stepX[direction];
  const dy = stepY[direction];
  return { left: x + dx * (viewSize - 1) + dy * half, top: y + dy * (viewSize - 1) - dx * half };
}

const raw = new Uint16Array(viewSize * viewSize);
const seen = new Uint8Array(viewSize * viewSize);

/** Writes the codes of the 49 cells into `view`. */
export function look(view: Uint16Array, grid: Grid, x: number, y: number, direction: Direction, carried: Thing | null): void {
  const dx = stepX[direction];
  const dy = stepY[direction];
  const { width, height, cells } = grid;
  const { left, top } = viewOrigin(x, y, direction);
  for (let row = 0, at = 0; row < viewSize; row++) {
    let cellX = left - dx * row;
    let cellY = top - dy * row;
    for (let column = 0; column < viewSize; column++, at++) {
      const inside = cellX >= 0 && cellY >= 0 && cellX < width && cellY < height;
      raw[at] = inside ? (cells[cellY * width + cellX]?.code ?? empty) : outside;
      seen[at] = 0;
      cellX -= dy;
      cellY += dx;
    }
  }
  spreadSight(raw);
  for (let at = 0; at < view.length; at++) view[at] = seen[at] === 1 ? (raw[at] ?? unseen) : unseen;
  view[own] = carried?.code ?? empty;
}

/** Which of the 49 cells show, 1 or 0, given their codes; overwritten by the next look. */
export function shownOf(codes: ArrayLike<number>): Uint8Array {
  seen.fill(0);
  spreadSight(codes);
  return seen;
}

/** From the agent outwards, row by row: a seen cell that hides nothing shows its neighbours beside it and farther away. */
function spreadSight(codes: ArrayLike<number>): void {
  seen[own] = 1;
  for (let row = viewSize - 1; row >= 0; row--) {
    const start = row * viewSize;
    for (let column = 0; column < viewSize - 1; column++) spread(codes, start + column, 1, row > 0);
    for (let column = viewSize - 1; column > 0; column--) spread(codes, start + column, -1, row > 0);
  }
}

function spread(codes: ArrayLike<number>, at: number, side: 1 | -1, farther: boolean): void {
  if (seen[at] === 0 || hidesView(codes[at] ?? empty)) return;
  seen[at + side] = 1;
  if (!farther) return;
  seen[at + side - viewSize] = 1;
  seen[at - viewSize] = 1;
}
