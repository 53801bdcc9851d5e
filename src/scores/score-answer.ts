/** Scores an answer by name: at once where that is arithmetic, later where a program has to be run. */
import { codeRunner } from './code/runner.ts';
import { languageOf, primeCode } from './code/prime-code.ts';
import type { Scored } from './score.ts';
import { scores, type RouteName } from './registry.ts';

export interface AnswerOptions {
  /** Address of a Sandbox Fusion server; without one programs run in our own sandbox. */
  readonly sandbox?: string | undefined;
}

export function scoreAnswer(
  name: RouteName,
  solution: string,
  groundTruth: unknown,
  { sandbox }: AnswerOptions = {},
): Scored | Promise<Scored> {
  if (name !== 'prime_code') return scores[name](solution, groundTruth);
  return codeRunner(sandbox, languageOf(groundTruth)).then((runner) => primeCode(solution, groundTruth, runner));
}
