/** Why an RL run ends before its last step, in words; undefined: it goes on. A function of its state, so a resumed run stops for the same reason. */
import type { RlRecipe } from '../config/rl-recipe.ts';
import type { RlState } from './rl-state.ts';

export function reasonToStop(
  stop: RlRecipe['stop'],
  { withoutSignal, sinceBest, elapsed }: RlState,
  score?: number,
): string | undefined {
  if (withoutSignal >= stop.no_signal) {
    return `no group of the last ${withoutSignal} steps had rewards that differ: tasks are all solved or all out of reach; change the tasks, or raise rollout.samples`;
  }
  if (score !== undefined && stop.success !== null && score >= stop.success) return `evaluation reached ${score.toFixed(3)}`;
  if (stop.patience !== null && sinceBest >= stop.patience) return `no better evaluation in the last ${sinceBest}`;
  if (stop.minutes !== null && elapsed >= stop.minutes * 60) return `its ${timeOf(stop.minutes)} are over`;
  return undefined;
}

function timeOf(minutes: number): string {
  return minutes < 2 ? `${Math.round(600 * minutes) / 10} seconds` : `${minutes} minutes`;
}
