/**
 * GSM8K (Cobbe et al. 2021) as verl scores it: the last number after `####`, or with `flexible` the last number at all, in the last 300
 * characters, equal to the ground truth as a text. Commas are dropped by the strict form only, as in the original.
 */
import { rightOrWrong, type Scored } from './score.ts';
import { lastCharacters } from '../core/python/strings.ts';
import { textOf } from './ground-truth.ts';

export interface Gsm8kOptions {
  readonly method?: 'strict' | 'flexible';
  /** What an answer in the right form is worth when it is wrong. */
  readonly format?: number;
}

const seen = 300;

export function gsm8k(solution: string, groundTruth: unknown, { method = 'strict', format = 0 }: Gsm8kOptions = {}): Scored {
  const tail = lastCharacters(solution, seen);
  const answer = method === 'strict' ? strictAnswer(tail) : flexibleAnswer(tail);
  if (answer === undefined) return rightOrWrong(false, null);
  const correct = answer === textOf(groundTruth);
  return { score: correct ? 1 : format, correct, answer };
}

function strictAnswer(text: string): string | undefined {
  const last = [...text.matchAll(/#### (-?[0-9.,]+)/g)].at(-1)?.[1];
  return last?.replaceAll(',', '');
}

/** The last number that is more than a full stop; where there is none, the first of what looked like one. */
function flexibleAnswer(text: string): string | undefined {
  const found = [...text.matchAll(/-?[0-9.,]+/g)].map(([number]) => number);
  return found.findLast((number) => number !== '.') ?? found[0];
}
