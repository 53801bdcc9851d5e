import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRecipe, kindOf, packagedRecipes, recipesFor } from './packaged-recipes.ts';
import { readRlRecipe, readSftRecipe } from './recipe/read-recipe.ts';

describe('packaged recipes', () => {
  it('are found by name, and by the path that the guides write', async () => {
    for (const name of ['textcraft-grpo', 'recipes/textcraft-grpo.yaml', 'textcraft-grpo.yaml'])
      expect(basename((await findRecipe(name)).path)).toBe('textcraft-grpo.yaml');
    expect((await findRecipe('textcraft-gpro')).meant).toBe('textcraft-grpo');
    expect((await readRlRecipe('textcraft-grpo', ['steps=3'])).steps).toBe(3);
  });

  it('give way to a file of the user', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-recipes-'));
    const mine = join(folder, 'textcraft-grpo.yaml');
    await writeFile(mine, 'run: mine\n');
    expect(await findRecipe(mine)).toEqual({ path: mine });
  });

  it('each say what they are for, on what, and with which command', async () => {
    const all = await packagedRecipes();
    for (const command of ['train', 'sft', 'reward'] as const)
      expect(await recipesFor(command)).toEqual(all.filter((one) => one.command === command).map(({ name }) => name));
    expect(all.length).toBeGreaterThan(20);
    for (const { name, about, environments, command } of all) {
      expect(about, name).not.toBe('');
      expect(about.length, name).toBeLessThan(240);
      expect(name.includes('sft') ? command : 'train', name).toBe(name.includes('sft') ? 'sft' : 'train');
      expect(environments, name).not.toEqual([]);
    }
  });

  it('given to the wrong command name the right one', async () => {
    await expect(readSftRecipe('textcraft-grpo')).rejects.toThrow(/agoge train textcraft-grpo/);
    await expect(readRlRecipe('base')).rejects.toThrow(/agoge sft base/);
    expect(kindOf({ a: 1 })).toBeUndefined();
  });
});
