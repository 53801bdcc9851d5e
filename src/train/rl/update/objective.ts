/**
 * The loss of a micro-batch as an engine takes it: policy loss − entropy bonus + KL, with weights that come from the whole
 * mini-batch. Rows are independent, so cutting a mini-batch differently changes nothing but rounding.
 */
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import type { BuiltinLoss, Loss, LossGradient } from '../../../engine/engine.ts';
import { klPenalty } from '../../../learn/kl.ts';
import { policyLoss, policyLossOf } from '../../../learn/losses/policy-loss.ts';
import { at } from '../../../learn/numbers.ts';
import { sum } from '../../../learn/rows.ts';
import { tokenWeights } from '../../../learn/losses/aggregate.ts';
import { valueLoss } from '../../../learn/losses/value-loss.ts';
import type { TrainingRow } from './batch-rows.ts';
import { lossOfKept } from './kept.ts';

/** Sums over the tokens seen; divided at the end of a step. */
export interface Tally {
  /** Those that were scored. */
  tokens: number;
  /** All that were sampled, those of rows without advantage included, which nobody scores: none of them is clipped. */
  sampled: number;
  clipped: number;
  clippedLower: number;
  policyLoss: number;
  adviceLoss: number;
  anchorLoss: number;
  kl: number;
  /** Σ (old − new), and what it needs to become a mean. */
  difference: number;
  entropy: number;
  valueLoss: number;
  valueClipped: number;
  values: number;
}

export function emptyTally(): Tally {
  return {
    tokens: 0,
    sampled: 0,
    clipped: 0,
    clippedLower: 0,
    policyLoss: 0,
    adviceLoss: 0,
    anchorLoss: 0,
    kl: 0,
    difference: 0,
    entropy: 0,
    valueLoss: 0,
    valueClipped: 0,
    values: 0,
  };
}

/**
 * The weight of a token of each row of a mini-batch, for the recipe's loss. `share`: of the step's groups that are learned from. In a mean,
 * those that were left out count as groups that moved nothing; a sum over a constant has nothing from them as it is.
 */
export function rowWeights(
  rows: readonly TrainingRow[],
  algorithm: RlRecipe['algorithm'],
  horizon: number,
  share = 1,
): Float64Array {
  const mode = policyLossOf(algorithm.loss).perSequence === true ? 'seq-mean-token-mean' : algorithm.aggregation;
  const weights = tokenWeights(rows.map(keptTokens), mode, horizon);
  return mode === 'seq-mean-token-sum-norm' ? weights : weights.map((weight) => weight * share);
}

/** Was the token left in by rollout correction? What it rejected is no part of any loss or mean. */
function isKept({ kept }: TrainingRow, token: number): boolean {
  return kept?.[token] !== 0;
}

export function keptTokens({ kept, advantages }: TrainingRow): number {
  return kept ? sum(kept) : advantages.length;
}

/** Would this row move the policy at all? Rows without advantage only count, unless entropy or KL act on them. */
export function moves(row: TrainingRow, algorithm: RlRecipe['algorithm']): boolean {
  if (algorithm.entropy !== 0 || (algorithm.kl !== false && algorithm.kl.in === 'loss')) return true;
  return row.advantages.some((advantage) => advantage !== 0);
}

export function policyObjective(
  rows: readonly TrainingRow[],
  weights: ArrayLike<number>,
  algorithm: RlRecipe['algorithm'],
  klCoefficient: number,
  tally: Tally,
): Loss {
  const definition = policyLossOf(algorithm.loss);
  const options = { clip: algorithm.clip, dualClip: algorithm.dual_clip ?? undefined };
  const kl = algorithm.kl !== false && algorithm.kl.in === 'loss' ? algorithm.kl : undefined;
  const objective = (scores: Parameters<Loss>[0]): LossGradient => {
    let total = 0;
    const entropyGradient: Float32Array[] = [];
    const gradient = rows.map((row, r) => {
      const weight = algorithm.outcome * at(weights, r);
      const { scores: logprobs, entropy } = at(scores, r);
      const given = { logprobs, old: row.old, advantages: row.advantages };
      const part = lossOfKept(row.kept, given, (own) => policyLoss(definition, own, options));
      const result = new Float32Array(logprobs.length);
      for (let t = 0; t < logprobs.length; t++) {
        if (!isKept(row, t)) continue;
        const trust = weight * (row.weights ? at(row.weights, t) : 1);
        let slope = trust * at(part.gradient, t);
        const loss = trust * at(part.loss, t);
        total += loss;
        tally.policyLoss += loss;
        tally.difference += at(row.old, t) - at(logprobs, t);
        if (kl && row.reference) {
          const penalty = klPenalty(kl.estimator, at(logprobs, t), at(row.reference, t));
          slope += weight * klCoefficient * penalty.gradient;
          total += weight * klCoefficient * penalty.value;
          tally.kl += weight * penalty.value;
        }
        if (entropy) {
          tally.entropy += at(entropy, t);
          total -= weight * algorithm.entropy * at(entropy, t);
        }
        result[t] = slope;
      }
      if (entropy)
        entropyGradient.push(Float32Array.from(logprobs, (_, t) => (isKept(row, t) ? -weight * algorithm.entropy : 0)));
      tally.tokens += keptTokens(row);
      tally.clipped += part.clipped;
      tally.clippedLower += part.clippedLower;
      return result;
    });
    return { loss: total, gradient, ...(algorithm.entropy !== 0 && entropyGradient.length > 0 ? { entropyGradient } : {}) };
  };
  // With KL or entropy beside it a second pass is needed anyway.
  const { builtin } = definition;
  if (builtin === undefined || kl || algorithm.entropy !== 0) return objective;
  const [low, high] = algorithm.clip;
  const clip = [1 - low, 1 + high] as const;
  return Object.assign(objective, { builtin: { name: builtin, clip, rows: weighted(rows, weights, algorithm.outcome) } });
}

/** Advantages with every factor of their token in them: clipped losses grow in proportion to it. */
function weighted(rows: readonly TrainingRow[], weights: ArrayLike<number>, outcome: number): BuiltinLoss['rows'] {
  return rows.map((row, r) => {
    const { old, advantages, weights: trust } = row;
    const weight = outcome * at(weights, r);
    const factor = (t: number): number => (isKept(row, t) ? weight * (trust ? at(trust, t) : 1) : 0);
    return { old, advantages: Float32Array.from(advantages, (advantage, t) => advantage * factor(t)) };
  });
}

export function criticObjective(rows: readonly TrainingRow[], weights: ArrayLike<number>, range: number, tally: Tally): Loss {
  return (scores): LossGradient => {
    let total = 0;
    const gradient = rows.map((row, r) => {
      const weight = at(weights, r);
      const { scores: values } = at(scores, r);
      const given = { values, old: row.values ?? values, returns: row.returns };
      const part = lossOfKept(row.kept, given, (own) => valueLoss(own, range));
      for (let t = 0; t < values.length; t++) {
        if (!isKept(row, t)) continue;
        total += weight * at(part.loss, t);
        tally.values += at(values, t);
      }
      tally.tokens += keptTokens(row);
      tally.valueClipped += part.clipped;
      return Float32Array.from(part.gradient, (slope, t) => (isKept(row, t) ? slope * weight : 0));
    });
    tally.valueLoss += total;
    return { loss: total, gradient };
  };
}
