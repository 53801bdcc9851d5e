import { expect, it } from 'vitest';
import { ownEnvironments } from './own-environments.ts';

it('finds the environments that are not ours, wherever a recipe names them, each once', () => {
  const recipe = {
    policy: './not-an-environment.ts',
    tasks: [{ env: './dice.ts', split: 'train' }, { env: 'textcraft' }, { env: 'textcraft@http://127.0.0.1:1' }],
    data: { experts: [{ env: '@me/boxes' }, { env: './dice.ts' }] },
    evaluate: { panels: [{ env: '../other/env.js', split: 'test' }, null] },
  };
  expect(ownEnvironments(recipe)).toEqual(['./dice.ts', '@me/boxes', '../other/env.js']);
  expect(ownEnvironments(undefined)).toEqual([]);
});
