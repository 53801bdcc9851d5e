/**
 * The original's evaluation: every task of a list is played by an agent until it stops or is stopped, then scored. Results go to a folder
 * under the original's names. A task that the harness breaks is a failure with its reason, never a zero, and is played again next time.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import type { Action } from '../../envs/webarena/actions/action.ts';
import type { WebArenaEpisode } from '../../envs/webarena/episode.ts';
import type { WebTask } from '../../envs/webarena/tasks/task.ts';
import type { WebArena } from '../../envs/webarena/webarena.ts';
import type { Agent } from './agents.ts';
import { earlyStop, type StopLimits } from './early-stop.ts';
import { type ShownStep, trajectoryPage } from './trajectory-page.ts';

export interface HarnessOptions {
  readonly environment: WebArena;
  readonly tasks: readonly WebTask[];
  agent(task: WebTask): Agent;
  readonly limits: StopLimits;
  readonly folder: string;
  /** Tasks at once. */
  readonly parallel: number;
  /** Put pictures into the pages of trajectories. */
  readonly screenshots: boolean;
  /** Keep Playwright's traces. */
  readonly traces: boolean;
  readonly signal: AbortSignal;
  onResult?(result: TaskResult): void;
}

export type TaskResult = {
  readonly task_id: number;
  readonly sites: readonly string[];
  readonly steps: number;
  readonly seconds: number;
} & (
  { readonly score: number; readonly answer: string } | { readonly error: { readonly code: string; readonly message: string } }
);

const RESULTS = 'results.jsonl';

/** Plays what has no score in the folder yet; gives all results, those of earlier calls included. */
export async function runHarness(options: HarnessOptions): Promise<readonly TaskResult[]> {
  const { folder, tasks, traces, parallel, signal } = options;
  await makeFolder(traces ? join(folder, 'traces') : folder);
  const results = await earlierResults(folder);
  const waiting = tasks.filter(({ task_id }) => !isScored(results.get(task_id)));
  const worker = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      signal.throwIfAborted();
      const result = await playTask(task, options);
      results.set(task.task_id, result);
      await appendFile(join(folder, RESULTS), `${JSON.stringify(result)}\n`);
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, waiting.length) }, worker));
  return tasks.flatMap(({ task_id }) => results.get(task_id) ?? []);
}

/** Results by task; a folder that has none is a new one. */
async function earlierResults(folder: string): Promise<Map<number, TaskResult>> {
  const text = await readFile(join(folder, RESULTS), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.flatMap((line) => {
      try {
        const result = JSON.parse(line) as TaskResult;
        return [[result.task_id, result] as const];
      } catch {
        // The last line of a run that was killed may be cut: its task is played again.
        return [];
      }
    }),
  );
}

export function isScored(result: TaskResult | undefined): result is Extract<TaskResult, { readonly score: number }> {
  return result !== undefined && 'score' in result;
}

/** What the machine did, not the task or its sites: such a task is played again at once, from its beginning. */
const AGAIN: ReadonlySet<string> = new Set(['ENV_BROWSER_LOST', 'ENV_PAGE_SILENT']);
const TRIES = 3;

async function playTask(task: WebTask, options: HarnessOptions): Promise<TaskResult> {
  for (let tries = 1; ; tries++) {
    const result = await tryTask(task, options);
    if (isScored(result) || tries === TRIES || !AGAIN.has(result.error.code)) return result;
  }
}

async function tryTask(task: WebTask, options: HarnessOptions): Promise<TaskResult> {
  const { environment, folder, traces, signal } = options;
  const started = performance.now();
  const steps: ShownStep[] = [];
  const about = () => {
    const seconds = (performance.now() - started) / 1000;
    return { task_id: task.task_id, sites: task.sites, steps: steps.length, seconds };
  };
  try {
    await using episode = await environment.openTask(task, signal, { trace: traces });
    const { score, answer } = await playEpisode(episode, task, options, steps);
    if (traces) await episode.saveTrace(join(folder, 'traces', `${task.task_id}.zip`));
    return { ...about(), score, answer };
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = AgogeError.from(thrown, 'EVAL_WEBARENA', `task ${task.task_id} broke; report this`);
    await appendFile(join(folder, 'error.txt'), `[Task]: ${task.task_id}\n[${code}] ${message}\n`);
    return { ...about(), error: { code, message } };
  } finally {
    if (steps.length > 0) await writeFile(join(folder, `render_${task.task_id}.html`), trajectoryPage(task, steps));
  }
}

async function playEpisode(
  episode: WebArenaEpisode,
  task: WebTask,
  options: HarnessOptions,
  steps: ShownStep[],
): Promise<{ readonly score: number; readonly answer: string }> {
  const { limits, screenshots, signal } = options;
  const agent = options.agent(task);
  const actions: Action[] = [];
  let observation = episode.observation;
  for (;;) {
    signal.throwIfAborted();
    const told = episode.told;
    const why = earlyStop(actions, limits);
    const { action, reply }: { readonly action: Action; readonly reply: string } =
      why === undefined
        ? await agent.next(told, observation, signal)
        : { action: { kind: 'stop', answer: `Early stop: ${why}` }, reply: '' };
    actions.push(action);
    const screenshot = screenshots ? await episode.screenshot() : undefined;
    steps.push({ sight: episode.seen, previous: told.previous, action, reply, screenshot, actionSet: agent.actionSet });
    const played = await episode.perform(action, { reply, splitter: agent.splitter, actionSet: agent.actionSet });
    observation = played.observation;
    if (action.kind === 'stop') return { score: played.score, answer: action.answer };
  }
}
