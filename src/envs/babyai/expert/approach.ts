/**
 * Picks, among the actions the text layer offers, the one that gets nearest to an objective. Single turns and steps are
 * always offered, so there is always one that gets nearer; longer actions are taken where they save turns.
 */
import { Move, stepX, stepY, turned, type Direction } from '../world/grid.ts';
import { look } from '../world/view.ts';
import type { Choices } from '../text/choices.ts';
import type { Known } from './known.ts';
import { directionOf, isFree, stepsToFace } from './route.ts';

/** Have this cell right ahead, then act on it. `through`: toggle and step onto it. */
export interface Objective {
  readonly cell: number;
  readonly then: 'nothing' | 'pickup' | 'drop' | 'toggle' | 'through';
}

/** Where the agent stands and what it sees there. */
type Walked = Pick<Known, 'maze' | 'carrying'> & { readonly view: Uint16Array };

export function approach(world: Walked, choices: Choices, { cell, then }: Objective): string | null {
  const { maze } = world;
  const { grid } = maze;
  const steps = stepsToFace(grid, cell);
  const here = ((maze.y * grid.width + maze.x) << 2) | maze.direction;
  const endings = {
    nothing: [],
    pickup: [Move.pickup],
    drop: [Move.drop],
    toggle: [Move.toggle],
    through: [Move.toggle, Move.forward],
  };
  const ending: readonly Move[] = endings[then];
  const now = steps[here] ?? -1;
  if (now < 0) return null;
  // Facing something only counts after a move: turn away, and back with the next action.
  if (now === 0 && then === 'nothing') return 'turn left';
  let best: { action: string; price: number } | null = null;
  for (const [action, plan] of choices.plans) {
    const finishes = ending.length > 0 && endsWith(plan, ending);
    if (plan.length === 0 || (!finishes && plan.some((move) => move > Move.forward))) continue;
    const left = steps[walked(world, finishes ? plan.slice(0, -ending.length) : plan)] ?? -1;
    if (left < 0 || (finishes ? left > 0 : left >= now)) continue;
    // Each step left counts twice, so that a long action is worth a short detour but not a long one.
    const price = finishes ? plan.length - ending.length - 1 : plan.length + 2 * left;
    if (price < (best?.price ?? Infinity)) best = { action, price };
  }
  return best?.action ?? null;
}

/** Does the plan consist of turns and steps, then just this ending? */
function endsWith(plan: readonly Move[], ending: readonly Move[]): boolean {
  const walk = plan.length - ending.length;
  return walk >= 0 && plan.every((move, at) => (at < walk ? move <= Move.forward : move === ending[at - walk]));
}

/** The state after some moves, which end early at the first that leaves the view as it was. */
function walked(world: Walked, moves: readonly Move[]): number {
  const { maze, carrying } = world;
  const { grid } = maze;
  let { x, y, direction }: { x: number; y: number; direction: Direction } = maze;
  let view = world.view;
  for (const move of moves) {
    if (move === Move.left) direction = turned(direction, 3);
    else if (move === Move.right) direction = turned(direction, 1);
    else if (isFree(grid, (y + stepY[direction]) * grid.width + x + stepX[direction])) {
      x += stepX[direction];
      y += stepY[direction];
    }
    const next = new Uint16Array(view.length);
    look(next, grid, x, y, direction, carrying);
    if (next.every((code, at) => code === view[at])) break;
    view = next;
  }
  return ((y * grid.width + x) << 2) | directionOf(direction);
}
