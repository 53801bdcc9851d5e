import { expect, it } from 'vitest';
import { worldSettings } from './world-settings.ts';

it('finds the settings of an environment in a recipe, as text', () => {
  const config = 'tasks:\n  - { env: textcraft }\n  - { env: data, settings: { level: 0, kind: countdown } }\n';
  expect(worldSettings(config, 'data')).toEqual({ level: '0', kind: 'countdown' });
  expect(worldSettings(config, 'textcraft')).toEqual({});
  expect(worldSettings('tasks: [', 'data')).toEqual({});
  expect(worldSettings('', 'data')).toEqual({});
});
