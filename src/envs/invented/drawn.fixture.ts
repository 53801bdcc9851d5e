/** Worlds drawn for tests, with the tables they wrote down before a layout made text of them; and their experts' plays. */
import { Random } from '../../core/random/random.ts';
import type { Call } from './calls.ts';
import { kinds, type KindName } from './kinds.ts';
import type { Table } from './layout.ts';
import type { Side } from './lexicon.ts';
import { Sketch, type Answer, type World } from './world.ts';

/** A word that no world has in it. */
export const NONSENSE = 'zyxwvutsrq';

class OpenSketch extends Sketch {
  readonly tables: Table[] = [];

  override write(table: Table): string {
    this.tables.push(table);
    return super.write(table);
  }
}

export interface Drawn {
  readonly world: World;
  readonly tables: readonly Table[];
}

export function draw(kind: KindName, seed: number, level = 0.5, side: Side = 'train'): Drawn {
  const sketch = new OpenSketch(Random.of(seed, kind, 'rules'), side, level);
  return { world: kinds[kind](sketch), tables: sketch.tables };
}

export const seeds = (count: number): number[] => Array.from({ length: count }, (_, seed) => seed);

export interface Play {
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
}

/** The expert's calls to the end, and what was answered. */
export function solve(world: World): Play {
  const [calls, answers]: [Call[], Answer[]] = [[], []];
  while (answers.at(-1)?.solved === undefined && calls.length < 60) {
    const call = world.next();
    if (!call) break;
    calls.push(call);
    answers.push(world.answer(call));
  }
  return { calls, answers };
}
