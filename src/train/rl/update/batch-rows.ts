/** From played groups to what is learned: one row per episode, with its rewards on action tokens and its advantages. */
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import { estimateAdvantages, estimatorOf } from '../../../learn/advantages/estimator.ts';
import { klPenalty } from '../../../learn/kl.ts';
import { sum, type Advantages, type Row } from '../../../learn/rows.ts';
import { at } from '../../../learn/numbers.ts';
import type { Turn } from '../../../core/trajectory.ts';
import type { Batch, PlayedEpisode, PlayedGroup } from '../batch.ts';

/** One episode as the update sees it. All arrays have one entry per scored token. */
export interface TrainingRow {
  readonly episode: PlayedEpisode;
  readonly group: string;
  readonly old: Float32Array;
  readonly advantages: Float64Array;
  readonly returns: Float64Array;
  readonly rewards: Float64Array;
  readonly reference?: Float32Array;
  readonly values?: Float32Array;
  /** Importance weights of rollout correction. */
  readonly weights?: Float64Array;
  /** 0 for tokens that rollout correction rejected: no part of any loss or mean. */
  readonly kept?: Uint8Array;
}

/** What engines computed about a batch before the update, by episode. */
export interface Scores {
  readonly old?: readonly Float32Array[];
  readonly reference?: readonly Float32Array[];
  readonly values?: readonly Float32Array[];
  /** The critic's value after the last token, of episodes that a limit cut off (`algorithm.truncation: bootstrap`). */
  readonly valuesAfter?: readonly (number | undefined)[] | undefined;
  /** Of rollout correction: importance weights, and 0 for the tokens that were rejected. */
  readonly weights?: readonly Float64Array[] | undefined;
  readonly kept?: readonly Uint8Array[] | undefined;
}

/** What is learned: whole episodes, or single turns where branching found them. */
export function episodesOf(batch: Batch): PlayedEpisode[] {
  return batch.groups.flatMap(learnedOf);
}

function learnedOf({ learned, episodes }: PlayedGroup): readonly PlayedEpisode[] {
  return learned ?? episodes;
}

export function trainingRows(
  batch: Batch,
  scores: Scores,
  algorithm: RlRecipe['algorithm'],
  klCoefficient: number,
  /** Weight of what the environment pays within the reward. */
  ofEnvironment = 1,
): { rows: TrainingRow[]; kl: number } {
  // An episode of which nothing was kept is no part of its group either: its reward must not move the others' baseline.
  // One that is left alone has nobody to be compared with.
  const compares = estimatorOf(algorithm.estimator).needs?.includes('groups') === true;
  let place = 0;
  const members = batch.groups.flatMap((group) => {
    const all = learnedOf(group).map((episode) => ({ group, episode, i: place++ }));
    const left = all
      .filter(({ i }) => scores.kept?.[i]?.includes(1) ?? true)
      .filter(({ episode }) => algorithm.truncation !== 'mask' || episode.trajectory.outcome.kind !== 'truncated');
    return compares && left.length === 1 && all.length > 1 ? [] : left;
  });
  const kls: number[] = [];
  const learned = members.map(({ group, episode, i }): Row => {
    const rewards = rewardsOf(episode, group.learned ? 'total' : algorithm.reward, ofEnvironment);
    const reference = scores.reference?.[i];
    if (algorithm.kl !== false && algorithm.kl.in === 'reward' && reference) {
      const old = scores.old?.[i] ?? episode.datum.logprobs;
      let total = 0;
      for (let t = 0; t < rewards.length; t++) {
        const { value } = klPenalty(algorithm.kl.estimator, at(old, t), at(reference, t));
        rewards[t] = at(rewards, t) - klCoefficient * value;
        total += value;
      }
      kls.push(total / Math.max(1, rewards.length));
    }
    return rowOf(group, episode, rewards, scores, i);
  });
  const { advantages, returns } = advantagesOf(
    learned,
    members.map(({ group }) => group.continuations !== undefined),
    algorithm,
  );
  const rows = members.map(({ group, episode, i }, row): TrainingRow => {
    const reference = scores.reference?.[i];
    const values = scores.values?.[i];
    const weights = scores.weights?.[i];
    const kept = scores.kept?.[i];
    return {
      episode,
      group: String(group.number),
      old: scores.old?.[i] ?? episode.datum.logprobs,
      advantages: at(advantages, row),
      returns: at(returns, row),
      rewards: at(learned, row).rewards as Float64Array,
      ...(reference ? { reference } : {}),
      ...(values ? { values } : {}),
      ...(weights ? { weights } : {}),
      ...(kept ? { kept } : {}),
    };
  });
  return { rows, kl: kls.length === 0 ? 0 : sum(kls) / kls.length };
}

/**
 * Advantages of all rows. Single turns of branched groups are only centred: what an action is worth there is a mean over continuations,
 * and divided by its spread an effect of any size would look alike.
 */
function advantagesOf(rows: readonly Row[], branched: readonly boolean[], algorithm: RlRecipe['algorithm']): Advantages {
  const { gamma, lambda, scale, step_weight: stepWeight, step_scale: stepScale } = algorithm;
  const result: Advantages = { advantages: [], returns: [] };
  for (const single of [false, true]) {
    const own = rows.flatMap((_, i) => (branched[i] === single ? [i] : []));
    if (own.length === 0) continue;
    const options = { gamma, lambda, scale: single ? 'none' : scale, stepWeight, stepScale } as const;
    const estimated = estimateAdvantages(
      algorithm.estimator,
      own.map((i) => at(rows, i)),
      options,
    );
    own.forEach((row, i) => {
      result.advantages[row] = at(estimated.advantages, i);
      result.returns[row] = at(estimated.returns, i);
    });
  }
  return result;
}

function rowOf(
  group: PlayedGroup,
  { trajectory, datum, reward }: PlayedEpisode,
  rewards: Float64Array,
  scores: Scores,
  i: number,
): Row {
  const [values, kept] = [scores.values?.[i], scores.kept?.[i]];
  // Most estimators ask for none, and what an environment shows of its state may be large.
  let states: readonly string[] | undefined;
  return {
    group: String(group.number),
    rewards,
    turnEnds: datum.turnEnds,
    category: `${trajectory.task.env}/${trajectory.category}`,
    get states() {
      return (states ??= statesOf(trajectory));
    },
    ...(values ? { values, valueAfter: scores.valuesAfter?.[i] } : {}),
    ...(kept ? { kept } : {}),
    ...(rewards.length === 0 ? { silent: reward } : {}),
    ...(group.baseline === undefined ? {} : { baseline: group.baseline }),
  };
}

/**
 * What each turn was played in. A reply that could not be read changed nothing: the turn after it is played where that one was, not in
 * the words of the complaint, which are the same wherever they are said.
 */
function statesOf(trajectory: PlayedEpisode['trajectory']): string[] {
  let now = stateKey(trajectory);
  return trajectory.turns.map((turn) => {
    const before = now;
    if (turn.action !== null) now = stateKey(turn);
    return before;
  });
}

/** A state: the environment's own where it shows one, else what it answered. */
function stateKey({ state, progress = state, observation }: Pick<Turn, 'state' | 'progress' | 'observation'>): string {
  return progress === undefined ? observation : JSON.stringify(progress);
}

/**
 * Rewards on action tokens: the total at the last one, each at the end of its turn, or only the last step's. Turns are paid by the
 * environment, with its weight in the reward; what a recipe pays beside it is paid at the end.
 */
export function rewardsOf(episode: PlayedEpisode, placement: RlRecipe['algorithm']['reward'], ofEnvironment = 1): Float64Array {
  const { datum, trajectory, reward } = episode;
  const rewards = new Float64Array(datum.logprobs.length);
  if (rewards.length === 0) return rewards;
  const last = rewards.length - 1;
  if (placement === 'total') {
    rewards[last] = reward;
    return rewards;
  }
  const paid = trajectory.turns.map((turn) => ofEnvironment * turn.reward);
  if (placement === 'last') {
    rewards[last] = reward - sum(paid.slice(0, -1));
    return rewards;
  }
  paid.forEach((own, i) => {
    const end = Math.max(0, (datum.turnEnds[i] ?? rewards.length) - 1);
    rewards[end] = at(rewards, end) + own;
  });
  rewards[last] = at(rewards, last) + reward - sum(paid);
  return rewards;
}
