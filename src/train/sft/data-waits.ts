/** How much of its time imitation waits for its next batch, and what would help: an expert may play slower than the engine learns. */
import { availableParallelism } from 'node:os';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';

/** Steps before anything is said, and the share of them that is worth a word. */
const steps = 10;
const notable = 0.5;

export class DataWaits {
  private waited = 0;
  private whole = 0;
  private step = 0;
  private told = false;

  constructor(
    private readonly recipe: SftRecipe,
    private readonly cores = availableParallelism(),
  ) {}

  /** Milliseconds of a step, and of these after the engine had learned. */
  add(waited: number, whole: number): void {
    this.waited += waited;
    this.whole += whole;
    this.step++;
  }

  /** Share since the last call. */
  take(): number | undefined {
    const share = this.whole > 0 ? this.waited / this.whole : undefined;
    [this.waited, this.whole] = [0, 0];
    return share;
  }

  /** Said once, where threads of their own would play. */
  sentence(share: number | undefined): string | undefined {
    const { data, engine } = this.recipe;
    if (this.told || share === undefined || share < notable || this.step < steps) return undefined;
    const idle = Math.min(8, this.cores - (engine.threads ?? 1));
    if (data.source !== 'experts' || data.threads > 0 || data.experts.some(({ url }) => url !== null) || idle < 1)
      return undefined;
    this.told = true;
    return `${(100 * share).toFixed(0)} % of the time learning waits for demonstrations: data.threads=${idle} plays them beside it, and the run stays the same`;
  }
}
