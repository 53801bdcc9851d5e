import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { baseModelFolder, readerModelFolder, shippedModel } from './base-model.ts';

it('finds the models of a clone, and names the package where one is not there', () => {
  for (const folder of [baseModelFolder, readerModelFolder])
    expect(existsSync(join(shippedModel(folder), 'config.json'))).toBe(true);
  expect(() => shippedModel('/nowhere/models/base')).toThrow(/@agoge\/models is not installed.*npm install @agoge\/models/);
});
