/** The engines that an RL run opens beside its policy, in one place: what starts a run opens these, and --dry-run names them. */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { needs } from './needs.ts';

/** `reference`: the starting weights, which KL is measured to. `critic`: the same network with a value head. `average`: the mean of the weights. */
export type EngineRole = 'policy' | 'reference' | 'critic' | 'average';

export function enginesOf(recipe: RlRecipe): ReadonlySet<EngineRole> {
  const { kl, preference } = recipe.algorithm;
  const roles: EngineRole[] = ['policy'];
  // KL in the loss or in the reward, pairs that are compared with it, or the log alone.
  if (kl !== false || preference !== null || recipe.log.drift > 0) roles.push('reference');
  if (needs(recipe, 'critic')) roles.push('critic');
  if (recipe.evaluate.average !== false) roles.push('average');
  return new Set(roles);
}

/** Models that the recipe's reward opens or asks. */
export function rewardModelsOf({ reward }: RlRecipe): readonly string[] {
  return reward.parts.flatMap(({ model }) => model ?? []);
}
