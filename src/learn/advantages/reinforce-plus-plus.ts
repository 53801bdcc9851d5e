/**
 * REINFORCE++ (Hu 2025): discounted returns per action token, whitened over the batch. Credit passes through observations
 * (AgentGym-RL's form, correct for many turns); `resetAtTurns` reproduces verl 0.7, where only the last turn is credited.
 * The baseline form subtracts the group's mean from the score instead of discounting.
 */
import { at } from '../numbers.ts';
import { broadcast, mean, perGroup, whiten, type Advantages, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

export interface ReinforceOptions {
  readonly gamma?: number | undefined;
  /** verl 0.7's behaviour, for comparison with runs made there. */
  readonly resetAtTurns?: boolean;
}

export function reinforcePlusPlus(rows: readonly Row[], { gamma = 1, resetAtTurns = false }: ReinforceOptions = {}): Advantages {
  const returns = rows.map((row) => {
    const result = new Float64Array(row.rewards.length);
    let running = 0;
    for (let t = result.length - 1; t >= 0; t--) {
      if (resetAtTurns && row.turnEnds.includes(t + 1)) running = 0;
      running = at(row.rewards, t) + gamma * running;
      result[t] = running;
    }
    return result;
  });
  return { advantages: whiten(returns, rows), returns };
}

function reinforcePlusPlusBaseline(rows: readonly Row[]): Advantages {
  const centred = perGroup(rows, (scores) => {
    const centre = scores.length < 2 ? 0 : mean(scores);
    return scores.map((score) => score - centre);
  });
  const advantages = whiten(broadcast(rows, centred), rows);
  return { advantages, returns: advantages };
}

export const reinforce = defineEstimator({
  name: 'reinforce_plus_plus',
  uses: ['gamma'],
  estimate: (rows, { gamma }) => reinforcePlusPlus(rows, { gamma }),
});

export const reinforceBaseline = defineEstimator({
  name: 'reinforce_plus_plus_baseline',
  needs: ['groups'],
  estimate: reinforcePlusPlusBaseline,
});
