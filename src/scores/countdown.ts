/**
 * Countdown as TinyZero (Pan et al. 2025) scores it: the equation in the last `<answer>` uses exactly the given numbers and gives the
 * target. A right one is worth 1, a readable wrong one `format` (0.1), none at all 0.
 */
import { AgogeError } from '../core/error.ts';
import type { Scored } from './score.ts';
import { arithmetic } from './arithmetic.ts';
import { pythonStrip } from '../core/python/strings.ts';

export interface CountdownOptions {
  readonly format?: number;
}

export function countdown(solution: string, groundTruth: unknown, { format = 0.1 }: CountdownOptions = {}): Scored {
  const { target, numbers } = problemOf(groundTruth);
  const said = [...solution.matchAll(/<answer>([^\n]*?)<\/answer>/g)].at(-1)?.[1];
  if (said === undefined) return { score: 0, correct: false, answer: null };
  const answer = pythonStrip(said);
  const used = [...answer.matchAll(/\d+/g)].map(([number]) => Number(number));
  const value = sameNumbers(used, numbers) ? arithmetic(answer) : undefined;
  const correct = value !== undefined && Math.abs(value - target) < 1e-5;
  return { score: correct ? 1 : format, correct, answer };
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [a, b].map((list) => [...list].sort((x, y) => x - y).join(' '));
  return left === right;
}

function problemOf(groundTruth: unknown): { target: number; numbers: readonly number[] } {
  const { target, numbers } = (groundTruth ?? {}) as { target?: unknown; numbers?: unknown };
  const list: unknown = Array.isArray(numbers) ? numbers.map(Number) : undefined;
  const goal = Number(target);
  if (target !== undefined && Number.isFinite(goal) && Array.isArray(list) && list.every(Number.isFinite))
    return { target: goal, numbers: list as number[] };
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    'countdown is scored against { target, numbers }: correct reward_model.ground_truth',
  );
}
