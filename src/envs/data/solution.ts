/** An answer as its score wants to see it: what an expert says where a row has no worked solution of its own. */
import { AgogeError } from '../../core/error.ts';
import type { RouteName } from '../../scores/registry.ts';
import { solveCountdown } from './generated/countdown.ts';

export function writtenSolution(score: RouteName, groundTruth: unknown): string {
  switch (score) {
    case 'gsm8k':
    case 'gsm8k_flexible':
      return `#### ${text(groundTruth)}`;
    case 'math':
    case 'prime_math':
    case 'math_dapo_box':
      return `\\boxed{${text(groundTruth)}}`;
    case 'math_dapo':
      return `Answer: ${text(groundTruth)}`;
    case 'geo3k':
      return `<think>It can be read from the figure.</think> \\boxed{${text(groundTruth)}}`;
    case 'qa_em':
    case 'qa_subem':
    case 'qa_f1':
      return `<answer>${text(firstOf(groundTruth))}</answer>`;
    case 'prime_code':
      throw new AgogeError('ENV_NO_SOLUTION', 'a program cannot be written from its tests: give rows with extra_info.answer');
    case 'countdown':
      return `<answer>${solveCountdown(groundTruth as { target: number; numbers: number[] }) ?? ''}</answer>`;
  }
}

function text(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new AgogeError('ENV_BAD_ROWS', `the ground truth ${JSON.stringify(value)} is no text: correct reward_model.ground_truth`);
}

function firstOf(groundTruth: unknown): unknown {
  const target =
    typeof groundTruth === 'object' && groundTruth !== null && 'target' in groundTruth ? groundTruth.target : groundTruth;
  return Array.isArray(target) ? (target[0] as unknown) : target;
}
