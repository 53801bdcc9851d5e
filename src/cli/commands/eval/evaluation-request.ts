/** What `agoge eval` has played: panels with their limits, policies with their identities, and the folder of the results. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Environments } from '../../../agent/environments.ts';
import type { EpisodeLimits, Sampling } from '../../../agent/limits.ts';
import { identifyPolicy, openPolicy, type OpenPolicyOptions } from '../../../agent/open-policy.ts';
import { fileTasks } from '../../../data/tasks/task-panels.ts';
import { isTaskFile } from '../../../data/tasks/task-rows.ts';
import type { Environment } from '../../../envs/environment.ts';
import { factsOf } from '../../../envs/lookup.ts';
import type { EvaluationRequest, PanelRequest } from '../../../eval/evaluate.ts';
import { parseTasks } from '../../../eval/panel.ts';
import { earlierStamp, timeStamp } from '../../../eval/stamp.ts';
import { openRewardNamed } from '../../options/reward-option.ts';
import type { EvalOptions, EvaluationPlan } from './evaluation-plan.ts';

/** Opens the environments of the plan; policies are opened when their turn comes. */
export async function evaluationRequest(
  plan: EvaluationPlan,
  opened: Environments,
  options: EvalOptions,
  signal: AbortSignal,
  notice: (text: string) => void = () => undefined,
): Promise<EvaluationRequest> {
  const { policies, baseline, gaps } = plan;
  const { format } = plan.prompting;
  const panels = await Promise.all(
    plan.environments.map(async ({ env, name, settings }) => {
      const environment = await opened.open({ env, settings });
      return panelsOf(environment, name, limitsOf(environment, opened.limits(name), options), plan, options, notice);
    }),
  );
  const open = openingOf(plan, options);
  const sampling = samplingOf(options);
  const repeats = { samples: options.samples, seeds: options.seeds, seed: options.seed };
  const reward = options.reward === undefined ? undefined : await openRewardNamed(options.reward);
  const { split, tasks, fresh, concurrency, retries } = options;
  const names = plan.environments.map(({ env }) => env);
  const ends = options.stop === undefined || options.stop.length === 0 ? {} : { stop: options.stop };
  const asked = {
    names,
    unique: policies,
    split,
    tasks,
    repeats,
    sampling,
    format: format.name,
    ...ends,
    reward: reward?.identity,
  };
  const folder = options.out ?? join('outputs', `eval-${hashOf(asked)}`);
  const stamp = (fresh === true ? undefined : await earlierStamp(folder)) ?? timeStamp(new Date());
  return {
    panels: panels.flat(),
    policies: await Promise.all(
      policies.map(async (id) => ({ id, identity: await identifyPolicy(id, open), open: () => openPolicy(id, open) })),
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

/** What is said where nothing says how long an episode may be: the usual limits fit no environment in particular, and may take long. */
export function undeclaredLimits(
  environment: Environment,
  { maxTurns, maxTokens }: Pick<EvalOptions, 'maxTurns' | 'maxTokens'>,
): string | undefined {
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

const usualLimits = { turns: 30, tokens: 512 };

/** The command line's limits, else what is usual for the environment and what an interaction file says. */
export function limitsOf(
  environment: Environment,
  said: Partial<EpisodeLimits>,
  options: Pick<EvalOptions, 'maxTurns' | 'maxTokens' | 'maxTotalTokens' | 'maxContext' | 'stepTimeout' | 'replyTimeout'>,
): EpisodeLimits {
  const usual = factsOf(environment).limits ?? {};
  return {
    turns: options.maxTurns ?? Math.min(usual.turns ?? usualLimits.turns, said.turns ?? Infinity),
    tokensPerTurn: options.maxTokens ?? usual.tokens ?? usualLimits.tokens,
    ...(options.maxTotalTokens === undefined ? {} : { tokens: options.maxTotalTokens }),
    ...(options.maxContext === undefined ? {} : { context: options.maxContext }),
    stepDeadline: said.stepDeadline ?? options.stepTimeout * 1000,
    replyDeadline: options.replyTimeout * 1000,
  };
}

function openingOf({ prompting, servers }: EvaluationPlan, options: EvalOptions): OpenPolicyOptions {
  const { template, thinking } = prompting;
  return {
    ...(template === undefined ? {} : { template }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(options.tokenizer === undefined ? {} : { tokenizer: options.tokenizer }),
    ...(options.device === undefined ? {} : { device: options.device }),
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    endpoint: {
      timeout: options.replyTimeout * 1000,
      patience: options.replyTimeout * 1000, // a server that is started anew may take as long as a reply may
      maxAnswer: servers.maxAnswer,
      ...(options.price ? { prices: options.price } : {}),
    },
  };
}

function samplingOf({ temperature, topP, topK, minP }: EvalOptions): Sampling {
  return {
    temperature,
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(minP === undefined ? {} : { minP }),
  };
}

/** The tasks of a split, or those that the rows of a file name. */
async function panelsOf(
  environment: Environment,
  name: string,
  limits: EpisodeLimits,
  { prompting }: EvaluationPlan,
  { tasks, split, limit, strict }: EvalOptions,
  notice: (text: string) => void,
): Promise<PanelRequest[]> {
  if (!isTaskFile(tasks)) return [{ environment, split, tasks: parseTasks(tasks, environment.tasks(split).size), limits }];
  const found = await fileTasks(tasks, name, environment, prompting, { limit, strict, notice });
  return found.map((part) => ({ environment, split: part.split, tasks: part.indices, limits, prompts: part }));
}

function hashOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8);
}
