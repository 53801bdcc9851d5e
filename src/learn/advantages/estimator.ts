/** The estimators by the names verl gives them (`algorithm.adv_estimator`), each from rows to one advantage per action token. */
import { broadcast, perGroup, type Advantages, type Row } from '../rows.ts';
import { agentGymGae, generalisedAdvantage } from './gae.ts';
import { groupInGroup } from './gigpo.ts';
import { groupPolicyGradient } from './gpg.ts';
import { groupRelative, groupRelativeByCategory } from './group-relative.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { optimalRewardBaseline } from './optimal-reward-baseline.ts';
import { passAtK } from './pass-at-k.ts';
import { reinforcePlusPlus, reinforcePlusPlusBaseline } from './reinforce-plus-plus.ts';
import { remax } from './remax.ts';

export const estimatorNames = [
  'gae',
  'gae_agentgym',
  'grpo',
  'grpo_passk',
  'rloo',
  'reinforce_plus_plus',
  'reinforce_plus_plus_baseline',
  'remax',
  'opo',
  'gpg',
  'gigpo',
] as const;

export type EstimatorName = (typeof estimatorNames)[number];

export interface EstimatorOptions {
  readonly gamma?: number | undefined;
  readonly lambda?: number | undefined;
  /** How group-relative advantages are scaled. */
  readonly scale?: 'std' | 'none' | 'category' | undefined;
  readonly stepWeight?: number | undefined;
}

export function estimateAdvantages(name: EstimatorName, rows: readonly Row[], options: EstimatorOptions = {}): Advantages {
  const { gamma, lambda, scale = 'std', stepWeight } = options;
  const groupScale = scale === 'none' ? 'none' : 'std';
  const discount = gamma === undefined ? {} : { gamma };
  switch (name) {
    case 'gae':
      return generalisedAdvantage(rows, { ...discount, ...(lambda === undefined ? {} : { lambda }) });
    case 'gae_agentgym':
      return agentGymGae(rows, { ...discount, ...(lambda === undefined ? {} : { lambda }) });
    case 'grpo':
      return perRow(
        rows,
        scale === 'category'
          ? groupRelativeByCategory(rows)
          : perGroup(rows, (scores) => groupRelative(scores, { scale: groupScale })),
      );
    case 'grpo_passk':
      return perRow(
        rows,
        perGroup(rows, (scores) => passAtK(scores, { scale: groupScale })),
      );
    case 'rloo':
      return perRow(rows, perGroup(rows, leaveOneOut));
    case 'opo':
      return perRow(
        rows,
        perGroup(rows, (scores, members) => optimalRewardBaseline(scores, members.map(lengthOf))),
      );
    case 'gpg':
      return perRow(rows, groupPolicyGradient(rows));
    case 'reinforce_plus_plus':
      return reinforcePlusPlus(rows, discount);
    case 'reinforce_plus_plus_baseline':
      return reinforcePlusPlusBaseline(rows);
    case 'remax':
      return remax(rows);
    case 'gigpo':
      return groupInGroup(rows, { ...discount, scale: groupScale, ...(stepWeight === undefined ? {} : { stepWeight }) });
  }
}

function perRow(rows: readonly Row[], scores: Float64Array): Advantages {
  const advantages = broadcast(rows, scores);
  return { advantages, returns: advantages };
}

function lengthOf(row: Row): number {
  return row.rewards.length;
}
