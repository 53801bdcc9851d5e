import { describe, expect, it } from 'vitest';
import { gsm8k } from './gsm8k.ts';

describe('GSM8K', () => {
  it.each<[string, string, number]>([
    ['#### 72', '72', 1],
    ['#### 72.', '72', 0],
    ['#### -3', '-3', 1],
    ['#### $5', '5', 0],
    ['#### 1,000,000', '1000000', 1],
    ['#### 72.0', '72', 0],
    ['#### 1 and #### 2', '1', 0],
    [`#### 7 ${'y'.repeat(290)}`, '7', 1],
    [`#### 7 ${'y'.repeat(300)}`, '7', 0],
  ])('strict: %j for %s', (solution, truth, want) => expect(gsm8k(solution, truth).score).toBe(want));
  it.each<[string, string, number]>([
    ['it is 3, then 4', '4', 1],
    ['4 apples .', '4', 1],
    ['4 apples .,', '4', 0],
    ['1,000', '1000', 0],
    ['none', '1', 0],
    ['.', '.', 1],
  ])('flexible: %j for %s', (solution, truth, want) => expect(gsm8k(solution, truth, { method: 'flexible' }).score).toBe(want));
  it('a wrong answer in the right form is worth what is asked for', () => {
    expect(gsm8k('#### 1', '2', { format: 0.1 })).toEqual({ score: 0.1, correct: false, answer: '1' });
    expect(gsm8k('1', '2', { format: 0.1 }).score).toBe(0);
  });
});
