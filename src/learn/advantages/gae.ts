/**
 * Generalised advantage estimation (Schulman et al. 2016) over action tokens: δ = r + γV⁺ − V, A = δ + γλA⁺, whitened over the
 * batch. V⁺ of the last token is 0, or the value after it where a limit cut the episode off and the row has one. Observations are not states here, so time passes only while the policy writes; returns are the unwhitened A + V.
 * `agentGymGae` is AgentGym-RL's variant, kept for comparison: the last token of a turn does not see the value of the next
 * turn, so its returns fall short of the reward.
 */
import { AgogeError } from '../../core/error.ts';
import { at } from '../numbers.ts';
import { whiten, type Advantages, type Numbers, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

export interface GaeOptions {
  /** Discount per action token. */
  readonly gamma?: number | undefined;
  readonly lambda?: number | undefined;
  /** Bring the batch's advantages to mean 0 and variance 1 (default). */
  readonly whitened?: boolean;
}

/** Generalised advantage estimation (Schulman et al. 2016) over action tokens; rows need the critic's values. */
export function generalisedAdvantage(rows: readonly Row[], options: GaeOptions = {}): Advantages {
  return scan(rows, options, () => true);
}

function agentGymGae(rows: readonly Row[], options: GaeOptions = {}): Advantages {
  return scan(rows, options, (row, token) => !row.turnEnds.includes(token + 1));
}

function scan(
  rows: readonly Row[],
  { gamma = 1, lambda = 1, whitened = true }: GaeOptions,
  seesNextValue: (row: Row, token: number) => boolean,
): Advantages {
  const advantages: Float64Array[] = [];
  const returns: Float64Array[] = [];
  for (const row of rows) {
    const n = row.rewards.length;
    const values = valuesOf(row);
    const advantage = new Float64Array(n);
    const target = new Float64Array(n);
    // The end of a task is worth nothing more.
    let nextValue = row.valueAfter === undefined ? 0 : row.valueAfter;
    let carried = 0;
    for (let t = n - 1; t >= 0; t--) {
      const value = at(values, t);
      // After the last token stands the end, or what the critic sees there: no turn comes between them in either form.
      const delta = at(row.rewards, t) + gamma * (t === n - 1 || seesNextValue(row, t) ? nextValue : 0) - value;
      carried = delta + gamma * lambda * carried;
      nextValue = value;
      advantage[t] = carried;
      target[t] = carried + value;
    }
    advantages.push(advantage);
    returns.push(target);
  }
  return { advantages: whitened ? whiten(advantages, rows) : advantages, returns };
}

function valuesOf({ values, group }: Row): Numbers {
  if (values) return values;
  throw new AgogeError(
    'LEARN_NO_VALUES',
    `a row of group ${group} has no values: GAE needs a critic, as in algorithm: { name: ppo }`,
  );
}

export const gae = defineEstimator({
  name: 'gae',
  needs: ['critic'],
  uses: ['gamma', 'lambda'],
  estimate: (rows, { gamma, lambda }) => generalisedAdvantage(rows, { gamma, lambda }),
});

export const gaeAgentGym = defineEstimator({
  name: 'gae_agentgym',
  needs: ['critic'],
  uses: ['gamma', 'lambda'],
  estimate: (rows, { gamma, lambda }) => agentGymGae(rows, { gamma, lambda }),
});
