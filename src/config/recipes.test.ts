import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';
import { kindOf } from './packaged-recipes.ts';
import { readRewardModelRecipe, readRlRecipe, readSftRecipe } from './recipe/read-recipe.ts';

const folder = fileURLToPath(new URL('../../recipes/', import.meta.url));

describe('the recipes that ship', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('%s is valid', async (name) => {
    const config = (await readConfig(folder + name)) as Record<string, unknown>;
    const read = { rl: readRlRecipe, sft: readSftRecipe, reward: readRewardModelRecipe }[kindOf(config) ?? 'rl'];
    const recipe = await read(folder + name);
    expect(recipe.run.length).toBeGreaterThan(0);
  });
});
