/**
 * An expert that knows only what it has seen. It walks to the cell beside it, not yet stood on, that lies nearest to the goal; in a dead end it
 * goes back the way it came. So each of its moves can be read off the conversation, which the shortest way through an unknown maze cannot.
 */
import type { Expert } from '../environment.ts';
import { isWall, moves, moveNames, type Move, type MazeWorld, type Place } from './world.ts';

export class MazeExplorer implements Expert {
  readonly follows = true;
  /** Cells stood on. */
  private readonly visited = new Set<string>();
  /** The way back: the cells from the start to here. */
  private readonly trail: Place[] = [];
  private advised: string | undefined;

  /** `world` is the expert's own: it plays along in it, and looks no farther than at the walls beside it. */
  constructor(private readonly world: MazeWorld) {
    this.arrive();
  }

  next(_observation?: string, played = this.advised): string | null {
    if (played !== undefined) {
      this.world.step(played);
      this.arrive();
    }
    this.advised = this.unseen() ?? this.back();
    return this.advised ?? null;
  }

  private arrive(): void {
    const here = this.world.position;
    this.visited.add(here.join(','));
    const known = this.trail.findIndex((place) => place.join(',') === here.join(','));
    if (known >= 0) this.trail.length = known;
    this.trail.push(here);
  }

  private unseen(): Move | undefined {
    const ways = moveNames.filter((move) => {
      const place = this.beside(move);
      return !isWall(this.world.maze, place) && !this.visited.has(place.join(','));
    });
    return ways.sort((a, b) => this.far(this.beside(a)) - this.far(this.beside(b)))[0];
  }

  private back(): Move | undefined {
    const before = this.trail.at(-2)?.join(',');
    return moveNames.find((move) => this.beside(move).join(',') === before);
  }

  private beside(move: Move): Place {
    const [row, column] = this.world.position;
    const [down, right] = moves[move];
    return [row + down, column + right];
  }

  private far([row, column]: Place): number {
    const { goal } = this.world.maze;
    return Math.abs(goal[0] - row) + Math.abs(goal[1] - column);
  }
}
