/** What those who plan ask of a world, whether they see all of it or remember what was shown. */
import type { Direction, Grid } from '../world/grid.ts';
import type { Thing } from '../world/things.ts';
import type { Verifier } from '../world/verifier.ts';

export interface Known {
  readonly maze: { readonly grid: Grid; readonly x: number; readonly y: number; readonly direction: Direction };
  readonly carrying: Thing | null;
  readonly verifier: Verifier;
  /** Was this cell seen? Without it every cell is known. */
  knows?(cell: number): boolean;
}
