/**
 * From the words of a recipe to a reward that can be applied. Parts are weighed and summed, each under its own name in the last turn's
 * breakdown, so that metrics, episodes, evaluations and the dashboard all show them. What throws, takes too long or gives no number makes
 * the episode a failed one (`reward`).
 */
import { eachOf } from '../core/each-of.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { identifyPolicy } from '../agent/identify-policy.ts';
import type { RewardConfig, RewardPart } from '../config/recipe/reward-config.ts';
import { AgogeError } from '../core/error.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Environment } from '../envs/environment.ts';
import { heldObject } from '../user-modules/held.ts';
import { hashOfOwn, importOwn, isFile } from '../user-modules/load-file.ts';
import { isAddress } from './model/reward-model.ts';
import { builtinReward, rewardNames } from './builtin.ts';
import { noTruth, type GroupRewardFunction, type RewardDefinition, type RewardFunction, type RewardValue } from './reward.ts';
import { within } from './work.ts';

export interface OpenReward {
  /** Compares the samples of a task: they must be scored together. */
  readonly grouped: boolean;
  /** What it is, for panels: names, weights and a hash of the user's files. */
  readonly identity: string;
  /** The same trajectories with their rewards; all of one task. Those that failed before stay as they are; `signal` ends all waiting. */
  apply(environment: Environment, trajectories: readonly Trajectory[], signal?: AbortSignal): Promise<Trajectory[]>;
}

interface Part {
  readonly name: string;
  readonly weight: number;
  /** It reads what is there: no bound is needed on how long that takes. */
  readonly instant?: boolean;
  readonly group: (
    ...given: [...Parameters<GroupRewardFunction>, signal: AbortSignal | undefined]
  ) => ReturnType<GroupRewardFunction>;
}

/** Undefined where the environment's own reward is all there is. */
export async function openReward(config: RewardConfig): Promise<OpenReward | undefined> {
  const [only, second] = config.parts;
  if (only?.use === 'env' && only.weight === 1 && second === undefined) return undefined;
  const opened = await Promise.all(config.parts.map((part) => openPart(part, config)));
  const names = opened.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new AgogeError('REWARD_BAD_PART', `two parts of the reward are called "${twice}": give one of them a name`);
  const hash = createHash('sha256');
  for (const { source } of opened) hash.update(source);
  return {
    grouped: opened.some(({ grouped }) => grouped),
    identity: `${names.join('+')} (${hash.digest('hex').slice(0, 12)})`,
    apply: async (environment, trajectories, signal) => {
      const played = trajectories.filter(({ outcome }) => outcome.kind !== 'failed');
      const rewarded = await applyParts(opened, environment, played, config.timeout * 1000, signal);
      const byOne = new Map(played.map((trajectory, i) => [trajectory, rewarded[i] ?? trajectory]));
      return trajectories.map((trajectory) => byOne.get(trajectory) ?? trajectory);
    },
  };
}

/** Rewards of one group; a part that compares fails for all of them, one that does not for each alone. */
async function applyParts(
  parts: readonly Part[],
  environment: Environment,
  trajectories: readonly Trajectory[],
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<Trajectory[]> {
  const [first] = trajectories;
  if (!first) return [];
  try {
    const truth = environment.truth?.(first.task) ?? noTruth;
    const columns = await Promise.all(
      parts.map(async ({ name, instant, group }) => {
        const work = (): ReturnType<typeof group> => group(trajectories, first.task, truth, signal);
        const values = await (instant === true ? work() : within(milliseconds, name, work, signal));
        if (Array.isArray(values) && values.length === trajectories.length) return values as readonly Settled[];
        throw new AgogeError(
          'REWARD_BAD_VALUE',
          `reward ${name} gave no list of ${trajectories.length} values: one for each sample`,
        );
      }),
    );
    return trajectories.map((trajectory, i) => {
      const values = columns.map((column, at) => ({ part: parts[at] as Part, value: column[i] as Settled }));
      return rewarded(trajectory, values);
    });
  } catch (thrown) {
    return trajectories.map((trajectory) => failed(trajectory, thrown, signal?.aborted === true ? 'cancelled' : 'reward'));
  }
}

/** A value, or why there is none. */
type Settled = RewardValue | { readonly failed: unknown };

function rewarded(trajectory: Trajectory, values: readonly { readonly part: Part; readonly value: Settled }[]): Trajectory {
  const { outcome } = trajectory;
  if (outcome.kind === 'failed') return trajectory;
  let total = 0;
  let success: boolean | undefined;
  const breakdown: Record<string, number> = {};
  for (const { part, value } of values) {
    if (typeof value === 'object' && 'failed' in value) return failed(trajectory, value.failed);
    const { reward, success: said, parts = {} } = typeof value === 'number' ? { reward: value } : value;
    if (typeof reward !== 'number' || !Number.isFinite(reward)) {
      const wrong = new AgogeError('REWARD_BAD_VALUE', `reward ${part.name} gave ${String(reward)}: return a finite number`);
      return failed(trajectory, wrong);
    }
    total += part.weight * reward;
    success ??= said;
    breakdown[part.name] = reward;
    for (const [name, number] of Object.entries(parts)) breakdown[`${part.name}/${name}`] = number;
  }
  const ended: Outcome =
    outcome.kind === 'finished'
      ? { ...outcome, reward: total, success: success ?? outcome.success }
      : { ...outcome, reward: total };
  const last = trajectory.turns.length - 1;
  const turns = trajectory.turns.map((turn, i) =>
    i === last ? { ...turn, breakdown: { ...turn.breakdown, ...breakdown } } : turn,
  );
  return { ...trajectory, turns, outcome: ended };
}

function failed(trajectory: Trajectory, thrown: unknown, by: 'reward' | 'cancelled' = 'reward'): Trajectory {
  const error = AgogeError.from(thrown, 'REWARD_THREW', 'the reward threw; correct it');
  return { ...trajectory, outcome: { kind: 'failed', by, error } };
}

interface OpenedPart extends Part {
  readonly grouped: boolean;
  /** What decides its values, as a text. */
  readonly source: string;
}

async function openPart(part: RewardPart, config: RewardConfig): Promise<OpenedPart> {
  const { weight } = part;
  const base = { weight, source: JSON.stringify(part) + (await weightsBehind(part)) };
  const builtin = builtinReward(part);
  if (builtin && isOutcome(part))
    return {
      ...{ ...base, name: part.name ?? part.use, grouped: false, instant: true },
      group: (trajectories, task, truth) => trajectories.map((one) => builtin(one, task, truth) as RewardValue),
    };
  if (builtin) return { ...base, name: part.name ?? part.use, grouped: false, group: oneByOne(builtin, config, part.use) };
  if (!isFile(part.use)) {
    throw new AgogeError(
      'REWARD_UNKNOWN',
      `there is no reward "${part.use}": choose one of ${rewardNames.join(', ')}, or a file of your own (./my-reward.ts)`,
    );
  }
  const definition = await definitionOf(part.use);
  const name = part.name ?? definition.name;
  const source = `${base.source}${heldObject(part.use) ? await hashOfOwn(part.use) : await readFile(part.use, 'utf8')}`;
  if ('group' in definition) return { ...base, source, name, grouped: true, group: definition.group };
  if (config.manager === 'batch') {
    throw new AgogeError(
      'REWARD_NO_GROUP',
      `${part.use} scores one episode at a time: export a function group, or set reward.manager=prime`,
    );
  }
  return { ...base, source, name, grouped: false, group: oneByOne(definition.each, config, name) };
}

/** What the environment said already. */
const isOutcome = ({ use }: RewardPart): boolean => use === 'env' || use === 'success';

/** Of a model as the reward: its weights decide, not its name. */
async function weightsBehind({ model }: RewardPart): Promise<string> {
  return model === undefined || isAddress(model) ? '' : JSON.stringify(await identifyPolicy(model));
}

/** A file exports a function as default, a function `group`, or what defineReward gives. */
async function definitionOf(path: string): Promise<RewardDefinition> {
  const module = await importOwn(path, { area: 'REWARD', what: 'a reward function' });
  const name = basename(path).replace(/\.[^.]+$/, '');
  const exported = module['default'] ?? module['reward'];
  if (typeof exported === 'function') return { name, each: exported as RewardFunction };
  if (typeof module['group'] === 'function') return { name, group: module['group'] as GroupRewardFunction };
  const { each, group, name: own } = (exported ?? {}) as { each?: unknown; group?: unknown; name?: unknown };
  const called = typeof own === 'string' ? own : name;
  if (typeof each === 'function') return { name: called, each: each as RewardFunction };
  if (typeof group === 'function') return { name: called, group: group as GroupRewardFunction };
  throw new AgogeError(
    'REWARD_BAD_FILE',
    `${path} exports no reward: export a function of (trajectory, task, truth) as default, or a function group of (trajectories, task, truth)`,
  );
}

/** Each on its own, so that one that throws or takes too long costs only its own episode. */
function oneByOne(each: RewardFunction, { manager, concurrency, timeout }: RewardConfig, name: string): Part['group'] {
  const atOnce = manager === 'naive' ? 1 : concurrency;
  return (trajectories, task, truth, signal) => {
    const one = async (trajectory: Trajectory): Promise<Settled> => {
      try {
        return await within(timeout * 1000, name, () => each(trajectory, task, truth), signal);
      } catch (failed) {
        return { failed };
      }
    };
    return eachOf(trajectories, atOnce, one) as Promise<RewardValue[]>;
  };
}
