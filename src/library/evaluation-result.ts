/** The result of an evaluation as a program uses it: the data of eval.json, and what one does with it. */
import { writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { compareScores, type Comparison } from '../eval/compare.ts';
import type { Evaluation } from '../eval/evaluate.ts';
import type { Panel } from '../eval/panel.ts';
import type { Score } from '../eval/score.ts';
import { evaluationText } from '../eval/table.ts';
import type { Dashboard } from './dashboard.ts';

/** What `evaluate` gives back: plain data, with methods to look up, compare, print, save and view it. */
export class EvaluationResult implements Evaluation {
  readonly v: Evaluation['v'];
  readonly created: string;
  readonly agoge: string;
  readonly sampling: Evaluation['sampling'];
  readonly repeats: Evaluation['repeats'];
  readonly panels: Evaluation['panels'];
  readonly scores: Evaluation['scores'];
  readonly baseline?: string | undefined;
  readonly comparisons: Evaluation['comparisons'];
  private readonly place: string;

  constructor(evaluation: Evaluation, folder: string) {
    this.v = evaluation.v;
    this.created = evaluation.created;
    this.agoge = evaluation.agoge;
    this.sampling = evaluation.sampling;
    this.repeats = evaluation.repeats;
    this.panels = evaluation.panels;
    this.scores = evaluation.scores;
    if (evaluation.baseline !== undefined) this.baseline = evaluation.baseline;
    this.comparisons = evaluation.comparisons;
    this.place = folder;
  }

  /** Where episodes, logs and tables are. */
  get folder(): string {
    return this.place;
  }

  /** The score of a policy; without a name, of the only one. */
  score(policy?: string): Score {
    const found =
      policy === undefined
        ? this.scores
        : this.scores.filter((score) => score.policy === policy || score.policy.startsWith(`${policy}@`));
    const [only, second] = found;
    if (only && second === undefined) return only;
    throw new AgogeError(
      'EVAL_NO_SCORE',
      `${policy ?? 'a policy'} has ${found.length} scores here: name one of ${this.scores.map((score) => score.policy).join(', ')}`,
    );
  }

  /** A policy against another, paired by task. */
  compare(policy: string, baseline: string): Comparison {
    const [mine, other] = [this.score(policy), this.score(baseline)];
    return compareScores(mine, this.panelOf(mine), other, this.panelOf(other));
  }

  /** The table that the command prints. */
  toString(): string {
    return evaluationText(this);
  }

  /** Writes the data as JSON. */
  async save(path: string): Promise<void> {
    await writeFile(path, `${JSON.stringify(this, null, 1)}\n`);
  }

  /** Serves the dashboard with this evaluation, for a browser. */
  async view(options: { readonly port?: number } = {}): Promise<Dashboard> {
    const { openDashboard } = await import('./dashboard.ts');
    const folder = resolve(this.place);
    return openDashboard(dirname(folder), basename(folder), options);
  }

  private panelOf({ panel }: Score): Panel {
    const found = this.panels.find(({ hash }) => hash === panel);
    if (!found) throw new TypeError('a score without its panel');
    return found;
  }
}
