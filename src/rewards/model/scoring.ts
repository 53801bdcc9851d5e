/**
 * A reward model as the reward of episodes: the conversation up to the last reply, written by the reward model's own chat template.
 * Episodes that are scored at the same time go through the model together.
 */
import type { Trajectory } from '../../core/trajectory.ts';
import type { Message } from '../../policy/conversation.ts';
import type { RewardFunction } from '../reward.ts';
import { openRewardModel, type RewardModel, type RewardModelOptions } from './reward-model.ts';

interface Waiting {
  readonly messages: readonly Message[];
  readonly resolve: (score: number) => void;
  readonly reject: (reason: unknown) => void;
}

/** Opened when it is first asked; it ends with the process. */
export function modelReward(options: RewardModelOptions): RewardFunction {
  let model: Promise<RewardModel> | undefined;
  let waiting: Waiting[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const scores = await (await (model ??= openRewardModel(options))).score(batch.map(({ messages }) => messages));
      batch.forEach(({ resolve }, i) => resolve(scores[i] as number));
    } catch (thrown) {
      model = undefined; // may go better another time
      for (const { reject } of batch) reject(thrown);
    }
  };
  return (trajectory) =>
    new Promise<number>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ messages: spoken(trajectory), resolve, reject });
    });
}

/** What was said, up to the last reply; an answer to it teaches nothing about it. */
function spoken({ segments }: Pick<Trajectory, 'segments'>): Message[] {
  const last = segments.findLastIndex(({ role }) => role === 'assistant');
  return segments.slice(0, last + 1).map(({ role, text }) => ({ role, text }));
}
