/**
 * CISPO (MiniMax 2025): policy gradient weighted by the clipped ratio, which is taken as a constant: −clip(ρ)·A·log π. Unlike
 * PPO's clip, no token ever loses its gradient.
 */
import { at } from '../numbers.ts';
import { clampedRatio, defineLoss, emptyLoss, type PolicyLossOptions, type PolicyRow, type TokenLoss } from './definition.ts';

function clippedWeights({ logprobs, old, advantages }: PolicyRow, { clip: [low, high] }: PolicyLossOptions): TokenLoss {
  const result = emptyLoss(logprobs.length);
  for (let t = 0; t < logprobs.length; t++) {
    const ratio = clampedRatio(at(logprobs, t), at(old, t));
    const bounded = Math.max(1 - low, Math.min(1 + high, ratio));
    const weight = -bounded * at(advantages, t);
    result.loss[t] = weight * at(logprobs, t);
    result.gradient[t] = weight;
    if (bounded !== ratio) result.clipped++;
  }
  return result;
}

export const cispo = defineLoss({ name: 'cispo', loss: clippedWeights, builtin: 'cispo' });
