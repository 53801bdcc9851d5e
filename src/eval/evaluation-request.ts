/**
 * The one way to an evaluation, for `agoge eval` and for the library's `evaluate`: what was chosen becomes panels with their limits,
 * policies with their identities, and the folder of the results. What was left out is filled in here, so both have the same defaults.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EpisodeLimits, Sampling } from '../agent/limits.ts';
import { checkpointNote, expandPolicies } from '../agent/policy-files.ts';
import { identifyPolicy } from '../agent/identify-policy.ts';
import { openPolicy, type OpenPolicyOptions } from '../agent/open-policy.ts';
import { promptingFor, type PromptOptions } from '../agent/policy-prompting.ts';
import type { Prompting } from '../agent/prompting.ts';
import { formatOfRows } from '../data/tasks/asked-format.ts';
import { fileTasks } from '../data/tasks/task-panels.ts';
import { isTaskFile } from '../data/tasks/task-rows.ts';
import type { Environment } from '../envs/environment.ts';
import { factsOf } from '../envs/lookup.ts';
import type { OpenReward } from '../rewards/open.ts';
import type { EvaluationRequest, PanelRequest } from './evaluate.ts';
import { parseTasks } from './panel.ts';
import { earlierStamp, timeStamp } from './stamp.ts';

/** What may be said about an evaluation; everything has a default. */
export interface EvaluationChoices extends PromptOptions, LimitChoices {
  /** Default: `base`. The baseline is evaluated too. */
  readonly policies?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  /** Default: `test`, or the first split of an environment without one. */
  readonly split?: string | undefined;
  /** Numbers, `0-99`, `all` (the default), or a file of rows. */
  readonly tasks?: string | readonly number[] | undefined;
  /** Of a file of rows: at most so many, and whether a row without a task is an error. */
  readonly limit?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly samples?: number | undefined;
  readonly seeds?: number | undefined;
  readonly seed?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly minP?: number | undefined;
  readonly reward?: OpenReward | undefined;
  /** How models are loaded and endpoints are asked. */
  readonly opening?: OpenPolicyOptions | undefined;
  readonly folder?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly concurrency?: number | undefined;
  readonly retries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

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

/** An environment that is open, as it was named, and what an interaction file says about its episodes. */
export interface NamedEnvironment {
  /** As it was written: `textcraft@http://…`. */
  readonly env: string;
  /** What rows of a file call it. */
  readonly name: string;
  readonly environment: Environment;
  readonly limits?: Partial<EpisodeLimits>;
}

/** `open` is called once the policies are known to be there; they themselves are opened when their turn comes. */
export async function evaluationRequest(
  open: () => Promise<readonly NamedEnvironment[]>,
  choices: EvaluationChoices,
  notice: (text: string) => void = () => undefined,
): Promise<EvaluationRequest> {
  const { tasks = 'all', reward, fresh, concurrency, retries, signal } = choices;
  const named = evaluatedPolicies(choices);
  const policies = [...new Set((await Promise.all(named.map(expandPolicies))).flat())];
  const [baseline] = choices.baseline === undefined ? [] : await expandPolicies(choices.baseline);
  const { prompting, notices, gaps } = await promptingFor(policies, choices, await formatAskedByRows(choices));
  const checkpoints = (await Promise.all(named.map(checkpointNote))).filter((note) => note !== undefined);
  for (const text of [...notices, ...checkpoints]) notice(text);
  const environments = await open();
  const panels = await Promise.all(environments.map((one) => panelsOf(one, prompting, choices, notice)));
  const [first] = environments;
  const { format } = prompting;
  const sampling = samplingOf(choices);
  const repeats = { samples: choices.samples ?? 1, seeds: choices.seeds ?? 1, seed: choices.seed ?? 0 };
  const asked = {
    names: environments.map(({ env }) => env),
    unique: policies,
    split: choices.split ?? (first && usualSplit(first.environment)),
    tasks,
    repeats,
    sampling,
    format: format.name,
    ...(choices.stop === undefined || choices.stop.length === 0 ? {} : { stop: choices.stop }),
    reward: reward?.identity,
  };
  const folder = choices.folder ?? join('outputs', `eval-${hashOf(asked)}`);
  const stamp = (fresh === true ? undefined : await earlierStamp(folder)) ?? timeStamp(new Date());
  const opening = openingOf(prompting, choices);
  return {
    panels: panels.flat(),
    policies: await Promise.all(
      policies.map(async (id) => ({ id, identity: await identifyPolicy(id, opening), open: () => openPolicy(id, opening) })),
    ),
    format,
    gaps,
    sampling,
    repeats,
    reward,
    baseline,
    folder,
    fresh,
    stamp,
    concurrency,
    retries,
    signal,
  };
}

/** The base policy where none is named; the baseline is evaluated too. */
export function evaluatedPolicies({ policies = [], baseline }: Pick<EvaluationChoices, 'policies' | 'baseline'>): string[] {
  const all = policies.length > 0 ? [...policies] : ['base'];
  return baseline === undefined || all.includes(baseline) ? all : [baseline, ...all];
}

/** Of environments that declare none. */
export const usualLimits = { turns: 30, tokens: 512 };

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

/** The tasks of a split, or those that the rows of a file name. */
async function panelsOf(
  { name, environment, limits: said = {} }: NamedEnvironment,
  prompting: Prompting,
  choices: EvaluationChoices,
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

function usualSplit({ splits }: Environment): string {
  return splits.includes('test') ? 'test' : (splits[0] ?? 'test');
}

/** The format that rows ask for, where their prompts open the episodes. */
async function formatAskedByRows({ tasks, prompt }: EvaluationChoices): Promise<string | undefined> {
  if (prompt !== 'row' || typeof tasks !== 'string' || !isTaskFile(tasks)) return undefined;
  return (await formatOfRows([tasks]))?.format;
}

function samplingOf({ temperature = 1, topP, topK, minP }: EvaluationChoices): Sampling {
  return {
    temperature,
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(minP === undefined ? {} : { minP }),
  };
}

/** A reply of an endpoint may take as long as a reply may. */
function openingOf({ template, thinking }: Prompting, { opening, replyTimeout = 300 }: EvaluationChoices): OpenPolicyOptions {
  return {
    ...opening,
    ...(template === undefined ? {} : { template }),
    ...(thinking === undefined ? {} : { thinking }),
    // Also a server that is started anew is waited for as long as a reply may take.
    endpoint: { timeout: replyTimeout * 1000, patience: replyTimeout * 1000, ...opening?.endpoint },
  };
}

function hashOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8);
}
