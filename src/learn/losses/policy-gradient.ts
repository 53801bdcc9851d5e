/** The plain policy gradient, −A·log π (REINFORCE; GPG's loss): no ratio and no clip, so for on-policy data only. */
import { defineLoss, emptyLoss, type PolicyRow, type TokenLoss } from './definition.ts';

export function policyGradient({ logprobs, advantages }: PolicyRow): TokenLoss {
  const result = emptyLoss(logprobs.length);
  for (let t = 0; t < logprobs.length; t++) {
    result.loss[t] = -(advantages[t] ?? 0) * (logprobs[t] ?? 0);
    result.gradient[t] = -(advantages[t] ?? 0);
  }
  return result;
}

export const gpgLoss = defineLoss({ name: 'gpg', loss: policyGradient });
