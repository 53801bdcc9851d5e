/** The panels of an evaluation: which tasks of an environment are played, and how long their episodes may be. */
import type { EpisodeLimits } from '../agent/limits.ts';
import type { Prompting } from '../agent/prompting.ts';
import { fileTasks } from '../data/tasks/task-panels.ts';
import { isTaskFile } from '../data/tasks/task-rows.ts';
import type { Environment } from '../envs/environment.ts';
import { factsOf } from '../envs/lookup.ts';
import type { PanelRequest } from './evaluate.ts';
import { parseTasks } from './panel.ts';

/** How long an episode may be. */
export interface LimitChoices {
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly maxContext?: number | undefined;
  /** Seconds for one call of an environment, and for one reply. */
  readonly stepTimeout?: number | undefined;
  readonly replyTimeout?: number | undefined;
}

/** Which tasks are played, and how long an episode may be. */
export interface PanelChoices extends LimitChoices {
  /** Default: `test`, or the first split of an environment without one. */
  readonly split?: string | undefined;
  /** Numbers, `0-99`, `all` (the default), or a file of rows. */
  readonly tasks?: string | readonly number[] | undefined;
  /** Of a file of rows: at most so many, and whether a row without a task is an error. */
  readonly limit?: number | undefined;
  readonly strict?: boolean | undefined;
}

/** An environment that is open, as it was named, and what an interaction file says about its episodes. */
export interface NamedEnvironment {
  /** As it was written: `textcraft@http://…`. */
  readonly env: string;
  /** What rows of a file call it. */
  readonly name: string;
  readonly environment: Environment;
  readonly limits?: Partial<EpisodeLimits>;
}

/** The tasks of a split, or those that the rows of a file name. */
export async function panelsOf(
  { name, environment, limits: said = {} }: NamedEnvironment,
  prompting: Prompting,
  choices: PanelChoices,
  notice: (text: string) => void,
): Promise<PanelRequest[]> {
  const limits = limitsOf(environment, said, choices);
  const { tasks = 'all', limit, strict } = choices;
  if (typeof tasks === 'string' && isTaskFile(tasks)) {
    const found = await fileTasks(tasks, name, environment, prompting, { limit, strict, notice });
    return found.map((part) => ({ environment, split: part.split, tasks: part.indices, limits, prompts: part }));
  }
  const split = choices.split ?? usualSplit(environment);
  const numbers = typeof tasks === 'string' ? parseTasks(tasks, environment.tasks(split).size) : [...tasks];
  return [{ environment, split, tasks: numbers, limits }];
}

export function usualSplit({ splits }: Environment): string {
  return splits.includes('test') ? 'test' : (splits[0] ?? 'test');
}

/** Of environments that declare none. */
const usualLimits = { turns: 30, tokens: 512 };

/** The limits that were chosen, else what is usual for the environment and what an interaction file says. */
export function limitsOf(environment: Environment, said: Partial<EpisodeLimits>, choices: LimitChoices): EpisodeLimits {
  const usual = factsOf(environment).limits ?? {};
  const { maxTurns, maxTokens, maxTotalTokens, maxContext, stepTimeout = 60, replyTimeout = 300 } = choices;
  return {
    turns: maxTurns ?? Math.min(usual.turns ?? usualLimits.turns, said.turns ?? Infinity),
    tokensPerTurn: maxTokens ?? usual.tokens ?? usualLimits.tokens,
    ...(maxTotalTokens === undefined ? {} : { tokens: maxTotalTokens }),
    ...(maxContext === undefined ? {} : { context: maxContext }),
    stepDeadline: said.stepDeadline ?? stepTimeout * 1000,
    replyDeadline: replyTimeout * 1000,
  };
}

/** What is said where nothing says how long an episode may be: the usual limits fit no environment in particular, and may take long. */
export function undeclaredLimits(environment: Environment, { maxTurns, maxTokens }: LimitChoices): string | undefined {
  const { turns, tokens } = factsOf(environment).limits ?? {};
  const open = [
    ...(turns === undefined && maxTurns === undefined ? [`${usualLimits.turns} turns (turns, or --max-turns)`] : []),
    ...(tokens === undefined && maxTokens === undefined
      ? [`${usualLimits.tokens} tokens a reply (tokens, or --max-tokens)`]
      : []),
  ];
  if (open.length === 0) return undefined;
  return `${environment.name} declares no limits of its own, so episodes have up to ${open.join(' of ')}`;
}
