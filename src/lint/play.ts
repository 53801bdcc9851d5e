/** Plays of an environment as plain data, so that two of them can be compared byte by byte. */
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode, Expert, RemoteExpert, Step } from '../envs/environment.ts';

/** A task and what is done in it: what a law is checked on, and what a counter-example is. */
export interface Case {
  readonly task: TaskRef;
  readonly actions: readonly string[];
}

/** Everything a player and a viewer can see, one entry for the opening and one per action. */
export type Seen = readonly string[];

/** Plays a case from the start and returns what was seen. */
export async function see(environment: Environment, { task, actions }: Case): Promise<Seen> {
  await using episode = await environment.open(task);
  const seen = [opening(episode)];
  for (const action of actions) seen.push(sight(episode, await episode.step(action)));
  return seen;
}

/** What the opening of an episode shows. */
export function opening(episode: Episode): string {
  return JSON.stringify([episode.observation, episode.actions ?? null, episode.state ?? null]);
}

/** What a step shows. */
export function sight(episode: Episode, step: Step): string {
  const { observation, reward, done, success, breakdown } = step;
  return JSON.stringify([
    observation,
    reward,
    done,
    success ?? null,
    breakdown ?? null,
    episode.actions ?? null,
    episode.state ?? null,
  ]);
}

export interface Solved {
  readonly actions: readonly string[];
  readonly steps: readonly Step[];
  readonly reward: number;
  readonly success: boolean;
}

/** Who solves a task, whether at once or in its own time. */
export function expertOf(environment: Environment, task: TaskRef): Expert | RemoteExpert | undefined {
  return environment.expert?.(task) ?? environment.remoteExpert?.(task);
}

/** Lets the expert play a task to its end (or until it gives up, or 1,000 steps). */
export async function solve(environment: Environment, task: TaskRef): Promise<Solved> {
  await using episode = await environment.open(task);
  const expert = expertOf(environment, task);
  const actions: string[] = [];
  const steps: Step[] = [];
  let observation = episode.observation;
  let reward = 0;
  while (expert && steps.length < 1000) {
    const action = await expert.next(observation);
    if (action === null) break;
    const step = await episode.step(action);
    actions.push(action);
    steps.push(step);
    observation = step.observation;
    reward += step.reward;
    if (step.done) break;
  }
  const last = steps.at(-1);
  return { actions, steps, reward, success: last?.done === true && (last.success ?? reward >= 1) };
}

/** Where two plays differ first, in words; undefined when they are equal. */
export function difference(one: Seen, other: Seen): string | undefined {
  for (let turn = 0; turn < Math.max(one.length, other.length); turn++) {
    if (one[turn] !== other[turn])
      return `at ${turn === 0 ? 'the opening' : `action ${turn}`}: ${short(one[turn])} and ${short(other[turn])}`;
  }
  return undefined;
}

/** At most 200 characters of a text, for a message. */
export function short(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
