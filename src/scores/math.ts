/** MATH (Hendrycks et al. 2021) as verl scores it: what stands in the last box equals the ground truth when both are normalised. */
import { rightOrWrong, type Scored } from './score.ts';
import { insideBox, lastBoxed } from './boxed.ts';
import { textOf } from './ground-truth.ts';
import { stripString } from './strip-string.ts';

export function math(solution: string, groundTruth: unknown): Scored {
  const truth = textOf(groundTruth);
  const box = lastBoxed(solution);
  const answer = box === undefined ? undefined : insideBox(box);
  if (answer === undefined) return rightOrWrong(false, null);
  return rightOrWrong(equivalent(answer, truth), answer);
}

function equivalent(a: string, b: string): boolean {
  const [left, right] = [stripString(a), stripString(b)];
  return left === undefined || right === undefined ? a === b : left === right;
}
