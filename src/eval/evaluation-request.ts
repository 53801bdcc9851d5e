/**
 * The one way to an evaluation, for `agoge eval` and for the library's `evaluate`: what was chosen becomes panels with their limits,
 * policies with their identities, and the folder of the results. What was left out is filled in here, so both have the same defaults.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Sampling } from '../agent/limits.ts';
import { checkpointNote, expandPolicies } from '../agent/policy-files.ts';
import { identifyPolicy } from '../agent/identify-policy.ts';
import { openPolicy, type OpenPolicyOptions } from '../agent/open-policy.ts';
import { promptingFor, type PromptOptions } from '../agent/policy-prompting.ts';
import type { Prompting } from '../agent/prompting.ts';
import { formatOfRows } from '../data/tasks/asked-format.ts';
import { isTaskFile } from '../data/tasks/task-rows.ts';
import type { OpenReward } from '../rewards/open.ts';
import type { EvaluationRequest } from './evaluate.ts';
import { panelsOf, usualSplit, type NamedEnvironment, type PanelChoices } from './request-panels.ts';
import { earlierStamp, timeStamp } from './stamp.ts';

/** What may be said about an evaluation; everything has a default. */
export interface EvaluationChoices extends PromptOptions, PanelChoices {
  /** Default: `base`. The baseline is evaluated too. */
  readonly policies?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
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

/** `open` is called once the policies are known to be there; they themselves are opened when their turn comes. */
export async function evaluationRequest(
  open: () => Promise<readonly NamedEnvironment[]>,
  choices: EvaluationChoices,
  notice: (text: string) => void = () => undefined,
): Promise<EvaluationRequest> {
  const { tasks = 'all', reward, fresh, concurrency, retries, signal } = choices;
  const named = evaluatedPolicies(choices);
  const sampling = samplingOf(choices);
  const repeats = { samples: choices.samples ?? 1, seeds: choices.seeds ?? 1, seed: choices.seed ?? 0 };
  const askedByRows = await formatAskedByRows(choices);
  const policies = [...new Set((await Promise.all(named.map(expandPolicies))).flat())];
  const [baseline] = choices.baseline === undefined ? [] : await expandPolicies(choices.baseline);
  const { prompting, notices, gaps } = await promptingFor(policies, choices, askedByRows);
  const opening = openingOf(prompting, choices);
  const checkpoints = (await Promise.all(named.map(checkpointNote))).filter((note) => note !== undefined);
  for (const text of [...notices, ...checkpoints]) notice(text);
  const environments = await open();
  const panels = await Promise.all(environments.map((one) => panelsOf(one, prompting, choices, notice)));
  const [first] = environments;
  const { format } = prompting;
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
