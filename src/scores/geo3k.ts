/** Geometry3K as verl scores it: 0.9 for a right answer in the box, 0.1 for `<think>…</think>` before it. */
import type { Scored } from './score.ts';
import { rulerBoxed } from './boxed.ts';
import { gradeAnswer } from './grade-answer.ts';
import { textOf } from './ground-truth.ts';

export interface Geo3kOptions {
  /** Share of the form in the score. */
  readonly format?: number;
}

export function geo3k(solution: string, groundTruth: unknown, { format = 0.1 }: Geo3kOptions = {}): Scored {
  const answer = rulerBoxed(solution);
  const correct = gradeAnswer(answer, textOf(groundTruth), { ruler: true });
  const formed = hasForm(solution);
  const score = (1 - format) * Number(correct) + format * Number(formed);
  return { score, correct, answer, parts: { accuracy: Number(correct), format: Number(formed) } };
}

/** `<think>…</think>…\boxed{…}…`, whatever stands between; looked for by hand, since the pattern takes quadratic time on hostile text. */
function hasForm(text: string): boolean {
  if (!text.startsWith('<think>')) return false;
  const thought = text.indexOf('</think>', '<think>'.length);
  const box = thought < 0 ? -1 : text.indexOf('\\boxed{', thought + '</think>'.length);
  return box >= 0 && text.includes('}', box + '\\boxed{'.length);
}
