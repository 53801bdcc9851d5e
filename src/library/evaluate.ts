/** `evaluate`: policies on tasks of an environment, the same as `agoge eval`; what is left out is what the command would take. */
import type { FormatDefinition } from '../agent/formats/definition.ts';
import { rewardSchema } from '../config/recipe/reward-config.ts';
import type { DeviceName } from '../engine/embedded/runtime/device.ts';
import type { Environment } from '../envs/environment.ts';
import type { Settings } from '../envs/settings.ts';
import { evaluate as evaluateRequest, type EvaluationEvents, type EvaluationRequest, type Evaluation } from '../eval/evaluate.ts';
import { evaluationRequest, type EvaluationChoices } from '../eval/evaluation-request.ts';
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
  /** Numbers, `0-99`, `3,5,7-9`, `all` (the default), or a file of rows or item ids. */
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

/** What the command would be told: objects go by names, and everything that is not said is left to the one function. */
async function requestOf(environment: Environment, env: string, options: EvaluateOptions): Promise<EvaluationRequest> {
  const { policies = [], format, reward, device } = options;
  const choices: EvaluationChoices = {
    ...options,
    policies: policies.map(nameOf),
    format: format === undefined ? undefined : nameOf(format),
    reward: reward === undefined ? undefined : await openReward(rewardSchema.parse(nameOf(reward))),
    opening: device === undefined ? {} : { device },
  };
  const { name } = environment;
  return evaluationRequest(
    () => Promise.resolve([{ env, name, environment }]),
    choices,
    (text) => options.onNotice?.(text),
  );
}
