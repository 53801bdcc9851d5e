/**
 * One step's update: epochs of mini-batches, each one optimizer step, cut into micro-batches by tokens. Groups stay together so
 * that an engine can share their prompts. A loss or gradient that is not finite stops the run before it reaches the weights.
 */
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import { Random } from '../../../core/random/random.ts';
import type { AdamParams, Datum, Engine, ForwardOptions, Loss } from '../../../engine/engine.ts';
import { klPenalty } from '../../../learn/kl.ts';
import { crossEntropy } from '../../../learn/losses/cross-entropy.ts';
import { groupBy, sum } from '../../../learn/rows.ts';
import { at, largest } from '../../../learn/numbers.ts';
import type { Advice } from './advice.ts';
import type { Anchor } from './anchor.ts';
import { halves } from './agreement.ts';
import { meanNorm, normOf, notFinite, rlSettings } from '../../run/finite.ts';
import { adamOf } from '../../run/optimizer.ts';
import type { TrainingRow } from './batch-rows.ts';
import { criticObjective, emptyTally, keptTokens, moves, policyObjective, rowWeights, type Tally } from './objective.ts';

export interface UpdateReport {
  readonly tally: Tally;
  /** Mean over the optimizer steps, 0 of none; absent where the engine does not tell it. */
  readonly gradientNorm: number | undefined;
  readonly optimizerSteps: number;
  /** Scores of rows before the first optimizer step, where they were computed: what the trainer makes of the sampled tokens. */
  readonly firstScores: ReadonlyMap<TrainingRow, Float32Array>;
  /** Cosine between the gradients of the halves of the first mini-batch, where it was measured. */
  readonly agreement?: number | undefined;
  /** What an update of another kind has to say. */
  readonly metrics?: Readonly<Record<string, number>>;
}

export interface UpdateOptions {
  readonly recipe: RlRecipe;
  readonly step: number;
  readonly learningRate: number;
  readonly klCoefficient: number;
  /** Of the critic; absent: the recipe's own, without a schedule. */
  readonly criticLearningRate?: number;
  /** Share of the step's groups that are learned from: those left out count as groups that moved nothing. */
  readonly share?: number;
  readonly signal?: AbortSignal;
  /** What experts advised, by episode. */
  readonly advice?: Advice | undefined;
  /** Demonstrations beside the loss. */
  readonly anchor?: Anchor | undefined;
}

export async function updatePolicy(engine: Engine, rows: readonly TrainingRow[], options: UpdateOptions): Promise<UpdateReport> {
  const { recipe, klCoefficient } = options;
  const { algorithm } = recipe;
  const tally = emptyTally();
  const firstScores = new Map<TrainingRow, Float32Array>();
  return run(engine, rows, options, adamOf(recipe.optimizer, options.learningRate), 'policy', {
    epochs: recipe.update.epochs,
    tally,
    firstScores,
    agreement: recipe.log.agreement,
    computes: (row) => algorithm.outcome > 0 && moves(row, algorithm),
    forward: { temperature: recipe.rollout.temperature, ...(algorithm.entropy === 0 ? {} : { entropy: true }) },
    loss: (micro, weights) => policyObjective(micro, weights, algorithm, klCoefficient, tally),
    targetKl: algorithm.target_kl ?? undefined,
    beside: beside(engine, options, tally),
  });
}

export async function updateCritic(engine: Engine, rows: readonly TrainingRow[], options: UpdateOptions): Promise<UpdateReport> {
  const { critic, update } = options.recipe;
  const tally = emptyTally();
  const adam = { ...adamOf(options.recipe.optimizer, options.criticLearningRate ?? critic.lr), clipNorm: critic.clip_norm };
  return run(engine, rows, options, adam, 'critic', {
    epochs: critic.epochs ?? update.epochs,
    tally,
    firstScores: new Map(),
    computes: () => true,
    forward: {},
    loss: (micro, weights) => criticObjective(micro, weights, critic.clip, tally),
  });
}

interface Pass {
  readonly epochs: number;
  readonly tally: Tally;
  readonly firstScores: Map<TrainingRow, Float32Array>;
  readonly computes: (row: TrainingRow) => boolean;
  readonly forward: ForwardOptions;
  readonly loss: (rows: readonly TrainingRow[], weights: ArrayLike<number>) => Loss;
  /** Adds other gradients to a mini-batch's; false where there is nothing to step along. */
  readonly beside?: (rows: readonly TrainingRow[], optimizerStep: number, moves: boolean) => Promise<boolean>;
  /** No further optimizer step once a mini-batch is this far from the policy that sampled it. */
  readonly targetKl?: number | undefined;
  /** Measure how far the halves of the first mini-batch agree. */
  readonly agreement?: boolean;
}

async function run(
  engine: Engine,
  rows: readonly TrainingRow[],
  options: UpdateOptions,
  adam: AdamParams,
  who: string,
  pass: Pass,
): Promise<UpdateReport> {
  const { recipe, step, share = 1 } = options;
  const norms: number[] = [];
  let optimizerSteps = 0;
  let agreement: number | undefined;
  let distance = { kl: 0, tokens: 0 };
  const backward = async (items: readonly { readonly row: TrainingRow; readonly weight: number }[]): Promise<void> => {
    for (const micro of microbatches(items, recipe.update.micro_tokens)) {
      const micros = micro.map(({ row }) => row);
      const loss = pass.loss(
        micros,
        micro.map(({ weight }) => weight),
      );
      const report = await engine.forwardBackward(micros.map(dataOf), loss, pass.forward);
      if (!Number.isFinite(report.loss)) throw notFinite(`the ${who} loss of step ${step} is ${report.loss}`, rlSettings);
      micros.forEach((row, i) => {
        const { scores } = at(report.scores, i);
        if (optimizerSteps === 0) pass.firstScores.set(row, scores);
        if (pass.targetKl === undefined) return; // a critic's scores are values: they have no distance to log-probabilities
        scores.forEach((score, t) => (distance.kl += klPenalty('k3', at(row.old, t), score).value));
        distance.tokens += scores.length;
      });
    }
  };
  epochs: for (let epoch = 0; epoch < pass.epochs; epoch++) {
    for (const minibatch of minibatches(rows, recipe, Random.of(recipe.seed, 'minibatch', step, epoch))) {
      const weights = rowWeights(minibatch, recipe.algorithm, horizonOf(recipe), share);
      // An episode in which nothing was said has an outcome and no tokens: engines cannot be asked about it.
      const moving = minibatch
        .map((row, i) => ({ row, weight: at(weights, i) }))
        .filter(({ row }) => row.advantages.length > 0 && pass.computes(row));
      pass.tally.sampled += sum(minibatch.map(keptTokens));
      distance = { kl: 0, tokens: 0 };
      const both = pass.agreement === true && optimizerSteps === 0 && engine.markGradient ? halves(moving) : undefined;
      await backward(both?.[0] ?? moving);
      if (both) {
        await engine.markGradient?.();
        await backward(both[1]);
        agreement = await engine.agreement?.();
      }
      const moves = moving.length > 0;
      if (!((await pass.beside?.(minibatch, optimizerSteps, moves)) ?? moves)) continue; // no signal: the optimizer's momentum alone should not move the policy
      const norm = normOf(await engine.optimStep(adam), `the ${who} gradient of step ${step}`, rlSettings);
      if (norm !== undefined) norms.push(norm);
      optimizerSteps++;
      if (pass.targetKl !== undefined && distance.tokens > 0 && distance.kl / distance.tokens > pass.targetKl) break epochs;
    }
  }
  return {
    tally: pass.tally,
    gradientNorm: meanNorm(norms, optimizerSteps),
    optimizerSteps,
    firstScores: pass.firstScores,
    agreement,
  };
}

/** What stands beside the loss by rewards: what experts advised on these rows, and demonstrations of the anchor. */
function beside(engine: Engine, { recipe, step, advice, anchor }: UpdateOptions, tally: Tally): NonNullable<Pass['beside']> {
  const micro = recipe.update.micro_tokens;
  return async (rows, optimizerStep, moves) => {
    const advised = advice ? rows.flatMap(({ episode }) => advice.data.get(episode) ?? []) : [];
    tally.adviceLoss += await imitate(engine, advised, recipe.algorithm.advice, micro);
    const moved = moves || advised.length > 0;
    if (anchor && moved) tally.anchorLoss += await imitate(engine, await anchor.batch(step, optimizerStep), anchor.weight, micro);
    return moved;
  };
}

/** Adds the gradient of the weighed cross-entropy of some sequences, mean over their tokens; returns that mean. */
async function imitate(engine: Engine, data: readonly Datum[], weight: number, microTokens: number): Promise<number> {
  const tokens = data.reduce((sum, { mask }) => sum + scoredTokens(mask), 0);
  let total = 0;
  for (const micro of cut(data, microTokens, (datum) => datum.tokens.length)) {
    const report = await engine.forwardBackward(micro, (scores) =>
      crossEntropy(
        scores.map((row) => row.scores),
        micro.map(() => weight / tokens),
      ),
    );
    if (!Number.isFinite(report.loss)) throw notFinite(`the imitation loss is ${report.loss}`, rlSettings);
    total += report.loss / weight;
  }
  return total;
}

function scoredTokens(mask: Uint8Array): number {
  let count = 0;
  for (const one of mask) count += one;
  return count;
}

/** Log-probabilities (or values) of every row's scored tokens, in micro-batches; none of rows without tokens. */
export async function scoreAll(
  engine: Engine,
  data: readonly Datum[],
  microTokens: number,
  options: ForwardOptions = {},
): Promise<Float32Array[]> {
  const result: Float32Array[] = data.map(() => new Float32Array());
  const items = data.map((datum, place) => ({ datum, place })).filter(({ datum }) => datum.tokens.length > 0);
  for (const micro of cut(items, microTokens, ({ datum }) => datum.tokens.length)) {
    const scores = await engine.forward(
      micro.map(({ datum }) => datum),
      options,
    );
    micro.forEach(({ place }, i) => (result[place] = at(scores, i).scores));
  }
  return result;
}

/** The most tokens that an episode can say: the constant that Dr. GRPO divides by. */
function horizonOf({ agent }: RlRecipe): number {
  return agent.tokens ?? agent.tokens_per_turn * largest([agent.max_turns].flat());
}

/** Whole groups in a random order, cut into mini-batches of about equal numbers of groups. One mini-batch keeps the order. */
function minibatches(rows: readonly TrainingRow[], recipe: RlRecipe, random: Random): TrainingRow[][] {
  const wanted = recipe.update.minibatches;
  if (wanted === 1) return [[...rows]];
  const groups = [...groupBy(rows, (row) => row.group).values()].map((members) => members.map((i) => at(rows, i)));
  const shuffled = random.shuffle(groups);
  const count = Math.min(wanted, shuffled.length);
  return Array.from({ length: count }, (_, i) =>
    shuffled.slice(Math.floor((i * shuffled.length) / count), Math.floor(((i + 1) * shuffled.length) / count)).flat(),
  );
}

function microbatches<T extends { readonly row: TrainingRow }>(items: readonly T[], tokens: number): T[][] {
  return cut(items, tokens, ({ row }) => row.episode.datum.tokens.length);
}

/** Items in parts of at most so many tokens; one that is longer has a part of its own. */
export function cut<T>(items: readonly T[], limit: number, size: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let used = 0;
  for (const item of items) {
    const tokens = size(item);
    if (part.length > 0 && used + tokens > limit) {
      parts.push(part);
      part = [];
      used = 0;
    }
    part.push(item);
    used += tokens;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function dataOf({ episode }: TrainingRow): Datum {
  return episode.datum;
}
