import { expect, it } from 'vitest';
import { servedEnvironments } from './serve-environments.ts';

it('serves environments by name or file, each with its own settings', async () => {
  expect(await servedEnvironments(['textcraft', 'wordle'], { set: ['textcraft.edition=2024'] })).toEqual([
    { spec: 'textcraft', name: 'textcraft', settings: { edition: '2024' } },
    { spec: 'wordle', name: 'wordle', settings: {} },
  ]);
});

it('gives --generated to those that have stand-ins', async () => {
  const served = await servedEnvironments(['textcraft', 'webshop'], { set: ['webshop.size=60'], generated: true });
  expect(served.map(({ settings }) => settings)).toEqual([{}, { generated: true, size: '60' }]);
});

it.each([
  [['textcraft@http://127.0.0.1:36001'], [], /is served already/],
  [['textcraft'], ['wordle.words=5'], /not among textcraft/],
])('refuses %j with %j', async (names, set, reason) => {
  await expect(servedEnvironments(names, { set })).rejects.toThrow(reason);
});
