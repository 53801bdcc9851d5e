/**
 * Does a step's gradient point anywhere? The two halves of a mini-batch are independent samples of the same expectation: the cosine
 * between their gradients is near 0 where noise rules and near 1 where episodes agree. It costs one copy of the gradient and no pass.
 */
import { agreementSteps as enough, littleAgreement } from '../learn/gradient-agreement.ts';
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
    return { mean, warning: warningOf(mean) };
  }
}

function warningOf(mean: number): string {
  return (
    `the two halves of a step agree on the gradient by ${mean.toFixed(3)} only (mean cosine of the last ${enough} steps): updates are mostly noise. ` +
    'Raise rollout.groups, or credit single turns with rollout.branch, or choose tasks that are solved half of the time (rollout.prefer), ' +
    'or add what an expert knows (algorithm.advice, anchor); or lower optimizer.lr'
  );
}
