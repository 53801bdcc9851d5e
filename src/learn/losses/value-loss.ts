/**
 * The critic's loss with PPO's clip: half the larger of (v − G)² and (v_clip − G)², where v_clip stays within `range` of the
 * value predicted when the data was collected.
 */
import { at, sameLengths, type Numbers } from '../numbers.ts';
import { emptyLoss, type TokenLoss } from './definition.ts';

export interface ValueRow {
  readonly values: Numbers;
  readonly old: Numbers;
  readonly returns: Numbers;
}

/** The critic's squared error, clipped to stay within a range of the old values. */
export function valueLoss({ values, old, returns }: ValueRow, range: number): TokenLoss {
  sameLengths('a row of the critic', { values, old, returns });
  const result = emptyLoss(values.length);
  for (let t = 0; t < values.length; t++) {
    const value = at(values, t);
    const before = at(old, t);
    const target = at(returns, t);
    const bounded = Math.max(before - range, Math.min(before + range, value));
    const free = (value - target) ** 2;
    const held = (bounded - target) ** 2;
    result.loss[t] = 0.5 * Math.max(free, held);
    if (held > free) result.clipped++;
    result.gradient[t] = held > free ? (bounded === value ? bounded - target : 0) : value - target;
  }
  return result;
}
