/**
 * What a step learns from its batch: log-probabilities and values that are needed, advantages, rollout correction, then the
 * critic's and the policy's update. Knows nothing of files, evaluations or what comes next.
 */
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import type { Datum } from '../../../engine/engine.ts';
import { importanceWeights, offPolicyMetrics, rejectionMask } from '../../../learn/correction.ts';
import { at } from '../../../learn/numbers.ts';
import { sum } from '../../../learn/rows.ts';
import type { TrajectoryDatum } from '../../../agent/datum.ts';
import { episodesOf, trainingRows, type Scores } from './batch-rows.ts';
import type { RlParts } from '../parts.ts';
import { adviceOn, type Adviser } from './advice.ts';
import type { Anchor } from './anchor.ts';
import { measureDrift } from './drift.ts';
import type { Batch, PlayedEpisode } from '../batch.ts';
import { learningRateAt, stepsExpected } from '../../run/schedules.ts';
import type { StepFacts, StepTimes } from '../step-metrics.ts';
import { updateByPairs } from './preference-update.ts';
import { scoreAll, updateCritic, updatePolicy, type UpdateReport } from './update.ts';

export interface LearnOptions {
  readonly recipe: RlRecipe;
  readonly parts: RlParts;
  /** Steps of the whole run. */
  readonly steps: number;
  readonly klCoefficient: number;
  readonly adviser: Adviser;
  readonly anchor?: Anchor | undefined;
  /** Seconds the run has taken so far. */
  readonly elapsed: number;
}

/** All that the step's metrics say about learning. */
export type Learned = Omit<StepFacts, 'batch' | 'times'>;

export async function learnStep(
  { recipe, parts, steps, klCoefficient, adviser, anchor, elapsed }: LearnOptions,
  step: number,
  batch: Batch,
  times: StepTimes,
): Promise<Learned> {
  const { algorithm } = recipe;
  const data = episodesOf(batch).map(({ datum }) => datum);
  const played = batch.groups.flatMap(({ episodes }) => episodes.map(({ datum }) => datum));
  const micro = recipe.update.micro_tokens;
  const temperature = { temperature: recipe.rollout.temperature };
  const correcting = algorithm.correction.weights !== 'none' || algorithm.correction.reject.length > 0;
  const truncated = recipe.rollout.top_p !== null || recipe.rollout.top_k !== null;
  const recompute = algorithm.old === 'recompute' || correcting || truncated;
  const old = recompute ? await timed(times, 'old_log_prob', () => scoreAll(parts.engine, data, micro, temperature)) : undefined;
  const reference = parts.reference;
  const referenceScores =
    reference && (algorithm.kl !== false || algorithm.preference !== null)
      ? await timed(times, 'ref', () => scoreAll(reference, data, micro, temperature))
      : undefined;
  const critic = parts.critic;
  const bootstrap = algorithm.truncation === 'bootstrap';
  const judged = bootstrap ? episodesOf(batch).map(withStateAfter) : data;
  const judgements = critic ? await timed(times, 'values', () => scoreAll(critic, judged, micro)) : undefined;
  const values = judgements?.map((row, i) => row.subarray(0, data[i]?.logprobs.length));

  const drift = await timed(times, 'drift', () =>
    measureDrift(parts.engine, played, {
      rows: recipe.log.drift,
      reference,
      renewed: algorithm.renew !== null,
      temperature: recipe.rollout.temperature,
    }),
  );

  const from = performance.now();
  const correction = old ? correctionOf(data, old, algorithm.correction) : { metrics: {} };
  const scores = {
    ...correction,
    ...(old ? { old } : {}),
    ...(referenceScores ? { reference: referenceScores } : {}),
    ...(values
      ? { values, valuesAfter: bootstrap ? judgements?.map((row, i) => row[at(data, i).logprobs.length]) : undefined }
      : {}),
  };
  const { rows, kl } = trainingRows(batch, scores, algorithm, klCoefficient, ofEnvironment(recipe));
  const advice = algorithm.advice > 0 ? adviceOn(batch, adviser) : undefined;
  times.adv = (performance.now() - from) / 1000;

  const expected = stepsExpected(step, elapsed, { steps, stop: recipe.stop });
  const learningRate = learningRateAt(step, expected, recipe.optimizer);
  const criticLearningRate = learningRateAt(step, expected, { ...recipe.optimizer, lr: recipe.critic.lr });
  const share = Math.min(1, batch.groups.length / recipe.rollout.groups);
  const options = { recipe, step, learningRate, criticLearningRate, klCoefficient, advice, anchor, share };
  const staleness = rows.reduce((most, { episode }) => Math.max(most, parts.engine.version - episode.datum.policyVersion), 0);
  const update = algorithm.preference === null ? updatePolicy : updateByPairs;
  let criticReport: UpdateReport | undefined;
  let policy: UpdateReport | undefined;
  if (critic && rows.length > 0) criticReport = await timed(times, 'update_critic', () => updateCritic(critic, rows, options));
  if (rows.length > 0 && (!critic || step > recipe.critic.warmup)) {
    policy = await timed(times, 'update_actor', () => update(parts.engine, rows, options));
  }
  const moved = policy ? await timed(times, 'drift', () => drift.after()) : {};
  const { metrics } = correction;
  return {
    rows,
    policy,
    critic: criticReport,
    learningRate,
    criticLearningRate,
    klCoefficient,
    kl,
    staleness,
    correction: metrics,
    advice,
    drift: { ...drift.metrics, ...moved },
  };
}

/** The weight of what the environment pays within the reward; 0 where it is no part of it. */
function ofEnvironment({ reward }: RlRecipe): number {
  return sum(reward.parts.map(({ use, weight }) => (use === 'env' ? weight : 0)));
}

/**
 * An episode that a limit cut off is judged once more, after its last token; which token stands there does not matter to a value. A full
 * context is an end: nothing can come after it.
 */
function withStateAfter({ trajectory: { outcome }, datum }: PlayedEpisode): Datum {
  if (outcome.kind !== 'truncated' || outcome.limit === 'context' || datum.tokens.length === 0) return datum;
  const [tokens, mask] = [new Int32Array(datum.tokens.length + 1), new Uint8Array(datum.mask.length + 1)];
  tokens.set(datum.tokens);
  mask.set(datum.mask);
  mask[datum.mask.length] = 1;
  return { tokens, mask };
}

/** Rollout correction: weights by how the trainer's log-probabilities differ from the sampler's, and what is left out. */
function correctionOf(
  data: readonly TrajectoryDatum[],
  old: readonly Float32Array[],
  { weights: level, threshold, normalise, reject }: RlRecipe['algorithm']['correction'],
): Pick<Scores, 'weights' | 'kept'> & { readonly metrics: Readonly<Record<string, number>> } {
  const pairs = data.map(({ logprobs }, i) => ({ train: old[i] ?? logprobs, sampler: logprobs }));
  const weighed = level === 'none' ? undefined : importanceWeights(pairs, { level, threshold, normalise });
  const rejected = reject.length === 0 ? undefined : rejectionMask(pairs, reject);
  return {
    metrics: { ...offPolicyMetrics(pairs), ...weighed?.metrics, ...rejected?.metrics },
    weights: weighed?.weights,
    kept: rejected?.mask,
  };
}

async function timed<T>(times: StepTimes, name: keyof StepTimes, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  times[name] += (performance.now() - from) / 1000;
  return result;
}
