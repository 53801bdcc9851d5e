import { describe, expect, it } from 'vitest';
import { normalise, qa } from './qa.ts';

describe('questions', () => {
  it.each<[string, string]>([
    ['The  Eiffel Tower!', 'eiffel tower'],
    ['a-b c.', 'ab c'],
    ['An apple, a day', 'apple day'],
    ['theatre another', 'theatre another'],
    ['the', ''],
    ['Ängström’s', 'ängström’s'],
  ])('the normal form of %j', (text, want) => expect(normalise(text)).toBe(want));
  it.each<[string, unknown, number]>([
    ['<answer>Paris</answer>', ['London', 'Paris'], 1],
    ['<answer>Paris</answer>', { target: 'paris' }, 1],
    ['<answer>Paris\n</answer>', 'the Paris', 1],
    ['<answer>Paris</answer> <answer>Rome</answer>', 'Paris', 0],
    ['<answer></answer>', 'Paris', 0],
    ['answer: Paris', 'Paris', 0],
    ['<answer>Paris', 'Paris', 0],
    ['<ANSWER>Paris</ANSWER>', 'Paris', 0],
  ])('%j against %j', (solution, truth, want) => expect(qa(solution, truth).score).toBe(want));
  it('more than ten answers are fishing, ten are not', () => {
    expect(qa('<answer>x</answer>'.repeat(10), 'x').score).toBe(1);
    expect(qa('<answer>x</answer>'.repeat(11), 'x').score).toBe(0.25);
    expect(qa(`${'</answer>'.repeat(11)}<answer>x</answer>`, 'x').score).toBe(0.25);
  });
  it('containing is enough for subem, shared words count for f1, each as often as both have it', () => {
    expect(qa('<answer>in Paris, France</answer>', 'Paris', { match: 'subem' }).score).toBe(1);
    expect(qa('<answer>big big cat</answer>', 'big cat', { match: 'f1' }).score).toBeCloseTo(0.8);
    expect(qa('<answer>dog</answer>', 'cat', { match: 'f1' }).score).toBe(0);
    expect(qa('<answer>b a</answer>', ['x', 'b'], { match: 'f1' }).score).toBe(1);
  });
  it.each([undefined, 5, [], [1], { target: [] }, { answer: 'x' }])('a ground truth of %j is refused', (truth) => {
    expect(() => qa('<answer>x</answer>', truth)).toThrow(/scored against a text, a list of texts/);
  });
});
