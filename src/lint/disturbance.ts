/** Junk between the actions of a solution: whether it changes what they do. */
import type { TaskRef } from '../core/task.ts';
import type { Environment, Step } from '../envs/environment.ts';
import { short } from './play.ts';

/** Plays a solution with texts before its actions; what went differently from the solution alone, in words. */
export async function disturbed(
  environment: Environment,
  task: TaskRef,
  actions: readonly string[],
  between: readonly (readonly string[])[],
): Promise<string | undefined> {
  await using clean = await environment.open(task);
  await using noisy = await environment.open(task);
  for (let at = 0; at < between.length; at++) {
    for (const text of between[at] ?? []) {
      let step: Step;
      try {
        step = await noisy.step(text);
      } catch (thrown) {
        return `"${short(text)}" threw ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      }
      if (step.reward !== 0) return `"${short(text)}" earned ${step.reward}`;
      // Where one action is the whole play, or any reply is an answer, any text is that action.
      if (step.done && (actions.length === 1 || environment.instructions.verbatim === true)) return undefined;
    }
    const action = actions[at];
    if (action === undefined) continue;
    const [expected, got] = [await clean.step(action), await noisy.step(action)];
    if (isSame(expected, got)) continue;
    // A world that asks back ("which one do you mean?") may forget its question; asked again, the answer must do what it did.
    const asked = actions[at - 1];
    if (asked !== undefined && between[at]?.length !== 0 && got.reward === 0 && !got.done) {
      await noisy.step(asked);
      if (isSame(expected, await noisy.step(action))) continue;
    }
    return `then "${short(action)}" gave ${told(got)} instead of ${told(expected)}`;
  }
  return undefined;
}

function isSame(a: Step, b: Step): boolean {
  return a.observation === b.observation && a.reward === b.reward && a.done === b.done;
}

function told({ observation, reward, done }: Step): string {
  return `"${short(observation)}" (reward ${reward}${done ? ', done' : ''})`;
}

/** Texts written as `place:text`, at their places. */
export function placed(texts: readonly string[], length: number): string[][] {
  const between: string[][] = Array.from({ length }, () => []);
  for (const text of texts) {
    const colon = text.indexOf(':');
    // A text that shrinking cut at its place is put first.
    between[colon < 0 ? 0 : Number(text.slice(0, colon)) || 0]?.push(text.slice(colon + 1));
  }
  return between;
}
