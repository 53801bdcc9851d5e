/**
 * A panel: everything that decides which question an evaluation answers — the environment and its version, the tasks, the
 * prompt format, the limits. Scores are comparable when their panels are equal; the hash says so at a glance.
 */
import { createHash } from 'node:crypto';
import { AgogeError } from '../core/error.ts';
import type { Environment } from '../envs/environment.ts';
import type { PromptFormat } from '../agent/format.ts';
import { isStandInTask } from '../agent/items.ts';
import type { EpisodeLimits } from '../agent/limits.ts';

/** What was played, exactly: environment, version, split, tasks, format, limits. Equal panels can be compared. */
export interface Panel {
  readonly env: string;
  readonly version: string;
  readonly split: string;
  /** Indices of the tasks, ascending. */
  readonly tasks: readonly number[];
  readonly format: string;
  readonly limits: PanelLimits;
  /** What is paid for, where it is not the environment's own reward. */
  readonly reward?: string | undefined;
  /** Tasks of our own under the names of official ones; not part of the hash, since the version tells it. */
  readonly standIn?: true | undefined;
  readonly hash: string;
}

/** Limits that change what an agent can reach; deadlines are the harness's affair and stay out. */
export interface PanelLimits {
  readonly turns: number;
  readonly tokensPerTurn: number;
  readonly tokens?: number | undefined;
  readonly context?: number | undefined;
}

export function createPanel(
  environment: Environment,
  split: string,
  tasks: readonly number[],
  format: PromptFormat,
  { turns, tokensPerTurn, tokens, context }: EpisodeLimits,
  reward?: string,
): Panel {
  checkTasks(environment, split, tasks);
  const content = {
    env: environment.name,
    version: environment.version,
    split,
    tasks: [...new Set(tasks)].sort((a, b) => a - b),
    format: format.fingerprint === undefined ? format.name : `${format.name} (${format.fingerprint})`,
    limits: { turns, tokensPerTurn, ...(tokens === undefined ? {} : { tokens }), ...(context === undefined ? {} : { context }) },
    ...(reward === undefined ? {} : { reward }),
  };
  const standIn = isStandInTask(environment, { env: environment.name, split, index: tasks[0] ?? 0 });
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12);
  return { ...content, ...(standIn && { standIn }), hash };
}

/** Throws EVAL_TASKS where some of them are not there, or none at all. */
export function checkTasks(environment: Environment, split: string, tasks: readonly number[]): void {
  const size = environment.tasks(split).size;
  const outside = tasks.find((index) => index >= size);
  if (outside !== undefined && size > 0) {
    throw new AgogeError(
      'EVAL_TASKS',
      `${environment.name}/${split} has tasks 0 to ${size - 1}, not ${outside}: choose others with --tasks`,
    );
  }
  if (size === 0)
    throw new AgogeError('EVAL_TASKS', `${environment.name}/${split} has no tasks: choose another split with --split`);
  if (tasks.length === 0)
    throw new AgogeError('EVAL_TASKS', `no tasks of ${environment.name}/${split} were chosen: name some with --tasks`);
}

/** No evaluation has more; a slip of a few digits would fill the memory. */
const mostTasks = 1_000_000;

/** `0-99`, `3,5,7-9`, `all`; throws EVAL_TASKS. An endless split gives its first hundred tasks for `all`. */
export function parseTasks(text: string, size: number): number[] {
  if (text === 'all' && Number.isFinite(size) && size > mostTasks)
    throw new AgogeError('EVAL_TASKS', `the split has ${size} tasks, too many for one evaluation: choose some with --tasks 0-99`);
  if (text === 'all') return Array.from({ length: Number.isFinite(size) ? size : 100 }, (_, index) => index);
  return text.split(',').flatMap((part) => {
    const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? match?.[1]);
    if (!match || to < from)
      throw new AgogeError('EVAL_TASKS', `"${part}" names no tasks: write numbers and ranges, for example 0-99 or 3,5,7-9`);
    // Of a range that goes on behind the last task, its first task that is not there is enough for the error.
    const last = Math.min(to, Math.max(from, size));
    if (last - from >= mostTasks)
      throw new AgogeError('EVAL_TASKS', `"${part}" names more than ${mostTasks} tasks: write a smaller range`);
    return Array.from({ length: last - from + 1 }, (_, offset) => from + offset);
  });
}

/** What differs between two panels, in words; empty where they are the same. */
export function panelDifferences(a: Panel, b: Panel): string[] {
  const found: string[] = [];
  const differ = (what: string, left: string, right: string): void => {
    if (left !== right) found.push(`${what}: ${left} and ${right}`);
  };
  differ('environment', a.env, b.env);
  differ('version', a.version, b.version);
  differ('split', a.split, b.split);
  differ('format', a.format, b.format);
  differ('turns', String(a.limits.turns), String(b.limits.turns));
  differ('tokens per turn', String(a.limits.tokensPerTurn), String(b.limits.tokensPerTurn));
  differ('tokens in all', String(a.limits.tokens ?? 'any'), String(b.limits.tokens ?? 'any'));
  differ('reward', a.reward ?? 'env', b.reward ?? 'env');
  differ('context', String(a.limits.context ?? 'any'), String(b.limits.context ?? 'any'));
  const [ofA, ofB] = [new Set(a.tasks), new Set(b.tasks)];
  const onlyA = a.tasks.filter((index) => !ofB.has(index)).length;
  const onlyB = b.tasks.filter((index) => !ofA.has(index)).length;
  if (onlyA + onlyB > 0)
    found.push(`tasks: ${onlyA} only in the first, ${onlyB} only in the second, ${a.tasks.length - onlyA} in both`);
  return found;
}
