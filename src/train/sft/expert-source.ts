/** Sequences that experts play as training goes on, as hard as the curriculum says. Never ends. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { fitDatum } from './conversation-datum.ts';
import { Curriculum, type CurriculumState } from './curriculum.ts';
import type { Drawing, DrawnDemonstration } from './drawing.ts';
import type { SftBatch, SftPosition, SftSource } from './source.ts';

interface Ahead {
  readonly level: number;
  readonly difficulty: number;
  readonly drawn: Promise<DrawnDemonstration>;
}

export class ExpertSource implements SftSource {
  private drawn = 0;
  private readonly ladder: Curriculum;
  /** Asked for ahead of their turn, by their number. */
  private readonly ahead = new Map<number, Ahead>();

  constructor(
    private readonly demonstrations: Drawing,
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
      const { datum, generated } = await this.draw(number);
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

  /** The demonstration of a number at the present level. The next few are asked for as well; a level that rises may ask again. */
  private draw(number: number): Promise<DrawnDemonstration> {
    const { level } = this.ladder.state;
    for (const n of this.ahead.keys()) if (n < number) this.ahead.delete(n);
    for (let n = number; n < number + this.demonstrations.atOnce; n++) {
      const before = this.ahead.get(n);
      if (before?.level === level) continue;
      const difficulty = this.ladder.draw(Random.of(this.recipe.seed, 'level', n));
      const drawn = before?.difficulty === difficulty ? before.drawn : this.demonstrations.draw(n, difficulty);
      drawn.catch(() => undefined); // told when its turn comes
      this.ahead.set(n, { level, difficulty, drawn });
    }
    return (this.ahead.get(number) as Ahead).drawn;
  }

  note({ token, reply }: { token: number; reply: number }): string | undefined {
    const { measure } = this.recipe.data.curriculum;
    if (!this.ladder.note(measure === 'token' ? token : reply)) return undefined;
    return `curriculum: level ${this.ladder.state.level + 1} of ${this.recipe.data.curriculum.levels}`;
  }
}
