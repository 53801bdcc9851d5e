/**
 * Branching: where do the samples of a task part, and what is that one choice worth? The turn is found whose actions explain most of the
 * difference between the rewards of a group; the task is played again to that turn with the replies that were given, and continuations
 * are sampled there. Each action of the turn is worth the mean reward of the continuations that took it, and that turn alone is credited: turns before
 * it were shared, turns after it are noise about it (a Monte-Carlo value as in VinePPO, Kazemnejad et al. 2024, at one turn per group).
 * The samples choose the turn and the continuations alone say what its actions are worth: the same rewards for both would credit
 * whichever turn chance had favoured.
 */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { Segment, Trajectory } from '../../core/trajectory.ts';
import { groupBy, mean } from '../../learn/rows.ts';
import { at } from '../../learn/numbers.ts';
import type { Conversation } from '../../policy/conversation.ts';
import type { Policy, Reply, ReplyLimits, Situation } from '../../policy/policy.ts';
import type { PlayedEpisode } from './batch.ts';

export interface Parting {
  /** The turn, from 0. */
  readonly turn: number;
  /** Those that came there with the same replies. */
  readonly members: readonly PlayedEpisode[];
}

/** The turn at which a group parts: its actions explain most of the rewards' difference, chance taken off; of equals the later one. */
export function partingOf(episodes: readonly PlayedEpisode[]): Parting | undefined {
  let best: Parting | undefined;
  let most = 1e-9;
  const longest = Math.max(0, ...episodes.map(({ trajectory }) => trajectory.turns.length));
  for (let turn = 0; turn < longest; turn++) {
    const there = episodes.filter((episode) => reaches(episode, turn));
    for (const indices of groupBy(there, (episode) => repliesBefore(episode, turn)).values()) {
      const members = indices.map((i) => at(there, i));
      const explained = explainedBy(members, turn);
      if (explained >= most) [best, most] = [{ turn, members }, explained];
    }
  }
  return best;
}

/**
 * What is learned from a parting and its continuations: one turn of each, worth what its action brought to the continuations on average.
 * An action that no continuation took has no such value and is left out.
 */
export function turnsLearned({ turn, members }: Parting, continuations: readonly PlayedEpisode[]): PlayedEpisode[] {
  const judges = continuations.filter((episode) => reaches(episode, turn));
  const worth = new Map<string, number>();
  for (const [action, indices] of groupBy(judges, (episode) => actionAt(episode, turn)))
    worth.set(action, mean(indices.map((i) => at(judges, i).reward)));
  return [...members, ...judges].flatMap((episode) => {
    const reward = worth.get(actionAt(episode, turn));
    if (reward === undefined) return [];
    return [{ trajectory: episode.trajectory, datum: turnAlone(episode.datum, turn), reward }];
  });
}

/** Those whose reward says what an action was worth: where truncation is masked, what a limit cut off says nothing. */
export function telling(
  episodes: readonly PlayedEpisode[],
  { truncation }: Pick<RlRecipe['algorithm'], 'truncation'>,
): readonly PlayedEpisode[] {
  if (truncation !== 'mask') return episodes;
  return episodes.filter(({ trajectory }) => trajectory.outcome.kind !== 'truncated');
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

function reaches({ trajectory, datum }: PlayedEpisode, turn: number): boolean {
  return turn < Math.min(trajectory.turns.length, datum.turnEnds.length);
}

function repliesBefore({ trajectory }: PlayedEpisode, turn: number): string {
  return JSON.stringify(trajectory.turns.slice(0, turn).map(({ reply }) => reply));
}

function actionAt({ trajectory }: PlayedEpisode, turn: number): string {
  const { action, reply } = trajectory.turns[turn] ?? { action: null, reply: '' };
  return action ?? `\n${reply}`;
}

/** Sum of squares between the actions of a turn, less what so many actions would explain of these rewards by chance. */
function explainedBy(members: readonly PlayedEpisode[], turn: number): number {
  if (members.length < 2) return 0;
  const centre = mean(members.map(({ reward }) => reward));
  const actions = groupBy(members, (episode) => actionAt(episode, turn));
  let between = 0;
  for (const indices of actions.values())
    between += indices.length * (mean(indices.map((i) => at(members, i).reward)) - centre) ** 2;
  const total = members.reduce((sum, { reward }) => sum + (reward - centre) ** 2, 0);
  return between - (total * (actions.size - 1)) / (members.length - 1);
}
