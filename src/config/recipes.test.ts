import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';
import { readRlRecipe, readSftRecipe } from './recipe.ts';

const folder = fileURLToPath(new URL('../../recipes/', import.meta.url));

describe('the recipes that ship', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('%s is valid', async (name) => {
    const config = (await readConfig(folder + name)) as Record<string, unknown>;
    const recipe = 'data' in config ? await readSftRecipe(folder + name) : await readRlRecipe(folder + name);
    expect(recipe.run.length).toBeGreaterThan(0);
  });
});
