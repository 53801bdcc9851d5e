/**
 * Where the curriculum stands: one level for everything that is generated, or one for each line of data.experts that is, so that
 * an environment that stands still holds up no other. Decides by the number of a demonstration whose it is and how hard.
 */
import type { CurriculumConfig, ExpertEntry } from '../../config/recipe/sft-recipe.ts';
import { Random } from '../../core/random/random.ts';
import { Curriculum, type CurriculumState } from './curriculum.ts';
import { pickLine, type DrawnDemonstration } from './drawing.ts';
import type { Accuracy } from './sums.ts';

/** Of one ladder, or of one for each line, whether it is generated or not. */
export type LaddersState = CurriculumState | readonly CurriculumState[];

/** What a demonstration is to be: how hard from 0 to 1, and whose where every line has its own level. */
export interface Choice {
  readonly difficulty: number;
  readonly line?: number;
}

export class Ladders {
  /** Counts what changes choices: those made before it may be out of date. */
  version = 0;
  private readonly ladders: readonly Curriculum[];
  private readonly names: readonly string[];
  private readonly bySource: boolean;

  constructor(
    private readonly config: CurriculumConfig,
    private readonly entries: readonly ExpertEntry[],
    private readonly seed: number,
  ) {
    this.bySource = config.each === 'source';
    this.ladders = (this.bySource ? entries : [null]).map(() => new Curriculum(config));
    this.names = lineNames(entries);
  }

  get state(): LaddersState {
    return this.bySource ? this.ladders.map(({ state }) => state) : this.first.state;
  }

  /** A single state is for every ladder. */
  restore(state: LaddersState): void {
    this.version++;
    this.ladders.forEach((ladder, line) => {
      const own = isList(state) ? state[line] : state;
      if (own) ladder.restore(own);
    });
  }

  /** From 0 to 1: the mean of the generated lines that are there from the start. `after` is compared with it. */
  get difficulty(): number {
    if (!this.bySource) return this.first.difficulty;
    const early = this.ladders.filter((_, line) => this.grows(line) && this.entries[line]?.after === 0);
    return early.length === 0 ? 1 : early.reduce((sum, { difficulty }) => sum + difficulty, 0) / early.length;
  }

  /** By the lines' names; nothing where all share one level. */
  get difficulties(): Readonly<Record<string, number>> {
    if (!this.bySource) return {};
    const grown = this.ladders.flatMap(({ difficulty }, line) =>
      this.grows(line) ? [[this.names[line] as string, difficulty] as const] : [],
    );
    return Object.fromEntries(grown);
  }

  /** What demonstration `number` is to be. */
  choose(number: number): Choice {
    const random = Random.of(this.seed, 'level', number);
    if (!this.bySource) return { difficulty: this.first.draw(random) };
    const line = pickLine(this.entries, Random.of(this.seed, 'line', number), this.difficulty);
    return { line, difficulty: this.grows(line) ? (this.ladders[line] ?? this.first).draw(random) : 1 };
  }

  /** The ladder that a demonstration says something about, if any. */
  judged(
    { line, generated }: Pick<DrawnDemonstration, 'generated'> & Pick<Choice, 'line'>,
    generates: boolean,
  ): number | undefined {
    if (this.bySource) return generated ? line : undefined;
    return generated || !generates ? 0 : undefined; // where nothing is generated, everything counts
  }

  /** What came of a batch, by ladder; a line to log where levels rose. */
  note(accuracies: ReadonlyMap<number, Accuracy>): string | undefined {
    const { measure, levels } = this.config;
    const risen: string[] = [];
    this.ladders.forEach((ladder, line) => {
      const accuracy = accuracies.get(line);
      if (!accuracy || !ladder.note(accuracy[measure])) return;
      risen.push(`${this.bySource ? `${this.names[line] ?? ''} ` : ''}level ${ladder.state.level + 1} of ${levels}`);
    });
    if (risen.length === 0) return undefined;
    this.version++;
    return `curriculum: ${risen.join(', ')}`;
  }

  /** Tasks of a split have no difficulty: they are played as they are. */
  private grows(line: number): boolean {
    return this.entries[line]?.generated === true;
  }

  private get first(): Curriculum {
    return this.ladders[0] as Curriculum;
  }
}

function isList(state: LaddersState): state is readonly CurriculumState[] {
  return Array.isArray(state);
}

/** A name for each line; where several lines have the same, the later ones get a number. */
function lineNames(entries: readonly ExpertEntry[]): string[] {
  const taken = new Map<string, number>();
  return entries.map(({ name, env }) => {
    const plain = name ?? env.replace(/^.*\/|\.[cm]?[jt]s$/g, '');
    const before = taken.get(plain);
    taken.set(plain, (before ?? 0) + 1);
    return before === undefined ? plain : `${plain}-${before + 1}`;
  });
}
