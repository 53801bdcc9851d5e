/**
 * One turn: a reply is read by its format and its action played. A reply without an action costs the turn and tells the
 * agent why; the environment is not asked. The one place where replies meet environments: episodes, interactions and
 * replays all go through here.
 */
import { AgogeError } from '../core/error.ts';
import type { Turn } from '../core/trajectory.ts';
import type { Episode, Instructions, Step } from '../envs/environment.ts';
import type { PromptFormat } from './format.ts';
import { shownNow } from './shown.ts';

export interface TakenTurn {
  readonly turn: Turn;
  /** What the environment says about success, on the step that ends the episode. */
  readonly success?: boolean | undefined;
}

/** Answers at once where the environment does. */
export function takeTurn(
  episode: Episode,
  reply: string,
  format: Pick<PromptFormat, 'read'>,
  instructions: Instructions,
): TakenTurn | Promise<TakenTurn> {
  const read = format.read(reply, instructions);
  if (read.action === null) {
    const { problem } = read;
    return { turn: { reply, action: null, problem, observation: problem, reward: 0, done: false } };
  }
  const { action } = read;
  const note = (step: Step): TakenTurn => {
    checkStep(step, action);
    const { observation, reward, done, success, breakdown } = step;
    const turn: Turn = {
      reply,
      action,
      observation,
      reward,
      done,
      ...shownNow(episode),
      ...(breakdown === undefined ? {} : { breakdown: { ...breakdown } }),
    };
    return { turn, success };
  };
  const step = episode.step(action);
  return step instanceof Promise ? step.then(note) : note(step);
}

/** Environments of other people may answer anything. What is no step is a failure of the harness, never a reward. */
function checkStep(step: unknown, action: string): void {
  const { observation, reward, done } = (step ?? {}) as Partial<Record<keyof Step, unknown>>;
  const wrong =
    typeof observation !== 'string'
      ? `observation is ${kindOf(observation)}, not a text`
      : typeof reward !== 'number' || !Number.isFinite(reward)
        ? `reward is ${typeof reward === 'number' ? reward : kindOf(reward)}, not a finite number`
        : typeof done !== 'boolean'
          ? `done is ${kindOf(done)}, neither true nor false`
          : undefined;
  if (wrong === undefined) return;
  throw new AgogeError(
    'ENV_BAD_STEP',
    `the environment's answer to ${JSON.stringify(action.slice(0, 80))} is no step (${wrong}): repair its step()`,
  );
}

function kindOf(value: unknown): string {
  return value === undefined ? 'missing' : value === null ? 'null' : `a ${typeof value}`;
}
