import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsTask, formatTask, parseTask } from './task.ts';

describe('names of tasks', () => {
  it('are read back', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[/#\s]/.test(text));
    fc.assert(
      fc.property(name, name, fc.nat(), (env, split, index) => {
        expect(parseTask(formatTask({ env, split, index }))).toEqual({ env, split, index });
      }),
      { seed: 1 },
    );
  });
  it.each([
    '',
    'textcraft',
    'textcraft/test',
    'textcraft#1',
    'textcraft/test#',
    'textcraft/test#-1',
    'textcraft/test#1.5',
    '/test#1',
    'a/b/c#1',
    'a b/c#1',
    'textcraft/test#1 ',
  ])('%j is none', (text) => expect(() => parseTask(text)).toThrow(/is not a task: write it as environment\/split#index/));
  it.each<[string, boolean]>([
    ['textcraft/test#1', true],
    ['textcraft/test', true],
    ['textcraft', true],
    ['textcraft/test#17', false],
    ['textcraft/te', false],
    ['textcra', false],
    ['textcraft/', false],
    ['', false],
  ])('textcraft/test#1 is of %j: %s', (wanted, fits) => expect(fitsTask('textcraft/test#1', wanted)).toBe(fits));
});
