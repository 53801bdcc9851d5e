/** Who draws demonstrations by their number: this thread, or several beside it. The number, the difficulty and the line decide what is drawn. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { ExpertEntry } from '../../config/recipe/sft-recipe.ts';
import type { Random } from '../../core/random/random.ts';

export interface DrawnDemonstration {
  readonly datum: TrajectoryDatum | undefined;
  /** Played in a world whose difficulty the curriculum set. */
  readonly generated: boolean;
}

export interface Drawing {
  /** Some of them are worlds of a generator with a difficulty. */
  readonly generates: boolean;
  /** How many draws are worth having under way at once. */
  readonly atOnce: number;
  /** `line`: whose it is, as a place in data.experts; absent: one that is open at this difficulty. */
  draw(number: number, difficulty: number, line?: number): Promise<DrawnDemonstration>;
}

/** One of the lines that are open at a difficulty, by their weights; the first where none is. */
export function pickLine(entries: readonly ExpertEntry[], random: Random, difficulty: number): number {
  const open = entries.flatMap((entry, line) => (entry.after <= difficulty ? [{ line, weight: entry.weight }] : []));
  let left = random.float() * open.reduce((sum, { weight }) => sum + weight, 0);
  for (const { line, weight } of open) if ((left -= weight) < 0) return line;
  return open[0]?.line ?? 0;
}
