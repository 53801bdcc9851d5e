/** Sequences that experts play as training goes on, as hard as the curriculum says. Never ends. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { fitDatum } from './conversation-datum.ts';
import type { Drawing, DrawnDemonstration } from './drawing.ts';
import { Ladders, type Choice, type LaddersState } from './ladders.ts';
import type { SftBatch, SftPosition, SftSource } from './source.ts';
import type { Accuracy } from './sums.ts';

interface Ahead {
  readonly version: number;
  readonly choice: Choice;
  readonly drawn: Promise<DrawnDemonstration>;
}

export class ExpertSource implements SftSource {
  private drawn = 0;
  private readonly ladders: Ladders;
  /** Asked for ahead of their turn, by their number. */
  private readonly ahead = new Map<number, Ahead>();

  constructor(
    private readonly demonstrations: Drawing,
    private readonly recipe: SftRecipe,
    private readonly maxTokens: number,
  ) {
    this.ladders = new Ladders(recipe.data.curriculum, recipe.data.experts, recipe.seed);
  }

  get position(): SftPosition {
    return { drawn: this.drawn, curriculum: this.ladders.state };
  }

  get curriculum(): LaddersState {
    return this.ladders.state;
  }

  get difficulty(): number {
    return this.ladders.difficulty;
  }

  get difficulties(): Readonly<Record<string, number>> {
    return this.ladders.difficulties;
  }

  async restore({ drawn, curriculum }: SftPosition): Promise<void> {
    this.drawn = drawn;
    if (curriculum) this.ladders.restore(curriculum);
  }

  restoreCurriculum(state: LaddersState): void {
    this.ladders.restore(state);
  }

  async next(tokens: number): Promise<SftBatch> {
    const data: TrajectoryDatum[] = [];
    const judged = new Map<TrajectoryDatum, number>();
    let used = 0;
    let refused = 0;
    while (used < tokens) {
      const number = this.drawn++;
      const { choice, drawn } = this.draw(number);
      const { datum, generated } = await drawn;
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
      const ladder = this.ladders.judged({ ...choice, generated }, this.demonstrations.generates);
      if (ladder !== undefined) judged.set(fitting, ladder);
      used += fitting.tokens.length;
    }
    return { data, epoch: 0, judged };
  }

  /** The demonstration of a number at the present level. The next few are asked for as well; a level that rises may ask again. */
  private draw(number: number): Ahead {
    const { version } = this.ladders;
    for (const n of this.ahead.keys()) if (n < number) this.ahead.delete(n);
    for (let n = number; n < number + this.demonstrations.atOnce; n++) {
      const before = this.ahead.get(n);
      if (before?.version === version) continue;
      const choice = this.ladders.choose(n);
      const same = before?.choice.difficulty === choice.difficulty && before.choice.line === choice.line;
      const drawn = same ? before.drawn : this.demonstrations.draw(n, choice.difficulty, choice.line);
      drawn.catch(() => undefined); // told when its turn comes
      this.ahead.set(n, { version, choice, drawn });
    }
    return this.ahead.get(number) as Ahead;
  }

  note(accuracies: ReadonlyMap<number, Accuracy>): string | undefined {
    return this.ladders.note(accuracies);
  }
}
