import { expect, it } from 'vitest';
import './builtin.ts';
import { environmentNames } from './names.ts';
import { environmentEntries } from './registry.ts';

it('the names are those of the registry', () => {
  expect(environmentNames).toEqual(environmentEntries().map(({ name }) => name));
});
