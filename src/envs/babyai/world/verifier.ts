/**
 * Decides after each primitive action whether a mission is done. The things a description fits are fixed when the episode
 * starts; where they lie is looked up again only when something is dropped (so facing the place where a ball lay counts as
 * going to it while it is carried), as in MiniGrid.
 */
import { Move, stepX, stepY } from './grid.ts';
import type { Maze } from './maze.ts';
import { cellsOf, matching, type Deed, type Description, type Mission } from './mission.ts';
import type { Thing } from './things.ts';

export type Verdict = 'success' | 'failure' | 'continue';

/** What a verifier looks at: the maze and what the agent carries. */
export interface Situation {
  readonly maze: Maze;
  readonly carrying: Thing | null;
}

/** The things a description fitted at the start, and the cells where they lay at the last look. */
class Tracked {
  readonly things: readonly Thing[];
  cells: readonly number[];

  constructor(maze: Maze, description: Description) {
    this.things = matching(maze, description);
    this.cells = cellsOf(maze, this.things);
  }

  lookAgain(maze: Maze): void {
    this.cells = cellsOf(maze, this.things);
  }
}

export class DeedVerifier {
  readonly what: Tracked;
  readonly fixed: Tracked | null;
  private carriedBefore: Thing | null = null;

  constructor(
    readonly deed: Deed,
    maze: Maze,
  ) {
    this.what = new Tracked(maze, deed.what);
    this.fixed = deed.do === 'put next to' ? new Tracked(maze, deed.fixed) : null;
  }

  lookAgain(maze: Maze): void {
    this.what.lookAgain(maze);
    this.fixed?.lookAgain(maze);
  }

  verify(move: Move, { maze, carrying }: Situation): Verdict {
    const before = this.carriedBefore;
    this.carriedBefore = carrying;
    switch (this.deed.do) {
      case 'go to':
        return this.what.cells.includes(frontCell(maze)) ? 'success' : 'continue';
      case 'open': {
        if (move !== Move.toggle) return 'continue';
        const front = maze.grid.cells[frontCell(maze)];
        if (front && front.state === 'open' && this.what.things.includes(front)) return 'success';
        return this.deed.strict && front?.kind === 'door' ? 'failure' : 'continue';
      }
      case 'pick up':
        if (move !== Move.pickup) return 'continue';
        if (carrying && before === null && this.what.things.includes(carrying)) return 'success';
        return this.deed.strict && carrying ? 'failure' : 'continue';
      case 'put next to': {
        if (move !== Move.drop || !before || !this.what.things.includes(before)) return 'continue';
        const { width } = maze.grid;
        const near = this.fixed?.cells.some((at) => isBeside(before, at % width, Math.floor(at / width))) ?? false;
        return near ? 'success' : 'continue';
      }
    }
  }
}

/** The original opens its tree anew at each step; what was done stays done, except where the order says otherwise. */
class PairVerifier {
  firstDone = false;
  secondDone = false;

  constructor(
    readonly order: 'and' | 'then' | 'after',
    readonly first: Verifier,
    readonly second: Verifier,
  ) {}

  lookAgain(maze: Maze): void {
    this.first.lookAgain(maze);
    this.second.lookAgain(maze);
  }

  verify(move: Move, situation: Situation): Verdict {
    if (this.order === 'and') {
      this.firstDone ||= this.first.verify(move, situation) === 'success';
      this.secondDone ||= this.second.verify(move, situation) === 'success';
      return this.firstDone && this.secondDone ? 'success' : 'continue';
    }
    const [earlier, later] = this.order === 'then' ? [this.first, this.second] : [this.second, this.first];
    if (!this.earlierDone) {
      const verdict = earlier.verify(move, situation);
      if (verdict !== 'success') return verdict;
      if (this.order === 'then') this.firstDone = true;
      else this.secondDone = true;
    }
    // The step that completes the earlier part is at once looked at for the later one.
    return later.verify(move, situation);
  }

  private get earlierDone(): boolean {
    return this.order === 'then' ? this.firstDone : this.secondDone;
  }
}

export type Verifier = DeedVerifier | PairVerifier;

export function createVerifier(mission: Mission, maze: Maze): Verifier {
  if (!('first' in mission)) return new DeedVerifier(mission, maze);
  return new PairVerifier(mission.do, createVerifier(mission.first, maze), createVerifier(mission.second, maze));
}

/** Are two places neighbours along a row or a column? */
export function isBeside(thing: Thing, x: number, y: number): boolean {
  return Math.abs(thing.x - x) + Math.abs(thing.y - y) === 1;
}

function frontCell({ x, y, direction, grid }: Maze): number {
  return (y + stepY[direction]) * grid.width + x + stepX[direction];
}
