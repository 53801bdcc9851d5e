import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startPolicyOf } from './start-policy.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-start-policy-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('whom the doctor asks about', () => {
  it.each([
    ['textcraft', 'base', 'textcraft-sft'],
    ['maze', 'base', 'maze-sft'],
    ['weather', 'base', 'tools-sft'],
  ])('%s: the start of its own recipe', async (env, policy, recipe) => {
    expect(await startPolicyOf(env)).toEqual({ policy, because: `as in the recipe ${recipe}` });
  });

  it('an environment whose recipe makes a fresh model, or that has none, starts as a new one does', async () => {
    const asNew = { policy: 'reader', because: 'as in the recipes of agoge new env' };
    for (const env of ['sqlgym', 'webarena', join(folder, 'env.ts'), 'a-package'])
      expect(await startPolicyOf(env)).toEqual(asNew);
  });

  it('a file of one\u2019s own: the recipe beside it', async () => {
    await writeFile(join(folder, 'sft.yaml'), 'run: x\npolicy: run:outputs/mine@best\n');
    const found = { policy: 'run:outputs/mine@best', because: 'as in the sft.yaml beside it' };
    expect(await startPolicyOf(join(folder, 'env.ts'))).toEqual(found);
    await writeFile(join(folder, 'sft.yaml'), "run: x\npolicy: 'run:outputs/mine@best' # what was learned\n");
    expect(await startPolicyOf(join(folder, 'env.ts'))).toEqual(found);
    await writeFile(join(folder, 'sft.yaml'), 'run: x\npolicy: { fresh: { preset: xs } }\n');
    expect((await startPolicyOf(join(folder, 'env.ts'))).policy).toBe('reader');
  });
});
