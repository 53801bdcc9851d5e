/**
 * Branching: where do the samples of a task part, and what is that one choice worth? The turn is found whose actions explain most of the
 * difference between the rewards of a group; the task is played again to that turn with the replies that were given, and continuations
 * are sampled there. Each action of the turn is worth the mean reward of all that took it, and that turn alone is credited: turns before
 * it were shared, turns after it are noise about it (a Monte-Carlo value as in VinePPO, Kazemnejad et al. 2024, at one turn per group).
 */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { Segment, Trajectory } from '../../core/trajectory.ts';
import { groupBy, mean } from '../../learn/rows.ts';
import { at } from '../../learn/numbers.ts';
import type { Conversation } from '../../policy/conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from '../../policy/policy.ts';
import type { PlayedEpisode } from './rollout.ts';

export interface Parting {
  /** The turn, from 0. */
  readonly turn: number;
  /** Those that came there with the same replies. */
  readonly members: readonly PlayedEpisode[];
}

/** The turn at which a group parts: its actions explain most of the rewards' difference; of equals the later one. */
export function partingOf(episodes: readonly PlayedEpisode[]): Parting | undefined {
  let best: Parting | undefined;
  let most = 1e-9;
  const longest = Math.max(0, ...episodes.map(({ trajectory }) => trajectory.turns.length));
  for (let turn = 0; turn < longest; turn++) {
    const there = episodes.filter(({ trajectory, datum }) => turn < Math.min(trajectory.turns.length, datum.turnEnds.length));
    for (const indices of groupBy(there, (episode) => repliesBefore(episode, turn)).values()) {
      const members = indices.map((i) => at(there, i));
      const explained = differenceBetween(members, turn);
      if (explained >= most) [best, most] = [{ turn, members }, explained];
    }
  }
  return best;
}

/** What is learned from a parting and its continuations: one turn of each, worth what its action brought on average. */
export function turnsLearned({ turn, members }: Parting, continuations: readonly PlayedEpisode[]): PlayedEpisode[] {
  const all = [...members, ...continuations.filter(({ datum }) => turn < datum.turnEnds.length)];
  const rewards = new Map<string, number>();
  for (const [action, indices] of groupBy(all, (episode) => actionAt(episode, turn)))
    rewards.set(action, mean(indices.map((i) => at(all, i).reward)));
  return all.map((episode) => ({
    trajectory: episode.trajectory,
    datum: turnAlone(episode.datum, turn),
    reward: rewards.get(actionAt(episode, turn)) ?? episode.reward,
  }));
}

/** The conversation up to the end of one turn, with the tokens of that turn scored and no others. */
export function turnAlone({ tokens, mask, logprobs, turnEnds, policyVersion }: TrajectoryDatum, turn: number): TrajectoryDatum {
  const [from, to] = [turn === 0 ? 0 : at(turnEnds, turn - 1), at(turnEnds, turn)];
  const scored = new Uint8Array(mask.length);
  let [seen, end] = [0, 0];
  mask.forEach((one, t) => {
    if (one === 0) return;
    if (seen >= from && seen < to) {
      scored[t] = 1;
      end = t + 1;
    }
    seen++;
  });
  return {
    tokens: tokens.slice(0, end),
    mask: scored.slice(0, end),
    logprobs: logprobs.slice(from, to),
    turns: new Int32Array(to - from),
    turnEnds: [to - from],
    policyVersion,
  };
}

/** Did a continuation really come to the same place? An environment with chance in it, or a server's, may answer otherwise. */
export function cameBack(continuation: Trajectory, original: Trajectory, turn: number): boolean {
  const [a, b] = [continuation, original].map((trajectory) => prefixTokens(trajectory.segments, turn));
  return a !== undefined && b !== undefined && a.length === b.length && a.every((token, i) => token === b[i]);
}

/** A policy that gives the replies of an episode again, and its own from a turn on. */
export function resuming(policy: Policy, { segments }: Trajectory, turn: number): Policy {
  const given = segments.flatMap((segment) => (segment.role === 'assistant' ? [segment] : [])).slice(0, turn);
  return {
    id: policy.id,
    renderer: policy.renderer,
    context: policy.context,
    reply: async (conversation: Conversation, limits: ReplyLimits, situation?: Situation): Promise<Reply> => {
      const segment = situation && given[situation.turn];
      if (!segment) return policy.reply(conversation, limits, situation);
      return { segment, stop: stopOf(policy, segment) };
    },
    [Symbol.asyncDispose]: async () => undefined, // the owner closes the policy itself
  };
}

/** Why a recorded reply ended, as far as the conversation needs to know: whether the policy closed its turn. */
function stopOf({ renderer }: Policy, { tokens }: Extract<Segment, { role: 'assistant' }>): Reply['stop'] {
  const last = tokens[tokens.length - 1];
  if (last !== undefined && renderer?.stopTokens.includes(last) === true) return 'token';
  return renderer !== undefined && renderer.stopStrings.length > 0 ? 'string' : 'length';
}

function prefixTokens(segments: readonly Segment[], turn: number): readonly number[] | undefined {
  const at = segments.map((segment, i) => (segment.role === 'assistant' ? i : -1)).filter((i) => i >= 0)[turn];
  return at === undefined ? undefined : segments.slice(0, at).flatMap(({ tokens }) => [...tokens]);
}

function repliesBefore({ trajectory }: PlayedEpisode, turn: number): string {
  return JSON.stringify(trajectory.turns.slice(0, turn).map(({ reply }) => reply));
}

function actionAt({ trajectory }: PlayedEpisode, turn: number): string {
  const { action, reply } = trajectory.turns[turn] ?? { action: null, reply: '' };
  return action ?? `\n${reply}`;
}

/** Sum of squares between the actions of a turn. */
function differenceBetween(members: readonly PlayedEpisode[], turn: number): number {
  const centre = mean(members.map(({ reward }) => reward));
  let total = 0;
  for (const indices of groupBy(members, (episode) => actionAt(episode, turn)).values())
    total += indices.length * (mean(indices.map((i) => at(members, i).reward)) - centre) ** 2;
  return total;
}
