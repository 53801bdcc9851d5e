import { expect, it } from 'vitest';
import { geo3k } from './geo3k.ts';

it.each<[string, number]>([
  ['<think>a</think>\\boxed{5}', 1],
  ['x<think>a</think>\\boxed{5}', 0.9],
  ['<think>a\\boxed{5}</think>', 0.9],
  ['<think>a</think>\\boxed{6}', 0.1],
  ['<think>a</think>\\boxed{6', 0],
])('geo3k pays for form and answer: %j', (solution, want) => expect(geo3k(solution, '5').score).toBeCloseTo(want, 12));
