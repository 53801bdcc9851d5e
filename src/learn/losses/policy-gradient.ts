/** The plain policy gradient, −A·log π (REINFORCE; GPG's loss): no ratio and no clip, so for on-policy data only. */
import { at } from '../numbers.ts';
import { defineLoss, emptyLoss, type PolicyRow, type TokenLoss } from './definition.ts';

function policyGradient({ logprobs, advantages }: PolicyRow): TokenLoss {
  const result = emptyLoss(logprobs.length);
  for (let t = 0; t < logprobs.length; t++) {
    result.loss[t] = -at(advantages, t) * at(logprobs, t);
    result.gradient[t] = -at(advantages, t);
  }
  return result;
}

export const gpgLoss = defineLoss({ name: 'gpg', loss: policyGradient });
