/**
 * What the view shows, as a list: walls, doors and things with their names and places, nearest first. AgentGym's text layer
 * reads everything it says and offers from this list.
 */
import { stepX, stepY } from '../world/grid.ts';
import { colourOf, kindOf, stateOf, type Kind } from '../world/things.ts';
import { viewOrigin, viewSize } from '../world/view.ts';
import type { World } from '../world/world.ts';

export interface Seen {
  readonly kind: Kind;
  /** `red ball`, `blue closed door`. */
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly ahead: number;
  /** Steps to the right; negative to the left. */
  readonly right: number;
}

export interface Sight {
  /** Nearest first by the sum of both distances, far rows first among equals. */
  readonly things: readonly Seen[];
  /** The nearest wall or box on the line straight ahead. */
  readonly barrier: { readonly kind: Kind; readonly ahead: number } | null;
  /** The cells a plan may use: the view's, with one column or row more on the sides that face up or left. */
  readonly area: Area;
}

export interface Area {
  readonly left: number;
  readonly top: number;
  /** Not included. */
  readonly right: number;
  readonly bottom: number;
}

export function sightOf({ maze, view }: World): Sight {
  const dx = stepX[maze.direction];
  const dy = stepY[maze.direction];
  const { left, top } = viewOrigin(maze.x, maze.y, maze.direction);
  const things: (Seen & { distance: number })[] = [];
  let barrier: Sight['barrier'] = null;
  for (let row = 0, at = 0; row < viewSize; row++) {
    for (let column = 0; column < viewSize; column++, at++) {
      const code = view[at] as number;
      const kind = kindOf(code);
      const ahead = viewSize - 1 - row;
      const right = column - (viewSize >> 1);
      if (kind === undefined || (ahead === 0 && right === 0)) continue;
      const x = left - dx * row - dy * column;
      const y = top - dy * row + dx * column;
      if (x < 0 || y < 0) continue;
      const name = kind === 'door' ? `${colourOf(code)} ${stateOf(code)} door` : `${colourOf(code)} ${kind}`;
      things.push({ kind, name, x, y, ahead, right, distance: ahead + Math.abs(right) });
      // Rows come from far to near, so the last one on the line is the nearest.
      if (right === 0 && (kind === 'wall' || kind === 'box')) barrier = { kind, ahead };
    }
  }
  things.sort((a, b) => a.distance - b.distance);
  const [spanLeft, spanRight] = span(left, -dx - dy);
  const [spanTop, spanBottom] = span(top, dx - dy);
  return { things, barrier, area: { left: spanLeft, top: spanTop, right: spanRight, bottom: spanBottom } };
}

/** From the view's far left corner towards the near right one; backwards the original counts one cell too many. */
function span(from: number, towards: number): [number, number] {
  const end = from + viewSize * towards;
  return end < from ? [end, from + 1] : [from, end];
}
