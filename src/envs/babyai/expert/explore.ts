/**
 * Where to look next: the look that shows the most new cells for its moves, or a door that was never opened, the first in the list of
 * actions. A look to the left comes before one to the right, so that little hangs on walls which the text does not tell.
 */
import { Move } from '../world/grid.ts';
import type { Thing } from '../world/things.ts';
import { approach, type Objective } from './approach.ts';
import type { Belief } from './belief.ts';
import { ahead, cellOf, directionOf, isFree } from './route.ts';

/** New cells that opening a door counts for, and that a look must show for each of its moves to come before clearing or far doors. */
const cellsOfDoor = 25;
const much = 6;
/** Looks that show less than this come after moving things out of the way. */
const little = 2;
/** What a move to a door that is not in the list adds to its one action. */
const actionsOfMove = 0.5;
/** A turn to the left is taken before one to the right when it shows this part as much: the text does not tell which shows more. */
const partOfRight = 0.1;

/** The next action of a search for what was not seen yet; null when nothing is left. */
export function explore(belief: Belief, futile: ReadonlySet<string>): string | null {
  const reach = reachFrom(belief);
  const look = bestLook(belief, reach);
  const door = bestDoor(belief, reach, futile);
  const looking = look && lookAction(belief, look, futile);
  if (look && look.worth >= much && look.worth >= (door?.worth ?? 0)) return looking;
  if (door) return door.action;
  return look && look.worth >= little ? looking : (makeRoom(belief, reach) ?? looking);
}

/** A look that shows much; null when the surroundings are known. */
export function lookAround(belief: Belief, futile: ReadonlySet<string>): string | null {
  const look = bestLook(belief, reachFrom(belief));
  return look && look.worth >= much ? lookAction(belief, look, futile) : null;
}

/** Takes the nearest thing away that stands before cells which cannot be reached; what is in the hand is dropped for it. */
function makeRoom(belief: Belief, { states, steps }: Reach): string | null {
  const { grid } = belief.maze;
  const isOpen = (cell: number): boolean =>
    isFree(grid, cell) && [0, 1, 2, 3].every((direction) => steps[(cell << 2) | direction] === -1);
  for (const state of states) {
    const cell = ahead(grid, state);
    const thing = grid.cells[cell];
    if (!thing?.portable || belief.moved.has(thing)) continue;
    if (![1, -1, grid.width, -grid.width].some((step) => isOpen(cell + step) || belief.isOpen(cell + step))) continue;
    if (belief.carrying) return belief.choices.plans.has('drop') ? 'drop' : 'turn left';
    return approach(belief, belief.choices, { cell, then: 'pickup' });
  }
  return null;
}

/** The states that can be reached over known cells, nearest first, left before right before ahead; each with its moves and the first of them. */
interface Reach {
  readonly states: readonly number[];
  readonly steps: Int16Array;
  readonly first: Int8Array;
}

interface Look {
  readonly state: number;
  readonly steps: number;
  readonly first: Move;
  /** New cells a move. */
  readonly worth: number;
}

/** More than a view can show. */
const most = 49;
const names = new Map<Move, string>([
  [Move.left, 'turn left'],
  [Move.right, 'turn right'],
  [Move.forward, 'move forward'],
]);

function reachFrom({ maze }: Belief): Reach {
  const { grid, x, y, direction } = maze;
  const steps = new Int16Array(grid.cells.length * 4).fill(-1);
  const first = new Int8Array(grid.cells.length * 4).fill(-1);
  const start = ((y * grid.width + x) << 2) | direction;
  const states = [start];
  steps[start] = 0;
  for (const state of states) {
    const enter = (next: number, move: Move): void => {
      if (steps[next] !== -1) return;
      steps[next] = (steps[state] as number) + 1;
      first[next] = state === start ? move : (first[state] as number);
      states.push(next);
    };
    enter((state & ~3) | ((state + 3) & 3), Move.left);
    enter((state & ~3) | ((state + 1) & 3), Move.right);
    const front = ahead(grid, state);
    if (isFree(grid, front)) enter((front << 2) | directionOf(state), Move.forward);
  }
  return { states, steps, first };
}

function bestLook(belief: Belief, { states, steps, first }: Reach): Look | null {
  const { width } = belief.maze.grid;
  const found: Look[] = [];
  let best = 0;
  for (const state of states.slice(1)) {
    const moves = steps[state] as number;
    if (most / moves < best) break;
    const cell = cellOf(state);
    const worth = belief.gain(cell % width, Math.floor(cell / width), directionOf(state)) / moves;
    if (worth > 0) found.push({ state, steps: moves, first: first[state] as Move, worth });
    best = Math.max(best, worth);
  }
  const chosen = found.find(({ worth }) => worth === best) ?? null;
  if (chosen?.first !== Move.right) return chosen;
  const left = found.find((look) => look.first === Move.left && look.steps === 1 && look.worth >= partOfRight * best);
  return left ? { ...left, worth: best } : chosen;
}

function lookAction(belief: Belief, { state, steps, first }: Look, futile: ReadonlySet<string>): string | null {
  const cell = ahead(belief.maze.grid, state);
  const action = steps > 3 ? approach(belief, belief.choices, { cell, then: 'nothing' }) : null;
  return action === null || futile.has(action) ? (names.get(first) ?? null) : action;
}

/** The door worth most for its way: closed, or locked with the key in hand; else the key of a locked door. */
function bestDoor(
  belief: Belief,
  { states, steps }: Reach,
  futile: ReadonlySet<string>,
): { worth: number; action: string } | null {
  const { grid } = belief.maze;
  const listed = [...new Set([...belief.choices.targets.values()].map(({ x, y }) => y * grid.width + x))];
  const far = new Map<number, number>();
  for (const state of states) {
    const cell = ahead(grid, state);
    if (grid.cells[cell] && !far.has(cell)) far.set(cell, steps[state] as number);
  }
  const locks = grid.cells.filter((thing): thing is Thing => thing?.kind === 'door' && thing.state === 'locked');
  let best: { worth: number; action: string } | null = null;
  for (const cell of new Set([...listed, ...far.keys()])) {
    const thing = grid.cells[cell];
    const moves = far.get(cell);
    const then = thing && moves !== undefined && usefulness(belief, thing, locks);
    if (!then) continue;
    const worth = cellsOfDoor / (listed.includes(cell) ? 1 : 1 + actionsOfMove * moves);
    if (worth <= (best?.worth ?? 0)) continue;
    const action = approach(belief, belief.choices, { cell, then });
    if (action !== null && !futile.has(action)) best = { worth, action };
  }
  return best;
}

function usefulness({ carrying }: Belief, thing: Thing, locks: readonly Thing[]): Objective['then'] | null {
  const { kind, colour, state } = thing;
  if (kind === 'door' && state === 'closed') return 'through';
  if (kind === 'door' && state === 'locked') return carrying?.kind === 'key' && carrying.colour === colour ? 'through' : null;
  return kind === 'key' && !carrying && locks.some((lock) => lock.colour === colour) ? 'pickup' : null;
}
