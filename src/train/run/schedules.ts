/**
 * What changes over a run, as pure functions of the step (from 1): no state, so a resumed run needs none. ScalingInter's turn
 * limit (Xi et al. 2025) and the learning-rate schedules of verl, with the first step of a warm-up above zero.
 */
import type { OptimizerConfig } from '../../config/recipe/shared-keys.ts';
import { at } from '../../learn/numbers.ts';

/** Turns allowed at a step: entry by entry of the list, `every` steps each; the last one stays. */
export function turnsAt(step: number, turns: number | readonly number[], every: number): number {
  if (typeof turns === 'number') return turns;
  return at(turns, Math.min(Math.floor((step - 1) / every), turns.length - 1));
}

/** The turns that a schedule ends with: what evaluations and demonstrations are allowed. */
export function lastTurns(turns: number | readonly number[]): number {
  return typeof turns === 'number' ? turns : at(turns, turns.length - 1);
}

/** How many steps a run will have: what the recipe says, or fewer where its minutes will be over before. */
export function stepsExpected(
  step: number,
  elapsed: number,
  { steps, stop }: { readonly steps: number; readonly stop: { readonly minutes: number | null } },
): number {
  if (stop.minutes === null || elapsed <= 0) return steps;
  return Math.min(steps, Math.max(step, Math.round(((step - 1) * 60 * stop.minutes) / elapsed)));
}

/** The learning rate of a step out of `total`. */
export function learningRateAt(step: number, total: number, config: OptimizerConfig): number {
  const { lr, schedule, min_ratio: least } = config;
  const warmup = config.warmup < 1 ? Math.floor(config.warmup * total) : config.warmup;
  if (step <= warmup) return (lr * step) / (warmup + 1);
  const progress = Math.min(1, (step - 1 - warmup) / Math.max(1, total - warmup));
  return lr * shape(schedule, progress, least);
}

/**
 * The learning rate of a batch where shares of the run are known, not its number of steps: `from` and `to` are the shares done
 * before and after the batch, however they are measured (epochs, tokens, minutes). Warm-up steps scale the schedule as it goes.
 */
export function learningRateOver(step: number, { from, to }: { from: number; to: number }, config: OptimizerConfig): number {
  const { lr, schedule, min_ratio: least, warmup } = config;
  if (warmup >= 1) return lr * Math.min(1, step / (warmup + 1)) * shape(schedule, Math.min(1, from), least);
  if (to < warmup) return (lr * to) / warmup;
  return lr * shape(schedule, Math.max(0, Math.min(1, (from - warmup) / (1 - warmup))), least);
}

function shape(schedule: OptimizerConfig['schedule'], progress: number, least: number): number {
  switch (schedule) {
    case 'constant':
      return 1;
    case 'linear':
      return least + (1 - least) * (1 - progress);
    case 'cosine':
      return least + ((1 - least) * (1 + Math.cos(Math.PI * progress))) / 2;
    case 'wsd':
      return progress < 0.9 ? 1 : least + ((1 - least) * (1 + Math.cos(Math.PI * (progress - 0.9) * 10))) / 2;
  }
}
