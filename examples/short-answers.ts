/**
 * A reward in one function: right answers, and the fewer words the better. In a recipe: reward: ./examples/short-answers.ts
 * It is given what happened, which task it was, and what its row says is right.
 */
import type { TaskRef, Trajectory, Truth } from 'agoge';

export default function shortAnswers(trajectory: Trajectory, _task: TaskRef, truth: Truth): number {
  const answer = trajectory.turns.at(-1)?.reply ?? '';
  const right = answer.includes(`#### ${String(truth.groundTruth)}`);
  return (right ? 1 : 0) - 0.01 * answer.split(/\s+/).length;
}
