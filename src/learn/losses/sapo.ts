/**
 * SAPO (2025): the ratio passes through a soft gate σ(τ(ρ − 1))·4/τ instead of a clip; τ is 1 for positive advantages and 1.05
 * for the others, so that mistakes are corrected a little more gently the further the policy has moved.
 */
import { at } from '../numbers.ts';
import { clampedRatio, defineLoss, emptyLoss, type PolicyRow, type TokenLoss } from './definition.ts';

function softGate({ logprobs, old, advantages }: PolicyRow): TokenLoss {
  const result = emptyLoss(logprobs.length);
  for (let t = 0; t < logprobs.length; t++) {
    const advantage = at(advantages, t);
    const ratio = clampedRatio(at(logprobs, t), at(old, t));
    const tau = advantage > 0 ? 1 : 1.05;
    const gate = 1 / (1 + Math.exp(-tau * (ratio - 1)));
    result.loss[t] = (-advantage * gate * 4) / tau;
    const moving = Math.abs(at(logprobs, t) - at(old, t)) <= 20;
    result.gradient[t] = moving ? -advantage * 4 * gate * (1 - gate) * ratio : 0;
  }
  return result;
}

export const sapo = defineLoss({ name: 'sapo', perSequence: true, loss: softGate });
