/**
 * One play of one level: MiniGrid's BabyAI worlds step for step. A level and a seed decide the maze and the mission; seven
 * primitive actions change it. Runs anywhere JavaScript does.
 */
import { NumpyRandom } from '../../../core/random/numpy.ts';
import { Move, stepX, stepY, turned } from './grid.ts';
import type { Level } from './levels/level.ts';
import { Maze, Rejected, type Room } from './maze.ts';
import { deedsOf, sentence, walksNeeded, type Mission } from './mission.ts';
import { createVerifier, DeedVerifier, isBeside, type Situation, type Verifier } from './verifier.ts';
import type { Thing } from './things.ts';
import { look, viewSize } from './view.ts';

export interface Result {
  /** 1 − 0.9 × steps / maxSteps on the step that completes the mission, else 0. */
  readonly reward: number;
  /** The mission is completed or, in strict levels, spoilt. The world can be played on all the same. */
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export class World implements Situation {
  readonly maze: Maze;
  readonly mission: Mission;
  readonly sentence: string;
  readonly verifier: Verifier;
  readonly maxSteps: number;
  /** Mazes drawn until one was good. */
  readonly attempts: number;
  /** What the agent sees now, see view.ts; written anew by each step. */
  readonly view = new Uint16Array(viewSize * viewSize);
  carrying: Thing | null = null;
  steps = 0;

  /** `remembered` is the locked room that an earlier play in the same MiniGrid object left behind. */
  constructor(level: Level, seed: number, remembered: Room | null = null) {
    this.maze = new Maze(level.size, new NumpyRandom(seed));
    this.maze.lockedRoom = remembered;
    const { mission, attempts } = draw(level, this.maze);
    this.mission = mission;
    this.attempts = attempts;
    this.sentence = sentence(this.maze, mission);
    this.verifier = createVerifier(mission, this.maze);
    const { roomSize, rows, columns } = level.size;
    this.maxSteps = level.maxSteps ?? walksNeeded(mission) * roomSize ** 2 * rows * columns;
    this.look();
    // The first view still shows the thing in its place: the original takes it into the hand after it has looked.
    const { inHand, grid } = this.maze;
    if (inHand) {
      grid.set(inHand.x, inHand.y, null);
      this.carrying = inHand;
    }
  }

  step(move: Move): Result {
    this.steps += 1;
    this.act(move);
    this.look();
    if (move === Move.drop) this.verifier.lookAgain(this.maze);
    const verdict = this.verifier.verify(move, this);
    return {
      reward: verdict === 'success' ? 1 - 0.9 * (this.steps / this.maxSteps) : 0,
      terminated: verdict !== 'continue',
      truncated: this.steps >= this.maxSteps,
    };
  }

  private act(move: Move): void {
    const { maze } = this;
    const { grid } = maze;
    const x = maze.x + stepX[maze.direction];
    const y = maze.y + stepY[maze.direction];
    const front = grid.at(x, y);
    switch (move) {
      case Move.left:
        maze.direction = turned(maze.direction, 3);
        break;
      case Move.right:
        maze.direction = turned(maze.direction, 1);
        break;
      case Move.forward:
        if (front && !front.passable) break;
        maze.x = x;
        maze.y = y;
        break;
      case Move.pickup:
        if (!front?.portable || this.carrying) break;
        this.carrying = front;
        front.x = front.y = -1;
        grid.set(x, y, null);
        break;
      case Move.drop:
        if (front || !this.carrying) break;
        grid.put(x, y, this.carrying);
        this.carrying = null;
        break;
      case Move.toggle:
        if (front?.kind === 'box') grid.set(x, y, front.contents);
        else if (front?.kind === 'door') this.toggleDoor(front);
        break;
      case Move.done:
        break;
    }
  }

  private toggleDoor(door: Thing): void {
    if (door.state === 'locked') {
      if (this.carrying?.kind === 'key' && this.carrying.colour === door.colour) door.state = 'open';
    } else {
      door.state = door.state === 'open' ? 'closed' : 'open';
    }
  }

  private look(): void {
    const { grid, x, y, direction } = this.maze;
    look(this.view, grid, x, y, direction, this.carrying);
  }
}

/** Draws mazes until one is good; each goes on with the draws after the last. */
function draw(level: Level, maze: Maze): { mission: Mission; attempts: number } {
  for (let attempts = 1; ; attempts++) {
    try {
      maze.clear();
      const mission = level.build(maze);
      requireSense(level, maze, mission);
      return { mission, attempts };
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
    }
  }
}

/** A thing is not put next to itself or where it already is; keys that open a door are left out of unblocking levels. */
function requireSense(level: Level, maze: Maze, mission: Mission): void {
  const lockedColours = level.unblocking === true ? coloursOfLockedDoors(maze) : [];
  for (const deed of deedsOf(mission)) {
    if (deed.do === 'put next to') {
      const { what, fixed } = new DeedVerifier(deed, maze);
      if (!fixed || what.things.some((thing) => fixed.things.includes(thing))) throw Rejected.instance;
      if (what.things.some((thing) => fixed.things.some(({ x, y }) => isBeside(thing, x, y)))) throw Rejected.instance;
    }
    const descriptions = deed.do === 'put next to' ? [deed.what, deed.fixed] : [deed.what];
    for (const { kind, colour } of descriptions) {
      if (kind === 'key' && colour !== undefined && lockedColours.includes(colour)) throw Rejected.instance;
    }
  }
}

function coloursOfLockedDoors(maze: Maze): string[] {
  const doors = maze.rooms.flat().flatMap((room) => room.doors);
  return doors
    .filter((door) => door !== null && door !== 'none' && door.state === 'locked')
    .map((door) => (door as Thing).colour);
}
