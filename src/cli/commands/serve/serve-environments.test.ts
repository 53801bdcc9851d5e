import { expect, it } from 'vitest';
import { servedEnvironments } from './serve-environments.ts';

it('serves environments by name or file, each with its own settings', () => {
  expect(servedEnvironments(['textcraft', 'wordle'], ['textcraft.edition=2024'])).toEqual([
    { spec: 'textcraft', name: 'textcraft', settings: { edition: '2024' } },
    { spec: 'wordle', name: 'wordle', settings: {} },
  ]);
});

it.each([
  [['textcraft@http://127.0.0.1:36001'], [], /is served already/],
  [['textcraft'], ['wordle.words=5'], /not among textcraft/],
])('refuses %j with %j', (names, set, reason) => expect(() => servedEnvironments(names, set)).toThrow(reason));
