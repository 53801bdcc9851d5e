/** `--reward` on the command line: a score, a file of one's own, or the reward of a recipe. */
import type { OpenReward } from '../../rewards/open.ts';

/** Undefined where the environment's own reward is all there is. */
export async function openRewardNamed(name: string): Promise<OpenReward | undefined> {
  const [{ openReward }, { rewardSchema }] = await Promise.all([
    import('../../rewards/open.ts'),
    import('../../config/recipe/reward-config.ts'),
  ]);
  if (!/\.ya?ml$/.test(name)) return openReward(rewardSchema.parse(name));
  const { readRlRecipe } = await import('../../config/recipe/read-recipe.ts');
  return openReward((await readRlRecipe(name)).reward);
}
