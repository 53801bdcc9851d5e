/**
 * A curriculum that grows when it is mastered: the level goes up by one whenever the accuracy over the last batches passes the
 * threshold, and the window starts anew. Most demonstrations are of the present level, some of earlier ones.
 */
import type { CurriculumConfig } from '../../config/recipe/sft-recipe.ts';
import type { Random } from '../../core/random/random.ts';

export interface CurriculumState {
  readonly level: number;
  readonly seen: readonly number[];
}

export class Curriculum {
  private level: number;
  private seen: number[] = [];

  constructor(private readonly config: Omit<CurriculumConfig, 'each'>) {
    this.level = Math.min(config.start, config.levels - 1);
  }

  get state(): CurriculumState {
    return { level: this.level, seen: [...this.seen] };
  }

  restore({ level, seen }: CurriculumState): void {
    this.level = level;
    this.seen = [...seen];
  }

  /** Difficulty from 0 to 1 of the present level. */
  get difficulty(): number {
    return this.at(this.level);
  }

  /** Adds a batch's accuracy; true when the level went up. */
  note(accuracy: number): boolean {
    this.seen.push(accuracy);
    if (this.seen.length < this.config.window) return false;
    const mean = this.seen.reduce((a, b) => a + b, 0) / this.seen.length;
    if (mean < this.config.threshold || this.level >= this.config.levels - 1) {
      this.seen.shift();
      return false;
    }
    this.level++;
    this.seen = [];
    return true;
  }

  /** The difficulty of the next demonstration. */
  draw(random: Random, level = this.level): number {
    const early = level > 0 && random.float() < this.config.review;
    return this.at(early ? random.below(level) : level);
  }

  private at(level: number): number {
    return this.config.levels <= 1 ? 1 : level / (this.config.levels - 1);
  }
}
