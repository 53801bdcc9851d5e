import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routedScore, routeNames, scores } from './registry.ts';

describe('routing', () => {
  it.each<[string, string]>([
    ['openai/gsm8k', 'gsm8k'],
    ['lighteval/MATH', 'math'],
    ['DigitalLearningGmbH/MATH-lighteval', 'math'],
    ['HuggingFaceH4/MATH-500', 'math'],
    ['math_dapo', 'math_dapo'],
    ['math', 'math_dapo'],
    ['aime2025', 'math_dapo'],
    ['numina_olympiads', 'prime_math'],
    ['taco', 'prime_code'],
    ['hiyouga/geometry3k', 'geo3k'],
    ['searchR1_bamboogle', 'qa_em'],
  ])('%s is scored by %s', (source, name) => expect(routedScore(source)).toBe(name));
  it.each(['', 'gsm8k', 'AIME2025', 'constructor', '__proto__', 'webshop'])('%j by none, as in verl', (source) => {
    expect(() => routedScore(source)).toThrow(/no score for the data source/);
  });
  it('every score takes whatever a model writes without an error', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('\\', '{', '}', '(', '^', '/', '1', 'x', ' ', '$', '='), maxLength: 40 }),
    );
    const truths: Partial<Record<string, unknown>> = { countdown: { target: 1, numbers: [1] } };
    fc.assert(
      fc.property(texts, (text) => {
        for (const name of routeNames) {
          if (name === 'prime_code') continue;
          const { score } = scores[name](
            `<answer>${text}</answer>\\boxed{${text}}\nAnswer: ${text}\n#### ${text}`,
            truths[name] ?? '1/2',
          );
          expect(Number.isFinite(score)).toBe(true);
        }
      }),
      { seed: 1, numRuns: 150 },
    );
  });
});
