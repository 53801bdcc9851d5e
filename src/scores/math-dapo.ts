/**
 * DAPO's score of AIME and MATH (Yu et al. 2025), with Minerva's normalisation (Lewkowycz et al. 2022): what follows the last
 * `Answer:` in the last 300 characters, else a box in the last 100; +1 or −1.
 */
import type { Scored } from './score.ts';
import { strictBoxed } from './boxed.ts';
import { isDigits, lastCharacters, pythonStrip } from '../core/python/strings.ts';
import { textOf } from './ground-truth.ts';

export interface DapoOptions {
  /** Only a box in the last 100 characters counts. */
  readonly strictBox?: boolean;
}

const none = '[INVALID]';

export function mathDapo(solution: string, groundTruth: unknown, { strictBox = false }: DapoOptions = {}): Scored {
  const truth = textOf(groundTruth);
  const tail = lastCharacters(solution, 300);
  const boxed = strictBoxed(lastCharacters(tail, 100));
  const result = (correct: boolean, answer: string | null): Scored => ({ score: correct ? 1 : -1, correct, answer });
  if (strictBox) return result(boxed === truth, boxed ?? null);
  const said = [...tail.matchAll(/Answer\s*:\s*([^\n]+)/gi)].at(-1)?.[1] ?? none;
  const answer = minerva(said);
  if (answer !== none || boxed === undefined) return result(answer === minerva(truth), answer);
  return result(boxed === truth, boxed);
}

const replaced: readonly (readonly [string, string])[] = [
  ['an ', ''],
  ['a ', ''],
  ['.$', '$'],
  ['\\$', ''],
  ['\\ ', ''],
  [' ', ''],
  ['mbox', 'text'],
  [',\\text{and}', ','],
  ['\\text{and}', ','],
  ['\\text{m}', '\\text{}'],
];

const removed = (
  'square ways integers dollars mph inches hours km units \\ldots sue points feet minutes digits cents degrees cm gm pounds meters ' +
  'meals edges students childrentickets multiples \\text{s} \\text{.} \\text{\ns} \\text{}^2 \\text{}^3 \\text{\n} \\text{} ' +
  '\\mathrm{th} ^\\circ ^{\\circ} \\; ,\\! {,} " \\dots'
).split(' ');

/** Minerva's normal form of a final answer. */
export function minerva(answer: string): string {
  let s = answer.split('=').at(-1) ?? '';
  for (const [before, after] of replaced) s = s.replaceAll(before, after);
  for (const expression of removed) s = s.replaceAll(expression, '');
  s = s
    .replace(/([^\n]*?)\$([^\n]*?)\$([^\n]*)/g, (_, _before, inside: string) => `$${inside}$`)
    .replace(/\\text\{([^\n]*?)\}/g, (_, inside: string) => inside)
    .replace(/\\textbf\{([^\n]*?)\}/g, (_, inside: string) => inside)
    .replace(/\\overline\{([^\n]*?)\}/g, (_, inside: string) => inside)
    .replace(/\\boxed\{([^\n]*)\}/g, (_, inside: string) => inside)
    .replace(/frac([^{])([^\n])/gu, (_, a: string, b: string) => `frac{${a}}{${b}}`)
    .replace(/sqrt([^{])/gu, (_, a: string) => `sqrt{${a}}`)
    .replaceAll('$', '');
  const plain = s.replaceAll(',', '');
  return pythonStrip(isDigits(plain) ? plain : s);
}
