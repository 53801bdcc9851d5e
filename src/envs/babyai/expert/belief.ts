/**
 * What an agent knows of a level: the cells its views have shown, as they looked when it saw them last. Cells never shown count as
 * walls for ways, and as seen through when it guesses how much a look would show.
 */
import type { TextGame } from '../text/game.ts';
import { Grid, stepX, stepY, type Direction } from '../world/grid.ts';
import { empty, Thing, unseen } from '../world/things.ts';
import { look, shownOf, viewOrigin, viewSize } from '../world/view.ts';
import type { Known } from './known.ts';

/** What a cell of a wall counts for, which may be a door. */
const wallCell = 0.7;
const unknown = new Thing('wall', 'grey');
/** A cell in line with a wall: not seen, but not seen through either. */
const wallLine = 0x20f;
const codes = new Uint16Array(viewSize * viewSize);

export class Belief implements Known {
  readonly maze: { readonly grid: Grid; x: number; y: number; direction: Direction };
  /** Where walls run from top to bottom, and from left to right. */
  private readonly columns = new Set<number>();
  private readonly rows = new Set<number>();
  /** Things that were in the hand. */
  readonly moved = new Set<Thing>();
  readonly view = new Uint16Array(viewSize * viewSize);

  constructor(private readonly game: TextGame) {
    const { grid, x, y, direction } = game.world.maze;
    this.maze = { grid: new Grid(grid.width, grid.height), x, y, direction };
    this.maze.grid.cells.fill(unknown);
    this.see();
  }

  get carrying(): Thing | null {
    return this.game.world.carrying;
  }

  get verifier(): Known['verifier'] {
    return this.game.world.verifier;
  }

  get choices(): TextGame['choices'] {
    return this.game.choices;
  }

  knows(cell: number): boolean {
    return this.maze.grid.cells[cell] !== unknown;
  }

  /** Never seen, and not in line with a wall. */
  isOpen(cell: number): boolean {
    const { width } = this.maze.grid;
    return !this.knows(cell) && !this.columns.has(cell % width) && !this.rows.has(Math.floor(cell / width));
  }

  /** Takes over what is in view now, and nothing else. */
  see(): void {
    const { maze, view } = this.game.world;
    const { x, y, direction } = maze;
    if (this.carrying) this.moved.add(this.carrying);
    Object.assign(this.maze, { x, y, direction });
    const fresh: [number, number][] = [];
    const { left, top } = viewOrigin(x, y, direction);
    for (let shown = 0; shown < view.length; shown++) {
      if (view[shown] === unseen) continue;
      const row = Math.floor(shown / viewSize);
      const column = shown % viewSize;
      const cellX = left - stepX[direction] * row - stepY[direction] * column;
      const cellY = top - stepY[direction] * row + stepX[direction] * column;
      if (!maze.grid.inside(cellX, cellY)) continue;
      if (!this.knows(cellY * maze.grid.width + cellX)) fresh.push([cellX, cellY]);
      this.maze.grid.set(cellX, cellY, maze.grid.at(cellX, cellY));
    }
    for (const [cellX, cellY] of fresh) this.markLine(cellX, cellY);
    look(this.view, this.maze.grid, x, y, direction, this.carrying);
  }

  /**
   * What a look from there would show for the first time: 1 a cell, less for a wall that may hold a door. Walls run straight through
   * a level, so two of its cells tell the line; unknown cells elsewhere are thought to hide nothing.
   */
  gain(x: number, y: number, direction: Direction): number {
    const { grid } = this.maze;
    const { left, top } = viewOrigin(x, y, direction);
    const dx = stepX[direction];
    const dy = stepY[direction];
    for (let row = 0, at = 0; row < viewSize; row++) {
      for (let column = 0; column < viewSize; column++, at++) {
        const cellX = left - dx * row - dy * column;
        const cellY = top - dy * row + dx * column;
        const thing = grid.inside(cellX, cellY) ? grid.at(cellX, cellY) : unknown;
        if (thing !== unknown) codes[at] = thing?.code ?? empty;
        else codes[at] = this.columns.has(cellX) || this.rows.has(cellY) ? wallLine : unseen;
      }
    }
    const shown = shownOf(codes);
    let gain = 0;
    for (let at = 0; at < codes.length; at++) {
      if (shown[at] === 1) gain += codes[at] === unseen ? 1 : codes[at] === wallLine ? wallCell : 0;
    }
    return gain;
  }

  private markLine(x: number, y: number): void {
    const { grid } = this.maze;
    const isWall = (nextX: number, nextY: number): boolean => {
      if (!grid.inside(nextX, nextY)) return false;
      const thing = grid.at(nextX, nextY);
      return thing !== unknown && (thing?.kind === 'wall' || thing?.kind === 'door');
    };
    if (!isWall(x, y)) return;
    if (isWall(x, y - 1) || isWall(x, y + 1)) this.columns.add(x);
    if (isWall(x - 1, y) || isWall(x + 1, y)) this.rows.add(y);
  }
}
