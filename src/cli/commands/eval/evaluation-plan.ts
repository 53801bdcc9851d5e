/** What the words of `agoge eval` ask for, before anything is opened: policies, environments and how they are prompted. */
import { Environments } from '../../../agent/environments.ts';
import type { InteractionConfig } from '../../../agent/interaction-config.ts';
import { checkpointNote, expandPolicies } from '../../../agent/open-policy.ts';
import { parseServers } from '../../../config/recipe/servers.ts';
import { formatOfRows } from '../../../data/tasks/asked-format.ts';
import { isTaskFile } from '../../../data/tasks/task-rows.ts';
import type { Settings } from '../../../envs/registry.ts';
import { parseEnvironmentSpec } from '../../../gym/client/connect.ts';
import type { DeviceOption } from '../../options/device.ts';
import { promptingFor, type Asked, type PromptOptions } from '../../../agent/policy-prompting.ts';
import { givenSettings } from '../../options/settings.ts';

/** The options of `agoge eval`, as the command line reads them. */
export interface EvalOptions extends PromptOptions {
  readonly policy: readonly string[];
  readonly split: string;
  readonly tasks: string;
  readonly limit?: number | undefined;
  readonly strict?: true | undefined;
  readonly interactions?: string | undefined;
  readonly samples: number;
  readonly seeds: number;
  readonly seed: number;
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly maxContext?: number | undefined;
  readonly temperature: number;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly minP?: number | undefined;
  readonly reward?: string | undefined;
  readonly judge?: string | undefined;
  readonly rubric?: string | undefined;
  readonly baseline?: string | undefined;
  readonly device?: DeviceOption | undefined;
  readonly threads?: number | undefined;
  readonly concurrency: number;
  readonly retries: number;
  /** Seconds. */
  readonly stepTimeout: number;
  readonly replyTimeout: number;
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  readonly tokenizer?: string | undefined;
  readonly server: readonly string[];
  readonly set: readonly string[];
  readonly generated?: true | undefined;
  readonly out?: string | undefined;
  readonly fresh?: true | undefined;
  readonly view?: boolean | undefined;
  readonly chaos?: string | undefined;
  readonly json?: true | undefined;
}

export interface EvaluationPlan extends Asked {
  /** Environments as they were written, each with the name that its settings and limits go by. */
  readonly environments: readonly { readonly env: string; readonly name: string; readonly settings: Settings }[];
  /** Every policy once; `run:…@all` is all its checkpoints. */
  readonly policies: readonly string[];
  readonly baseline: string | undefined;
  readonly interactions: readonly InteractionConfig[];
  readonly servers: ReturnType<typeof parseServers>;
}

export async function evaluationPlan(names: readonly string[], options: EvalOptions): Promise<EvaluationPlan> {
  const servers = parseServers(options.server);
  const interactions = options.interactions === undefined ? [] : await interactionsOf(options.interactions);
  const named = names.map((env) => ({ env, name: nameOf(env, interactions) }));
  const settings = await givenSettings(
    options,
    named.map(({ name }) => name),
  );
  const environments = named.map((one) => ({ ...one, settings: settings.get(one.name) ?? {} }));
  const policies = [...new Set((await Promise.all(evaluatedPolicies(options).map(expandPolicies))).flat())];
  const [baseline] = options.baseline === undefined ? [] : await expandPolicies(options.baseline);
  const asked = await promptingFor(policies, options, await askedByRows(options));
  const which = (await Promise.all(evaluatedPolicies(options).map(checkpointNote))).filter((note) => note !== undefined);
  return { environments, policies, baseline, interactions, servers, ...asked, notices: [...asked.notices, ...which] };
}

/** Opens nothing yet: an environment is opened when it is asked for, and all are closed together. */
export function openEnvironments(
  { interactions, servers }: EvaluationPlan,
  options: Pick<EvalOptions, 'server' | 'stepTimeout'>,
  { signal, notice }: { readonly signal: AbortSignal; readonly notice: (text: string) => void },
): Environments {
  // One call may take as long as a step may, unless the servers' own time-out was given.
  const given = options.server.some((text) => text.startsWith('timeout='));
  return new Environments({ signal, interactions, servers, notice, ...(given ? {} : { timeout: options.stepTimeout * 1000 }) });
}

/** The base policy where none is named; the baseline is evaluated too. */
export function evaluatedPolicies({ policy, baseline }: Pick<EvalOptions, 'policy' | 'baseline'>): string[] {
  const policies = policy.length > 0 ? [...policy] : ['base'];
  return baseline === undefined || policies.includes(baseline) ? policies : [baseline, ...policies];
}

/** An interaction's name stands for its server; any other name is an environment's. */
function nameOf(env: string, interactions: readonly InteractionConfig[]): string {
  return interactions.some(({ name }) => name === env) ? env : parseEnvironmentSpec(env).name;
}

/** The format that rows ask for, where their prompts open the episodes. */
async function askedByRows({ tasks, prompt }: Pick<EvalOptions, 'tasks' | 'prompt'>): Promise<string | undefined> {
  if (prompt !== 'row' || !isTaskFile(tasks)) return undefined;
  return (await formatOfRows([tasks]))?.format;
}

/** Most evaluations have no such file, and need no reader of YAML. */
async function interactionsOf(path: string): Promise<InteractionConfig[]> {
  const { readInteractions } = await import('../../../agent/interaction-config.ts');
  return readInteractions(path);
}
