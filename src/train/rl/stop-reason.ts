/** Why an RL run ends before its last step; undefined: it goes on. A function of its state, so a resumed run stops for the same reason. */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { StopReason } from '../../run/cause.ts';
import type { RlState } from './state.ts';

export function reasonToStop(
  stop: RlRecipe['stop'],
  { withoutSignal, sinceBest, fallen, highest, score, elapsed }: RlState,
): StopReason | undefined {
  if (withoutSignal >= stop.no_signal) return { kind: 'no-signal', steps: withoutSignal };
  if (score !== null && stop.success !== null && score >= stop.success) return { kind: 'success', score };
  if (stop.fall !== null && fallen >= stop.fall && score !== null && highest !== null)
    return { kind: 'fall', evaluations: fallen, from: highest.score, to: score };
  if (stop.patience !== null && sinceBest >= stop.patience) return { kind: 'patience', evaluations: sinceBest };
  if (stop.minutes !== null && elapsed >= stop.minutes * 60) return { kind: 'minutes', minutes: stop.minutes };
  return undefined;
}
