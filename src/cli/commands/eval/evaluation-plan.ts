/** What the words of `agoge eval` say, as choices of an evaluation: environments with their servers and settings, and everything else. */
import { Environments } from '../../../agent/environments.ts';
import type { InteractionConfig } from '../../../agent/interaction-config.ts';
import type { PromptOptions } from '../../../agent/policy-prompting.ts';
import { parseServers } from '../../../config/recipe/servers.ts';
import type { Settings } from '../../../envs/registry.ts';
import type { EvaluationChoices } from '../../../eval/evaluation-request.ts';
import type { NamedEnvironment } from '../../../eval/request-panels.ts';
import { parseEnvironmentSpec } from '../../../gym/client/connect.ts';
import type { DeviceOption } from '../../options/device.ts';
import { openRewardNamed } from '../../options/reward-option.ts';
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
  readonly cardMemory?: number | undefined;
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

/** Where the environments are, before any is opened. */
export interface EvaluationPlan {
  /** Environments as they were written, each with the name that its settings and limits go by. */
  readonly environments: readonly { readonly env: string; readonly name: string; readonly settings: Settings }[];
  readonly interactions: readonly InteractionConfig[];
  readonly servers: ReturnType<typeof parseServers>;
}

export async function evaluationPlan(names: readonly string[], options: EvalOptions): Promise<EvaluationPlan> {
  const servers = parseServers(options.server);
  const { interactions: file } = options;
  // Most evaluations have no such file, and need no reader of YAML.
  const interactions =
    file === undefined ? [] : await (await import('../../../agent/interaction-config.ts')).readInteractions(file);
  const named = names.map((env) => ({ env, name: nameOf(env, interactions) }));
  const settings = await givenSettings(
    options,
    named.map(({ name }) => name),
  );
  return { environments: named.map((one) => ({ ...one, settings: settings.get(one.name) ?? {} })), interactions, servers };
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

/** The environments of the plan, open, with what interaction files say about their episodes. */
export function namedEnvironments({ environments }: EvaluationPlan, opened: Environments): Promise<NamedEnvironment[]> {
  return Promise.all(
    environments.map(async ({ env, name, settings }) => ({
      env,
      name,
      environment: await opened.open({ env, settings }),
      limits: opened.limits(name),
    })),
  );
}

/** The options that are the same in a program. */
export async function evaluationChoices(
  options: EvalOptions,
  { servers }: EvaluationPlan,
  signal: AbortSignal,
): Promise<EvaluationChoices> {
  const { policy, out, reward, tokenizer, device, cardMemory, threads, price, concurrency } = options;
  return {
    ...options,
    policies: policy,
    folder: out,
    reward: reward === undefined ? undefined : await openRewardNamed(reward),
    opening: {
      ...(tokenizer === undefined ? {} : { tokenizer }),
      concurrency,
      ...(device === undefined ? {} : { device }),
      ...(cardMemory === undefined ? {} : { cardMemory }),
      ...(threads === undefined ? {} : { threads }),
      endpoint: { maxAnswer: servers.maxAnswer, ...(price ? { prices: price } : {}) },
    },
    signal,
  };
}

/** An interaction's name stands for its server; any other name is an environment's. */
function nameOf(env: string, interactions: readonly InteractionConfig[]): string {
  return interactions.some(({ name }) => name === env) ? env : parseEnvironmentSpec(env).name;
}
