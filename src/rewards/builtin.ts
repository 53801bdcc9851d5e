/** The rewards that ship: the environment's own, the scores, and terms that shape by format, length and unreadable replies. */
import type { RewardPart } from '../config/recipe/reward-config.ts';
import { AgogeError } from '../core/error.ts';
import { rewardOf } from '../core/outcome.ts';
import { formatTask, type TaskRef } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Truth } from '../envs/environment.ts';
import { judge } from './judge.ts';
import { modelReward } from './model/scoring.ts';
import { answerOf, sampledTokens, type RewardFunction, type RewardValue } from './reward.ts';
import type { Scored } from '../scores/score.ts';
import { scoreAnswer } from '../scores/score-answer.ts';
import { routedScore, routeNames, type RouteName } from '../scores/registry.ts';

type Maker = (part: RewardPart) => RewardFunction;

const shaping: Readonly<Record<string, Maker>> = {
  env: () => (trajectory) => rewardOf(trajectory.outcome) ?? NaN,
  /** 1 for a task that was solved, whatever the environment pays for speed or for parts. */
  success:
    () =>
    ({ outcome }) =>
      outcome.kind === 'finished' && outcome.success ? 1 : 0,
  verl: () => (trajectory, task, truth) => scoredBy(routedScore(known(truth, task).dataSource), trajectory, truth),
  /** A model's judgement, 0 to 1. */
  judge: ({ model, rubric }) => {
    if (model === undefined)
      throw new AgogeError('REWARD_BAD_PART', 'reward judge needs a model: add model: openai:<name>@http://host:8000/v1');
    return judge({ model, rubric });
  },
  /** The score of a reward model: a sequence classifier of one label, here or behind an address. */
  reward_model: ({ model, tokenizer }) => {
    if (model === undefined)
      throw new AgogeError(
        'REWARD_BAD_PART',
        'reward reward_model needs a model: add model: run:outputs/<reward run>, hf:<folder> or http://host:8000',
      );
    return modelReward({ model, tokenizer });
  },
  /** Share of replies that match a pattern. */
  format: (part) => {
    const pattern = patternOf(part);
    return ({ turns }) => share(turns, ({ reply }) => pattern.test(reply));
  },
  /** Tokens written, as a share of `max`. */
  length: (part) => {
    const max = needed(part, 'max');
    return (trajectory) => tokensOf(trajectory) / max;
  },
  /** Share of replies that no action could be read from. */
  invalid_actions:
    () =>
    ({ turns }) =>
      share(turns, ({ action }) => action === null),
  /** DAPO's soft punishment: nothing up to max − buffer tokens, then down to −penalty at max. */
  overlong: (part) => {
    const [max, buffer] = [needed(part, 'max'), needed(part, 'buffer')];
    return (trajectory) => Math.min(0, (-(tokensOf(trajectory) - (max - buffer)) / buffer) * (part.penalty ?? 1));
  },
};

export const rewardNames: readonly string[] = [...Object.keys(shaping), ...routeNames];

/** A reward by name; undefined where there is none. */
export function builtinReward(part: RewardPart): RewardFunction | undefined {
  const score = routeNames.find((name) => name === part.use);
  if (score) return (trajectory, task, truth) => scoredBy(score, trajectory, known(truth, task));
  return Object.hasOwn(shaping, part.use) ? shaping[part.use]?.(part) : undefined;
}

function scoredBy(name: RouteName, trajectory: Trajectory, { groundTruth }: Truth): RewardValue | Promise<RewardValue> {
  const value = ({ score, correct, parts }: Scored): RewardValue => ({ reward: score, success: correct, parts });
  const scored = scoreAnswer(name, answerOf(trajectory), groundTruth);
  return scored instanceof Promise ? scored.then(value) : value(scored);
}

function known(truth: Truth, task: TaskRef): Truth {
  if (truth.groundTruth !== undefined) return truth;
  throw new AgogeError(
    'REWARD_NO_TRUTH',
    `${formatTask(task)} has no ground truth to score against: use reward: env, or tasks of the environment data`,
  );
}

function patternOf({ pattern }: RewardPart): RegExp {
  try {
    if (pattern !== undefined) return new RegExp(pattern, 'su');
  } catch (cause) {
    throw new AgogeError('REWARD_BAD_PART', `reward format: ${pattern ?? ''} is no pattern: correct it`, { cause });
  }
  throw new AgogeError('REWARD_BAD_PART', 'reward format needs a pattern: add pattern: "<answer>.*</answer>"');
}

function needed(part: RewardPart, key: 'max' | 'buffer'): number {
  const value = part[key];
  if (value !== undefined) return value;
  throw new AgogeError('REWARD_BAD_PART', `reward ${part.use} needs ${key}: add ${key}: 512 (tokens)`);
}

function tokensOf(trajectory: Trajectory): number {
  const tokens = sampledTokens(trajectory);
  if (tokens > 0 || trajectory.turns.length === 0) return tokens;
  throw new AgogeError(
    'REWARD_NO_TOKENS',
    `${trajectory.policy} gives no tokens to count: rewards by length need a policy that runs on an engine`,
  );
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}
