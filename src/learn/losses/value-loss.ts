/**
 * The critic's loss with PPO's clip: half the larger of (v − G)² and (v_clip − G)², where v_clip stays within `range` of the
 * value predicted when the data was collected.
 */
import type { Numbers } from '../rows.ts';
import { emptyLoss, type TokenLoss } from './definition.ts';

export interface ValueRow {
  readonly values: Numbers;
  readonly old: Numbers;
  readonly returns: Numbers;
}

export function valueLoss({ values, old, returns }: ValueRow, range: number): TokenLoss {
  const result = emptyLoss(values.length);
  for (let t = 0; t < values.length; t++) {
    const value = values[t] ?? 0;
    const before = old[t] ?? 0;
    const target = returns[t] ?? 0;
    const bounded = Math.max(before - range, Math.min(before + range, value));
    const free = (value - target) ** 2;
    const held = (bounded - target) ** 2;
    result.loss[t] = 0.5 * Math.max(free, held);
    if (held > free) result.clipped++;
    result.gradient[t] = held > free ? (bounded === value ? bounded - target : 0) : value - target;
  }
  return result;
}
