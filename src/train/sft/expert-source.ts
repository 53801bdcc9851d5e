/** Sequences that experts play as training goes on, as hard as the curriculum says. Never ends. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { SftRecipe } from '../../config/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { fitDatum } from './conversation-datum.ts';
import { Curriculum, type CurriculumState } from './curriculum.ts';
import type { Demonstrations } from './demonstrations.ts';
import type { SftBatch, SftPosition, SftSource } from './source.ts';

export class ExpertSource implements SftSource {
  private drawn = 0;
  private readonly ladder: Curriculum;

  constructor(
    private readonly demonstrations: Demonstrations,
    private readonly recipe: SftRecipe,
    private readonly maxTokens: number,
  ) {
    this.ladder = new Curriculum(recipe.data.curriculum);
  }

  get position(): SftPosition {
    return { drawn: this.drawn, curriculum: this.ladder.state };
  }

  get curriculum(): CurriculumState {
    return this.ladder.state;
  }

  get difficulty(): number {
    return this.ladder.difficulty;
  }

  async restore({ drawn, curriculum }: SftPosition): Promise<void> {
    this.drawn = drawn;
    if (curriculum) this.ladder.restore(curriculum);
  }

  restoreCurriculum(state: CurriculumState): void {
    this.ladder.restore(state);
  }

  async next(tokens: number): Promise<SftBatch> {
    const data: TrajectoryDatum[] = [];
    const ungraded = new Set<TrajectoryDatum>();
    let used = 0;
    let refused = 0;
    while (used < tokens) {
      const number = this.drawn++;
      const difficulty = this.ladder.draw(Random.of(this.recipe.seed, 'level', number));
      const { datum, generated } = await this.demonstrations.draw(number, difficulty);
      const fitting = datum && fitDatum(datum, this.maxTokens, this.recipe.data.too_long, `demonstration ${number}`);
      if (!fitting) {
        if (++refused < 1000) continue;
        throw new AgogeError(
          'TRAIN_NO_DATA',
          `of a thousand demonstrations none fits data.max_tokens=${this.maxTokens}: raise it, or set data.too_long=cut`,
        );
      }
      if (data.length > 0 && used + fitting.tokens.length > tokens * 1.25) {
        this.drawn--; // it opens the next batch
        break;
      }
      data.push(fitting);
      if (!generated) ungraded.add(fitting);
      used += fitting.tokens.length;
    }
    // Where nothing is generated, everything counts.
    return { data, epoch: 0, ...(this.demonstrations.generates ? { ungraded } : {}) };
  }

  note({ token, reply }: { token: number; reply: number }): string | undefined {
    const { measure } = this.recipe.data.curriculum;
    if (!this.ladder.note(measure === 'token' ? token : reply)) return undefined;
    return `curriculum: level ${this.ladder.state.level + 1} of ${this.recipe.data.curriculum.levels}`;
  }
}
