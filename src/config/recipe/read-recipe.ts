/** From a YAML file and overrides to a resolved recipe. */
import { AgogeError } from '../../core/error.ts';
import type { RecipeKind } from '../../run/layout.ts';
import { applyOverrides } from '../overrides.ts';
import { loadOwnDefinitions } from '../own-definitions.ts';
import { commandOf, findRecipe, kindOf } from '../packaged-recipes.ts';
import { readConfig } from '../read-config.ts';
import { idleSettings } from './idle-settings.ts';
import { rewardModelRecipe, rlRecipe, sftRecipe } from './recipe.ts';
import type { RewardModelRecipe } from './reward-model-recipe.ts';
import type { RlRecipe } from './rl-recipe.ts';
import type { SftRecipe } from './sft-recipe.ts';
import { watched, withoutPanels } from './watched.ts';

/** Reads an RL recipe from a file, with overrides as on the command line; throws CONFIG_…. */
export async function readRlRecipe(path: string, overrides: readonly string[] = []): Promise<RlRecipe> {
  return (await readRlRecipeWithNotes(path, overrides)).recipe;
}

/** The recipe, and what should be said about it before a run: settings that have no effect. */
export async function readRlRecipeWithNotes(
  path: string,
  overrides: readonly string[] = [],
): Promise<{ readonly recipe: RlRecipe; readonly notes: readonly string[] }> {
  const file = await readRecipe(path, 'rl');
  const written = watched(withoutPanels(applyOverrides(file, overrides)));
  await loadOwnDefinitions(written);
  const recipe = rlRecipe(written, path);
  return { recipe, notes: idleSettings(written, recipe) };
}

/** Reads an SFT recipe from a file, with overrides as on the command line; throws CONFIG_…. */
export async function readSftRecipe(path: string, overrides: readonly string[] = []): Promise<SftRecipe> {
  return sftRecipe(watched(withoutPanels(applyOverrides(await readRecipe(path, 'sft'), overrides))), path);
}

export async function readRewardModelRecipe(path: string, overrides: readonly string[] = []): Promise<RewardModelRecipe> {
  return rewardModelRecipe(applyOverrides(await readRecipe(path, 'reward'), overrides), path);
}

/** A recipe as written, of the user's or one that ships; one of the other kind is named with its command. */
async function readRecipe(name: string, kind: RecipeKind): Promise<unknown> {
  const { path, meant } = await findRecipe(name);
  if (meant !== undefined) {
    throw new AgogeError('CONFIG_NOT_FOUND', `there is no recipe ${name}: did you mean "${meant}"? See: agoge recipes`);
  }
  const written = await readConfig(path);
  const is = kindOf(written);
  if (is === undefined || is === kind) return written;
  throw new AgogeError('CONFIG_WRONG_KIND', `${name} is a recipe for ${whats[is]}: use agoge ${commandOf(is)} ${name}`);
}

const whats = { rl: 'reinforcement learning', sft: 'supervised training', reward: 'a reward model' } as const;
