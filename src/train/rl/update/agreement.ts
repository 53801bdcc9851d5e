/**
 * Does a step's gradient point anywhere? The two halves of a mini-batch are independent samples of the same expectation: the cosine
 * between their gradients is near 0 where noise rules and near 1 where episodes agree. It costs a copy of the gradient and no pass.
 */
import type { RlRecipe } from '../../../config/rl-recipe.ts';
import { agreementSteps as enough, littleAgreement } from '../../../learn/gradient-agreement.ts';
import type { TrainingRow } from './batch-rows.ts';

/** Whole groups in two parts of about equal numbers of rows; undefined where there is one group. */
export function halves<T extends { readonly row: TrainingRow }>(items: readonly T[]): [T[], T[]] | undefined {
  const middle = items.length / 2;
  let cut = 0;
  for (let i = 1; i < items.length; i++) {
    if (items[i]?.row.group !== items[i - 1]?.row.group && Math.abs(i - middle) < Math.abs(cut - middle)) cut = i;
  }
  return cut === 0 ? undefined : [items.slice(0, cut), items.slice(cut)];
}

/** Looks at the agreement of the last steps, and says once in words when it stays near zero. */
export class AgreementWatch {
  private last: number[] = [];
  private warned = false;

  /** `remedies`: what the warning advises. */
  constructor(private readonly remedies: readonly string[]) {}

  /** The last steps, for a run that goes on later. */
  get state(): number[] {
    return [...this.last];
  }

  restore(state: readonly number[]): void {
    this.last = [...state];
  }

  /** Adds a step's agreement; the mean of the last ones, and the warning where it is due. */
  note(agreement: number | undefined): { readonly mean?: number; readonly warning?: string } {
    if (agreement !== undefined) this.last.push(agreement);
    if (this.last.length > enough) this.last.shift();
    if (this.last.length === 0) return {};
    const mean = this.last.reduce((a, b) => a + b, 0) / this.last.length;
    if (this.warned || this.last.length < enough || mean >= littleAgreement) return { mean };
    this.warned = true;
    return { mean, warning: warningOf(mean, this.remedies) };
  }
}

function warningOf(mean: number, remedies: readonly string[]): string {
  return (
    `the two halves of a step agree on the gradient by ${mean.toFixed(3)} only (mean cosine of the last ${enough} steps): updates are mostly noise. ` +
    `What may help: ${remedies.join('; ')}`
  );
}

/** What a recipe has not tried yet. */
export function remediesFor({ rollout, algorithm, anchor, evaluate }: RlRecipe): string[] {
  return [
    `more episodes a step (rollout.groups is ${rollout.groups})`,
    ...(rollout.branch === 0 ? ['credit for single turns (rollout.branch=8)'] : []),
    ...(rollout.prefer === false ? ['tasks that are solved half of the time (rollout.prefer={})'] : []),
    'an earlier start: imitation that goes on for long leaves little to agree on (policy=run:<imitation>@step_…)',
    ...(anchor === false && algorithm.advice === 0 ? ['what an expert knows (anchor, algorithm.advice)'] : []),
    ...(evaluate.average === false ? ['the mean of the weights (evaluate.average={})'] : []),
    'a lower optimizer.lr',
  ];
}
