/** `agoge/learn`: the mathematics, pure, also for a browser: advantages, losses, divergences, corrections, statistics. */
export { at } from '../core/at.ts';
export { type Numbers } from '../learn/numbers.ts';
export { broadcast, groupBy, mean, perGroup, perRow, sum, variance, whiten, type Advantages, type Row } from '../learn/rows.ts';
export { defineEstimator, type Estimator, type EstimatorOptions } from '../learn/advantages/definition.ts';
export { estimateAdvantages, estimatorNames, estimatorOf, registerEstimator } from '../learn/advantages/estimator.ts';
export { generalisedAdvantage } from '../learn/advantages/gae.ts';
export { groupRelative } from '../learn/advantages/group-relative.ts';
export { leaveOneOut } from '../learn/advantages/leave-one-out.ts';
export {
  defineLoss,
  emptyLoss,
  type PolicyLossDefinition,
  type PolicyLossOptions,
  type PolicyRow,
  type TokenLoss,
} from '../learn/losses/definition.ts';
export { policyLoss, policyLossNames, policyLossOf, registerPolicyLoss } from '../learn/losses/policy-loss.ts';
export { ppoClip } from '../learn/losses/ppo-clip.ts';
export { valueLoss } from '../learn/losses/value-loss.ts';
export { crossEntropy } from '../learn/losses/cross-entropy.ts';
export { preferenceLoss } from '../learn/losses/dpo.ts';
export { tokenWeights, type Aggregation } from '../learn/losses/aggregate.ts';
export { klPenalty, type KlEstimator } from '../learn/kl.ts';
export { importanceWeights, rejectionMask } from '../learn/correction.ts';
export { bootstrapMean, mcnemarExact, pairedBootstrap, passAtK, wilson, type Interval } from '../learn/statistics.ts';
