import { describe, expect, it } from 'vitest';
import { choice, nearest } from './nearest.ts';

describe('what was meant', () => {
  const known = ['rollout', 'algorithm', 'optimizer', 'evaluate', 'steps'];
  it.each<[string, string | undefined]>([
    ['rolout', 'rollout'],
    ['rolluot', 'rollout'],
    ['algoritm', 'algorithm'],
    ['optimiser', 'optimizer'],
    ['step', 'steps'],
    ['stepss', 'steps'],
    ['eval', 'evaluate'],
    ['xyz', undefined],
    ['seed', undefined],
    ['', undefined],
  ])('by %j: %s', (word, want) => expect(nearest(word, known)).toBe(want));
  it('one wrong letter is nearer than a beginning', () => {
    expect(nearest('kill-wirte', ['kill', 'kill-write'])).toBe('kill-write');
    expect(nearest('kill-anything', ['kill', 'kill-write'])).toBe('kill');
  });
  it('is found among none, and said with all that there are', () => {
    expect(nearest('x', [])).toBeUndefined();
    expect(choice('stps', known)).toBe(`did you mean "steps"? choose one of ${known.join(', ')}`);
    expect(choice('zzzzzz', known)).toBe(`choose one of ${known.join(', ')}`);
  });
});
