/** Who draws demonstrations by their number: this thread, or several beside it. The number and the difficulty decide what is drawn. */
import type { TrajectoryDatum } from '../../agent/datum.ts';

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
  draw(number: number, difficulty: number): Promise<DrawnDemonstration>;
}
