/**
 * PRIME's math score (Cui et al. 2025) as verl has it: the answer is looked for by its markers and the last box, then compared by
 * PRM800K's grader, then by ToRA's, with π also as 3.14.
 */
import { rightOrWrong, type Scored } from './score.ts';
import { primeBoxed } from './boxed.ts';
import { gradeAnswer } from './grade-answer.ts';
import { mathEqual } from './math-equal.ts';
import { pythonStrip } from '../core/python/strings.ts';

const before = ['answer:', 'answer is', 'answers are'];
const after = ['is answer', 'is the answer', 'are answers', 'are the answers'];
const words = ['be ', 'is ', 'are ', '=', ': ', 'get ', 'be\n', 'is\n', 'are\n', ':\n', 'get\n'];

export function primeMath(solution: string, groundTruth: unknown): Scored {
  const truth = String(groundTruth);
  const answer = findAnswer(solution);
  return rightOrWrong(gradeAnswer(answer, truth) || fallsBack(answer, truth), answer);
}

function fallsBack(answer: string, truth: string): boolean {
  const pis = answer.includes('\\pi') || truth.includes('\\pi') ? [Math.PI, 3.14] : [Math.PI];
  return pis.some((pi) => mathEqual(answer, truth, pi));
}

function findAnswer(solution: string): string {
  let text = solution;
  const cut = (marker: string, side: 'left' | 'right'): void => {
    const at = text.toLowerCase().lastIndexOf(marker);
    if (at >= 0) text = pythonStrip(side === 'right' ? text.slice(at + marker.length) : text.slice(0, at));
  };
  for (const marker of before) cut(marker, 'right');
  for (const marker of after) cut(marker, 'left');
  text = primeBoxed(text) || text;
  cut('. ', 'left');
  for (const marker of words) cut(marker, 'right');
  return text;
}
