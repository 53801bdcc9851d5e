/**
 * What a reward is: a function of what happened, the task and its ground truth. One episode at a time, or all samples of a task
 * together where they are compared with each other. Whatever it throws is a failure of the harness, never a zero.
 */
import type { TaskRef } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Truth } from '../envs/environment.ts';

/** A number, or one with what else there is to say. */
export type RewardValue =
  | number
  | {
      readonly reward: number;
      /** Was the task solved? Where absent, the environment's word stands. */
      readonly success?: boolean | undefined;
      /** Named numbers behind it, logged as `<reward>/<part>`. */
      readonly parts?: Readonly<Record<string, number>> | undefined;
    };

/** `truth` is what the task's row says (ground truth, data source, extra info); empty for environments without rows. */
export type RewardFunction = (trajectory: Trajectory, task: TaskRef, truth: Truth) => RewardValue | Promise<RewardValue>;

/** One value for each trajectory; all are samples of the same task. */
export type GroupRewardFunction = (
  trajectories: readonly Trajectory[],
  task: TaskRef,
  truth: Truth,
) => readonly RewardValue[] | Promise<readonly RewardValue[]>;

/** What `defineReward` takes: a name and a function. */
export type RewardDefinition =
  { readonly name: string; readonly each: RewardFunction } | { readonly name: string; readonly group: GroupRewardFunction };

/** Names a reward of one's own; what `reward: ./my-reward.ts` may export instead of a bare function. */
export function defineReward(definition: RewardDefinition): RewardDefinition {
  return definition;
}

/** The last reply: what single-turn scores read. */
export function answerOf({ turns }: Trajectory): string {
  return turns.at(-1)?.reply ?? '';
}

/** Tokens that the policy wrote. */
export function sampledTokens({ segments }: Trajectory): number {
  return segments.reduce((sum, segment) => sum + (segment.role === 'assistant' ? segment.tokens.length : 0), 0);
}

export const noTruth: Truth = { dataSource: '', groundTruth: undefined, extraInfo: {} };
