/**
 * GMPO (Zhao et al. 2025): the geometric mean of a sequence's token ratios, each clipped in log space on its pessimistic side.
 * For advantages that are one number per sequence; the mean is taken where they are not.
 */
import { at } from '../numbers.ts';
import { mean } from '../rows.ts';
import { defineLoss, emptyLoss, type PolicyLossOptions, type PolicyRow, type TokenLoss } from './definition.ts';

function geometricMean({ logprobs, old, advantages }: PolicyRow, { clip: [low, high] }: PolicyLossOptions): TokenLoss {
  const result = emptyLoss(logprobs.length);
  const advantage = mean(advantages);
  const sign = Math.sign(advantage);
  const free: boolean[] = [];
  let meanDifference = 0;
  for (let t = 0; t < logprobs.length; t++) {
    const difference = at(logprobs, t) - at(old, t);
    const bounded = Math.max(-low, Math.min(high, difference));
    const pessimistic = sign * Math.min(sign * difference, sign * bounded);
    free.push(pessimistic === difference);
    if (bounded !== difference) {
      if (sign > 0) result.clipped++;
      else result.clippedLower++;
    }
    meanDifference += pessimistic / logprobs.length;
  }
  const loss = -advantage * Math.exp(meanDifference);
  result.loss.fill(loss);
  free.forEach((moves, t) => (result.gradient[t] = moves ? loss : 0));
  return result;
}

export const geoMean = defineLoss({ name: 'geo_mean', perSequence: true, loss: geometricMean });
