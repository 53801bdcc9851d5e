/**
 * Copies of the weights that follow the policy: their mean over the last steps, which evaluations play, and a reference that is renewed
 * now and then. Both are functions of the steps so far and lie in every checkpoint, so a resumed run goes on exactly.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import { layout } from '../../run/layout.ts';

export interface Followers {
  readonly engine: Engine;
  readonly average?: Engine | undefined;
  readonly reference?: Engine | undefined;
}

/** Throws TRAIN_NO_AVERAGE where the engine cannot be followed: before the first step, not after it. */
export function checkFollowers({ evaluate, algorithm }: RlRecipe, { engine }: Followers): void {
  if ((evaluate.average !== false || algorithm.renew !== null) && !engine.mix) throw cannotMix();
}

/** After a step: the mean takes its weights in, the reference is renewed where it is due. Returns whether it was. */
export async function follow(recipe: RlRecipe, { engine, average, reference }: Followers, step: number): Promise<boolean> {
  const config = recipe.evaluate.average;
  // The first steps are averaged evenly: the start has no part in the mean.
  if (average && config !== false) await mix(average, engine, Math.max(1 - config.decay, 1 / step));
  const { renew } = recipe.algorithm;
  if (!reference || renew === null || step % renew.every !== 0) return false;
  await mix(reference, engine, renew.share);
  return true;
}

/** Into a checkpoint. */
export async function saveFollowers(recipe: RlRecipe, { average, reference }: Followers, folder: string): Promise<void> {
  await average?.save(join(folder, layout.average));
  if (recipe.algorithm.renew !== null) await reference?.save(join(folder, layout.reference));
}

/** From a checkpoint; returns what had to begin anew, in words. */
export async function loadFollowers(recipe: RlRecipe, followers: Followers, folder: string): Promise<string | undefined> {
  const { engine, average, reference } = followers;
  if (recipe.algorithm.renew !== null) await reference?.load(join(folder, layout.reference));
  if (!average) return undefined;
  const path = join(folder, layout.average);
  if (await stat(path).catch(() => undefined)) {
    await average.load(path);
    return undefined;
  }
  await mix(average, engine, 1);
  return 'evaluate.average: the checkpoint has no average, so it begins with its weights';
}

async function mix(into: Engine, from: Engine, share: number): Promise<void> {
  if (!into.mix) throw cannotMix();
  return into.mix(from, share);
}

function cannotMix(): AgogeError {
  return new AgogeError(
    'TRAIN_NO_AVERAGE',
    'an engine behind a wire does not show its weights, so they cannot be averaged or copied: leave evaluate.average and algorithm.renew out, or train with the embedded engine',
  );
}
