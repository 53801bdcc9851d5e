/**
 * Does a step's gradient point anywhere? The two halves of a mini-batch are independent samples of the same expectation: the cosine
 * between their gradients is near 0 where noise rules and near 1 where episodes agree. It costs a copy of the gradient and no pass.
 */
import { noiseScale, noiseSteps, type NoiseScale } from '../../../learn/noise-scale.ts';
import { mean } from '../../../learn/rows.ts';
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

/** What a run's size is compared with. */
export interface RunSize {
  /** Episodes of a mini-batch. */
  readonly batch: number;
  /** Episodes of the whole run as it is planned; undefined where minutes decide. */
  readonly planned?: number | undefined;
}

/** Looks at the agreement of the last steps, and says once in words when the whole run is smaller than the noise scale. */
export class NoiseWatch {
  private last: number[] = [];
  private warned = false;

  /** The last steps, for a run that goes on later. */
  get state(): number[] {
    return [...this.last];
  }

  restore(state: readonly number[]): void {
    this.last = [...state];
  }

  /** Adds a step's agreement; the metrics of the last ones, and the warning where it is due. */
  note(agreement: number | undefined, size: RunSize): { readonly metrics: Record<string, number>; readonly warning?: string } {
    if (agreement !== undefined) this.last.push(agreement);
    if (this.last.length > noiseSteps) this.last.shift();
    if (this.last.length === 0) return { metrics: {} };
    const agreed: Record<string, number> = { 'train/gradient_agreement_mean': mean(this.last) };
    if (this.last.length < noiseSteps) return { metrics: agreed };
    const scale = noiseScale(this.last, size.batch / 2);
    // What has no bound has no metric: JSON knows no infinity.
    const named = {
      'train/noise_scale': scale.episodes,
      'train/noise_scale_low': scale.low,
      'train/noise_scale_high': scale.high,
    };
    const metrics = { ...agreed, ...Object.fromEntries(Object.entries(named).filter(([, value]) => Number.isFinite(value))) };
    if (this.warned || size.planned === undefined || scale.low <= size.planned) return { metrics };
    this.warned = true;
    return { metrics, warning: warningOf(scale, size.planned) };
  }
}

/** One plain sentence, and where the rest is explained. */
function warningOf({ episodes, low }: NoiseScale, planned: number): string {
  const words = (n: number): string => Math.round(n).toLocaleString('en-US');
  const needs = Number.isFinite(episodes)
    ? `about ${words(episodes)} are needed`
    : Number.isFinite(low)
      ? `at least ${words(low)} are needed`
      : `the last ${noiseSteps} steps show no direction at all`;
  return `the ${words(planned)} episodes of this run are too few to tell which way to learn (${needs}). What may help: docs/training.md#can-this-run-learn`;
}
