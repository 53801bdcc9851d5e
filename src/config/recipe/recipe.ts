/** Completes recipes of each kind with their defaults, and checks what one key asks of another. */
import { stringify } from 'yaml';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { RecipeKind } from '../../run/layout.ts';
import { checkChoosing } from './choosing.ts';
import { checked } from './recipe-problems.ts';
import { rewardModelSchema, type RewardModelRecipe } from './reward-model-recipe.ts';
import { completeRl, rlSchema, type RlRecipe } from './rl-recipe.ts';
import { checkRollout } from './rollout-rules.ts';
import { sftSchema, type SftRecipe } from './sft-recipe.ts';

/** The JSON schema of a recipe as written, for editors and other programs. */
export function recipeSchema(kind: RecipeKind): Readonly<Record<string, unknown>> {
  const schema = { rl: rlSchema, sft: sftSchema, reward: rewardModelSchema }[kind];
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/**
 * Completes an RL recipe that is given as an object; throws CONFIG_INVALID.
 *
 * @example
 * const recipe = rlRecipe({ run: 'mine', tasks: [{ env: 'textcraft' }], steps: 10 });
 * console.log(recipe.algorithm.clip); // [0.2, 0.2]
 */
export function rlRecipe(config: unknown, name = 'the recipe'): RlRecipe {
  const parsed = checked(rlSchema, config, name, 'rl');
  const recipe = completeRl(parsed);
  checkRollout(name, recipe);
  checkChoosing(name, recipe.evaluate, recipe.stop.patience !== null || recipe.stop.success !== null);
  return recipe;
}

/**
 * Completes an SFT recipe that is given as an object; throws CONFIG_INVALID.
 *
 * @example
 * const recipe = sftRecipe({ run: 'mine', data: { source: 'experts', experts: [{ env: 'textcraft' }] }, steps: 10 });
 * console.log(recipe.optimizer.schedule); // cosine
 */
export function sftRecipe(config: unknown, name = 'the recipe'): SftRecipe {
  const recipe = checked(sftSchema, config, name, 'sft');
  if (recipe.engine.sampler !== null)
    throw new AgogeError('CONFIG_INVALID', `${name}: engine.sampler samples for reinforcement learning: leave it out`);
  checkChoosing(name, recipe.evaluate, false);
  return recipe;
}

export function rewardModelRecipe(config: unknown, name = 'the recipe'): RewardModelRecipe {
  return checked(rewardModelSchema, config, name);
}

export type AnyRecipe = RlRecipe | SftRecipe | RewardModelRecipe;

/** As it is stored in the run directory. */
export function formatRecipe(recipe: AnyRecipe): string {
  return stringify(recipe, { flowCollectionPadding: true, collectionStyle: 'any', lineWidth: 130 });
}
