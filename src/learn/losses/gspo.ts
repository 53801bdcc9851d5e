/**
 * GSPO (Zheng et al. 2025): one ratio per sequence, the exponential of the mean log-ratio, clipped like PPO's. Each token
 * carries the sequence's ratio and its own gradient. Its clip bounds are tiny (3e-4, 4e-4). No dual clip.
 */
import { at } from '../numbers.ts';
import { defineLoss, emptyLoss, type PolicyLossOptions, type PolicyRow, type TokenLoss } from './definition.ts';

function sequenceRatio({ logprobs, old, advantages }: PolicyRow, { clip: [low, high] }: PolicyLossOptions): TokenLoss {
  const result = emptyLoss(logprobs.length);
  let meanDifference = 0;
  for (let t = 0; t < logprobs.length; t++) meanDifference += (at(logprobs, t) - at(old, t)) / logprobs.length;
  const ratio = Math.exp(Math.min(10, meanDifference));
  for (let t = 0; t < logprobs.length; t++) {
    const advantage = at(advantages, t);
    const free = -advantage * ratio;
    const bounded = -advantage * Math.max(1 - low, Math.min(1 + high, ratio));
    result.loss[t] = Math.max(free, bounded);
    result.gradient[t] = bounded > free || meanDifference > 10 ? 0 : free;
    if (bounded > free) result.clipped++;
  }
  return result;
}

export const gspo = defineLoss({ name: 'gspo', perSequence: true, loss: sequenceRatio });
