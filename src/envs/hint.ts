/** What an environment's expert would do in somebody else's play: for people who want a hint, or to watch how it is done. */
import type { TaskRef } from '../core/task.ts';
import type { Environment } from './environment.ts';

export type Hint =
  | { readonly action: string }
  /** `own-way`: this expert follows only its own plan, and the play has left it. */
  | { readonly none: 'no-expert' | 'own-way' | 'gave-up' };

/** `turns` is what was played since the first observation, with what each action led to. */
export async function hintFor(
  environment: Pick<Environment, 'expert' | 'remoteExpert'>,
  task: TaskRef,
  first: string,
  turns: readonly { readonly action: string; readonly observation: string }[],
): Promise<Hint> {
  const expert = environment.expert?.(task) ?? environment.remoteExpert?.(task);
  if (!expert) return { none: 'no-expert' };
  const follows = 'follows' in expert && expert.follows;
  let advice = await expert.next(first);
  for (const { action, observation } of turns) {
    if (action !== advice && !follows) return { none: 'own-way' };
    advice = await expert.next(observation, action === advice ? undefined : action);
  }
  return advice === null ? { none: 'gave-up' } : { action: advice };
}
