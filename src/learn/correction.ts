/**
 * Rollout correction: the sampler and the trainer may disagree (other kernels, other precision, staler weights). With
 * Δ = log π_train − log π_sampler per token: truncated importance weights (TIS), rejection of tokens or rows by a statistic of
 * Δ (k1 = −Δ, k2 = Δ²/2, k3 = e^Δ − 1 − Δ), and the metrics that show the gap. k1 bounds are of the inverse ratio, as in verl.
 */
import { at, largest, sameLengths, smallest } from './numbers.ts';
import { mean, sum, variance, type Numbers } from './rows.ts';

export interface CorrectionRow {
  readonly train: Numbers;
  readonly sampler: Numbers;
}

export interface ImportanceOptions {
  readonly level: 'token' | 'sequence';
  /** Weights above it are cut to it. */
  readonly threshold: number;
  /** Divide by the mean weight. */
  readonly normalise?: boolean | undefined;
}

export interface ImportanceWeights {
  readonly weights: Float64Array[];
  readonly metrics: Record<string, number>;
}

/** Weights between sampler and trainer, by token or by sequence, cut at a threshold. */
export function importanceWeights(rows: readonly CorrectionRow[], options: ImportanceOptions): ImportanceWeights {
  const { level, threshold } = options;
  const raw = rows.map((row) => {
    const gap = differences(row);
    if (level === 'token') return gap.map((x) => Math.exp(clamp(x)));
    return new Float64Array(gap.length).fill(Math.exp(clamp(sum(gap))));
  });
  const weights = raw.map((row) => row.map((weight) => Math.min(weight, threshold)));
  const unit = (rowsOf: readonly Float64Array[]): number[] =>
    level === 'token' ? rowsOf.flatMap((row) => [...row]) : rowsOf.filter((row) => row.length > 0).map((row) => at(row, 0));
  const perToken = weights.flatMap((row) => [...row]);
  const centre = mean(perToken);
  const metrics: Record<string, number> = {
    'rollout_corr/rollout_is_mean': level === 'token' ? mean(unit(raw)) : mean(raw.flatMap((row) => [...row])),
    'rollout_corr/rollout_is_max': largest(unit(raw)),
    'rollout_corr/rollout_is_min': smallest(unit(raw)),
    'rollout_corr/rollout_is_std': Math.sqrt(variance(perToken)),
    'rollout_corr/rollout_is_ratio_fraction_high': fraction(unit(raw), (weight) => weight > threshold),
    'rollout_corr/rollout_is_ratio_fraction_low': fraction(unit(raw), (weight) => weight < 1 / threshold),
    'rollout_corr/rollout_is_eff_sample_size': effectiveShare(perToken.map((weight) => Math.max(weight, 1 / threshold))),
  };
  if (options.normalise === true) {
    const factor = level === 'token' ? centre : mean(unit(weights));
    metrics['rollout_corr/rollout_is_batch_norm_factor'] = factor;
    if (factor > 1e-8) for (const row of weights) row.forEach((weight, t) => (row[t] = weight / factor));
  }
  return { weights, metrics };
}

const rejections = ['token_k1', 'token_k2', 'token_k3', 'seq_sum_k1', 'seq_sum_k2', 'seq_sum_k3'] as const;
const moreRejections = ['seq_mean_k1', 'seq_mean_k2', 'seq_mean_k3', 'seq_max_k2', 'seq_max_k3'] as const;
export const rejectionNames = [...rejections, ...moreRejections] as const;
export type RejectionName = (typeof rejectionNames)[number];

export interface Rejection {
  readonly by: RejectionName;
  /** [low, high] of the inverse ratio for k1 (a single number: [1/high, high]), an upper bound for k2 and k3. */
  readonly threshold: number | readonly [number, number];
}

/** 1 for tokens that stay. Several rejections must all be passed. */
export function rejectionMask(
  rows: readonly CorrectionRow[],
  rejected: readonly Rejection[],
): { mask: Uint8Array[]; metrics: Record<string, number> } {
  const mask = rows.map((row) => {
    const gap = differences(row).map(clamp);
    const kept = new Uint8Array(gap.length).fill(1);
    for (const { by, threshold } of rejected) {
      const [scope, kind] = split(by);
      const [low, high] = bounds(kind, threshold);
      const statistic = gap.map((x) => (kind === 'k1' ? -x : kind === 'k2' ? (x * x) / 2 : Math.exp(x) - 1 - x));
      if (scope === 'token') statistic.forEach((value, t) => (kept[t] = value >= low && value <= high ? at(kept, t) : 0));
      else {
        const value = scope === 'seq_max' ? largest(statistic) : scope === 'seq_sum' ? sum(statistic) : mean(statistic);
        if (value < low || value > high) kept.fill(0);
      }
    }
    return kept;
  });
  const tokens = mask.reduce((total, row) => total + row.length, 0);
  const filled = mask.filter((row) => row.length > 0);
  return {
    mask,
    metrics: {
      'rollout_corr/rollout_rs_masked_fraction': 1 - mask.reduce((total, row) => total + sum(row), 0) / Math.max(1, tokens),
      'rollout_corr/rollout_rs_seq_masked_fraction': fraction(filled, (row) => row.includes(0)),
    },
  };
}

/** verl's off-policy metrics of a batch (`rollout_corr/*`). */
export function offPolicyMetrics(rows: readonly CorrectionRow[]): Record<string, number> {
  const filled = rows.filter((row) => row.train.length > 0);
  const gaps = filled.map((row) => differences(row));
  const all = gaps.flatMap((gap) => [...gap]);
  const train = filled.map((row) => -mean(row.train));
  const sampler = filled.map((row) => -mean(row.sampler));
  const gap = train.map((value, i) => value - at(sampler, i));
  const named: Record<string, number> = {
    training_ppl: mean(train.map(Math.exp)),
    training_log_ppl: mean(train),
    rollout_ppl: mean(sampler.map(Math.exp)),
    rollout_log_ppl: mean(sampler),
    kl: -mean(all),
    k3_kl: mean(all.map((x) => Math.exp(x) - x - 1)),
    log_ppl_diff: mean(gap),
    log_ppl_abs_diff: mean(gap.map(Math.abs)),
    log_ppl_diff_max: largest(gap),
    log_ppl_diff_min: smallest(gap),
    ppl_ratio: mean(gap.map(Math.exp)),
    chi2_token: mean(all.map((x) => Math.exp(clamp(x)) ** 2)) - 1,
    chi2_seq: mean(gaps.map((row) => Math.exp(clamp(sum(row))) ** 2)) - 1,
  };
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [`rollout_corr/${name}`, value]));
}

function differences({ train, sampler }: CorrectionRow): Float64Array {
  sameLengths('a row', { 'log-probabilities': train, 'log-probabilities of the sampler': sampler });
  return Float64Array.from(train, (logprob, t) => logprob - at(sampler, t));
}

function clamp(x: number): number {
  return Math.max(-20, Math.min(20, x));
}

function fraction<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

/** Effective sample size as a share of the batch: 1/mean(w²) of weights brought to mean 1. */
function effectiveShare(weights: readonly number[]): number {
  const centre = mean(weights);
  return centre > 0 ? 1 / mean(weights.map((weight) => (weight / centre) ** 2)) : 0;
}

function split(name: RejectionName): [string, string] {
  const cut = name.lastIndexOf('_');
  return [name.slice(0, cut), name.slice(cut + 1)];
}

function bounds(kind: string, threshold: number | readonly [number, number]): [number, number] {
  if (kind !== 'k1') return [-Infinity, typeof threshold === 'number' ? threshold : threshold[1]];
  const [low, high] = typeof threshold === 'number' ? [1 / threshold, threshold] : threshold;
  return [Math.log(low), Math.log(high)];
}
