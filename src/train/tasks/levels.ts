/**
 * Levels of tasks that follow one another by success: a level is left when the mean success of its episodes over the last steps reaches
 * the threshold. Entries of earlier levels stay in the mix at a part of their weight.
 */
import type { LevelsConfig } from '../../config/recipe/rollout-keys.ts';
import { at } from '../../learn/numbers.ts';
import { Curriculum } from '../sft/curriculum.ts';
import { unselectedOf, type Batch } from '../rl/batch.ts';
import type { TaskDeck } from './deck.ts';
import type { TaskSource } from './source.ts';

export interface LevelsState {
  curriculum: { level: number; seen: number[] };
  /** Tasks drawn from each entry when the level began. */
  since: number[];
}

export class TaskLevels {
  private readonly curriculum: Curriculum;
  /** The levels that there are, ascending: numbers may be left out. */
  private readonly levels: readonly number[];

  constructor(
    private readonly config: LevelsConfig,
    decks: readonly TaskDeck[],
    private readonly source: TaskSource,
  ) {
    this.levels = [...new Set(decks.map(({ level = 0 }) => level))].sort((a, b) => a - b);
    const { success: threshold, window, review } = config;
    this.curriculum = new Curriculum({ threshold, window, review, levels: this.levels.length, start: 0, measure: 'reply' });
    source.enter(this.level, review);
  }

  get level(): number {
    return at(this.levels, this.curriculum.state.level);
  }

  get state(): LevelsState {
    const { level, seen } = this.curriculum.state;
    return { curriculum: { level, seen: [...seen] }, since: [...this.source.began] };
  }

  restore({ curriculum, since }: LevelsState): void {
    this.curriculum.restore(curriculum);
    this.source.enter(this.level, this.config.review, since);
  }

  /** What a step says about its level: metrics, and a sentence when the next one begins. */
  note({ groups, filtered, step }: Batch): { readonly metrics: Record<string, number>; readonly sentence?: string } {
    const { level } = this;
    const own = [...groups, ...filtered].filter(({ level: own = 0 }) => own === level).flatMap(unselectedOf);
    const metrics: Record<string, number> = { 'train/level': level };
    if (own.length === 0) return { metrics };
    const won = own.filter(({ trajectory: { outcome } }) => outcome.kind === 'finished' && outcome.success).length;
    metrics['train/level_success'] = won / own.length;
    if (!this.curriculum.note(won / own.length)) return { metrics };
    this.source.enter(this.level, this.config.review);
    const { success, window } = this.config;
    return {
      metrics,
      sentence: `level ${this.level} of the tasks begins after step ${step}: level ${level} has reached ${success} over ${window} steps`,
    };
  }
}
