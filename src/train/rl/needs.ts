/** What a recipe's estimator needs beside rows: several samples of a task, a critic, a greedy episode. */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { Estimator } from '../../learn/advantages/definition.ts';
import { estimatorOf } from '../../learn/advantages/estimator.ts';

export function needs({ algorithm }: Pick<RlRecipe, 'algorithm'>, what: NonNullable<Estimator['needs']>[number]): boolean {
  return estimatorOf(algorithm.estimator).needs?.includes(what) === true;
}
