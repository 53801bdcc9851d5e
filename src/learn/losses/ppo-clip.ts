/**
 * PPO's clipped surrogate (Schulman et al. 2017) with asymmetric bounds (DAPO's clip-higher) and dual clip (Ye et al. 2020):
 * max(−Aρ, −A·clip(ρ)), for negative advantages at most −A·c. Log-ratios are held within ±20.
 */
import { at } from '../numbers.ts';
import { clampedRatio, defineLoss, emptyLoss, type PolicyLossOptions, type PolicyRow, type TokenLoss } from './definition.ts';

/** PPO's clipped loss of one row, with the dual clip for bad actions that became likelier. */
export function ppoClip({ logprobs, old, advantages }: PolicyRow, { clip: [low, high], dualClip }: PolicyLossOptions): TokenLoss {
  const result = emptyLoss(logprobs.length);
  for (let t = 0; t < logprobs.length; t++) {
    const advantage = at(advantages, t);
    const difference = at(logprobs, t) - at(old, t);
    const ratio = clampedRatio(at(logprobs, t), at(old, t));
    const free = -advantage * ratio;
    const bounded = -advantage * Math.max(1 - low, Math.min(1 + high, ratio));
    let loss = Math.max(free, bounded);
    let gradient = bounded > free || Math.abs(difference) > 20 ? 0 : free;
    if (bounded > free) result.clipped++;
    if (dualClip !== undefined && advantage < 0 && loss > -advantage * dualClip) {
      loss = -advantage * dualClip;
      gradient = 0;
      result.clippedLower++;
    }
    result.loss[t] = loss;
    result.gradient[t] = gradient;
  }
  return result;
}

export const vanilla = defineLoss({ name: 'vanilla', loss: ppoClip, builtin: 'ppo' });
