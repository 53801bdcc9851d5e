/** `evaluate`: policies on tasks of an environment, the same as `agoge eval`; what is left out is what the command would take. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expandPolicies, identifyPolicy, openPolicy } from '../agent/open-policy.ts';
import type { FormatDefinition } from '../agent/formats/definition.ts';
import { promptingFor } from '../agent/policy-prompting.ts';
import { rewardSchema } from '../config/recipe/reward-config.ts';
import type { DeviceName } from '../engine/embedded/runtime/device.ts';
import type { Environment } from '../envs/environment.ts';
import { factsOf } from '../envs/lookup.ts';
import type { Settings } from '../envs/settings.ts';
import { earlierStamp, timeStamp } from '../eval/stamp.ts';
import { evaluate as evaluateRequest, type EvaluationEvents, type EvaluationRequest, type Evaluation } from '../eval/evaluate.ts';
import { parseTasks } from '../eval/panel.ts';
import { openEnvironment } from '../gym/client/connect.ts';
import type { PolicyDefinition } from '../policy/own-policy.ts';
import { openReward } from '../rewards/open.ts';
import type { RewardDefinition } from '../rewards/reward.ts';
import { EvaluationResult } from './evaluation-result.ts';
import { nameOf } from './objects.ts';

/** How an evaluation is done. Everything has a default. */
export interface EvaluateOptions extends EvaluationEvents {
  /** Names as on the command line, or policies of your own. Default: `base`. */
  readonly policies?: readonly (string | PolicyDefinition)[];
  /** Default: `test`, or the only split there is. */
  readonly split?: string;
  /** Numbers, `0-99`, `3,5,7-9` or `all` (the default). */
  readonly tasks?: string | readonly number[];
  /** Episodes per task and seed, how many seeds, and the first of them. */
  readonly samples?: number;
  readonly seeds?: number;
  readonly seed?: number;
  /** Of sampling; 0 is greedy. Default 1. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  /** Replies per episode and tokens per reply. Default: what is usual for the environment. */
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  /** Default: what the policies were taught. */
  readonly format?: string | FormatDefinition;
  /** Default: what the environment pays. */
  readonly reward?: string | RewardDefinition;
  /** Compare every other policy with this one. */
  readonly baseline?: string;
  /** Settings of the environment. */
  readonly settings?: Settings;
  /** Of models in this process. */
  readonly device?: DeviceName;
  /** Where results are kept. Default: `outputs/eval-…`, by what is asked; the same call goes on where it was. */
  readonly folder?: string;
  readonly fresh?: boolean;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/**
 * Plays what is missing and gives all of it, as plain data with a few methods.
 *
 * @example
 * const result = await evaluate('wordle', { policies: ['random', 'expert'], tasks: '0-3' });
 * console.log(result.score('expert').success.mean); // 1
 */
export async function evaluate(environment: string | Environment, options?: EvaluateOptions): Promise<EvaluationResult>;
/** The same with every part given: panels, opened policies, a format, a folder. */
export async function evaluate(request: EvaluationRequest, events?: EvaluationEvents): Promise<Evaluation>;
export async function evaluate(
  asked: string | Environment | EvaluationRequest,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  if (typeof asked === 'object' && 'panels' in asked) return evaluateRequest(asked, options);
  await import('../envs/builtin.ts');
  const environment = typeof asked === 'string' ? await openEnvironment(asked, options.settings ?? {}) : asked;
  try {
    const request = await requestOf(environment, typeof asked === 'string' ? asked : environment.name, options);
    const evaluation = await evaluateRequest(request, options);
    return new EvaluationResult(evaluation, request.folder);
  } finally {
    if (typeof asked === 'string') await environment.close?.();
  }
}

async function requestOf(environment: Environment, name: string, options: EvaluateOptions): Promise<EvaluationRequest> {
  const { policies = ['base'], samples = 1, seeds = 1, seed = 0, signal } = options;
  const names = await Promise.all(
    [...policies, ...(options.baseline === undefined ? [] : [options.baseline])].map((one) => expandPolicies(nameOf(one))),
  );
  const unique = [...new Set(names.flat())];
  const asFormat = options.format === undefined ? {} : { format: nameOf(options.format) };
  const { prompting, notices, gaps } = await promptingFor(unique, asFormat);
  for (const notice of notices) options.onNotice?.(notice);
  const split = options.split ?? (environment.splits.includes('test') ? 'test' : (environment.splits[0] ?? 'test'));
  const tasks =
    typeof options.tasks === 'object' ? [...options.tasks] : parseTasks(options.tasks ?? 'all', environment.tasks(split).size);
  const usual = factsOf(environment).limits ?? {};
  const limits = { turns: options.maxTurns ?? usual.turns ?? 30, tokensPerTurn: options.maxTokens ?? usual.tokens ?? 512 };
  const { temperature = 1, topP, topK, minP } = options;
  const sampling = {
    temperature,
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(minP === undefined ? {} : { minP }),
  };
  const open = {
    ...(prompting.template === undefined ? {} : { template: prompting.template }),
    ...(prompting.thinking === undefined ? {} : { thinking: prompting.thinking }),
    ...(options.device === undefined ? {} : { device: options.device }),
  };
  const reward = options.reward === undefined ? undefined : await openReward(rewardSchema.parse(nameOf(options.reward)));
  const repeats = { samples, seeds, seed };
  const what = { name, unique, split, tasks, repeats, sampling, limits, format: prompting.format.name, reward: reward?.identity };
  const folder =
    options.folder ?? join('outputs', `eval-${createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 8)}`);
  const [baseline] = options.baseline === undefined ? [] : await expandPolicies(options.baseline);
  return {
    panels: [{ environment, split, tasks, limits }],
    policies: await Promise.all(
      unique.map(async (id) => ({ id, identity: await identifyPolicy(id, open), open: () => openPolicy(id, open) })),
    ),
    format: prompting.format,
    gaps,
    sampling,
    repeats,
    reward,
    baseline,
    folder,
    fresh: options.fresh,
    stamp: (options.fresh === true ? undefined : await earlierStamp(folder)) ?? timeStamp(new Date()),
    concurrency: options.concurrency,
    signal,
  };
}
