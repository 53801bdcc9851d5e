/**
 * Direct preference optimisation on a step's episodes: of each group the best is preferred to the worst, the second best to the second
 * worst, as long as their rewards differ (over whole episodes as in ETO, Song et al. 2024; over single turns where the step was branched).
 * A pair stays in one call of the engine, since each side's derivative depends on the other's log-probability.
 */
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import type { Engine, LossGradient, TokenScores } from '../../../engine/engine.ts';
import { preferenceLoss } from '../../../learn/losses/dpo.ts';
import { groupBy, sum } from '../../../learn/rows.ts';
import { meanNorm, normOf, notFinite, rlSettings } from '../../run/finite.ts';
import { adamOf } from '../../run/optimizer.ts';
import type { TrainingRow } from './batch-rows.ts';
import { emptyTally } from './objective.ts';
import { cut, type UpdateOptions, type UpdateReport } from './update.ts';

export interface Pair {
  readonly chosen: TrainingRow;
  readonly rejected: TrainingRow;
}

/** The pairs of a step, at most so many of a group. */
export function pairsOf(rows: readonly TrainingRow[], most: number): Pair[] {
  return [...groupBy(rows, (row) => row.group).values()].flatMap((indices) => {
    const ranked = indices
      .flatMap((i) => rows[i] ?? [])
      .filter(({ rewards }) => rewards.length > 0)
      .map((row) => ({ row, reward: sum(row.rewards) }))
      .sort((a, b) => b.reward - a.reward);
    return ranked.slice(0, Math.min(most, Math.floor(ranked.length / 2))).flatMap((best, i): Pair[] => {
      const worst = ranked.at(-1 - i);
      return worst && best.reward > worst.reward ? [{ chosen: best.row, rejected: worst.row }] : [];
    });
  });
}

export async function updateByPairs(engine: Engine, rows: readonly TrainingRow[], options: UpdateOptions): Promise<UpdateReport> {
  const { recipe, step } = options;
  const { preference } = recipe.algorithm;
  if (preference === null) throw new AgogeError('TRAIN_FAILED', 'the recipe asks for no pairs; report this');
  const pairs = pairsOf(rows, preference.pairs);
  const tally = emptyTally();
  const seen = { right: 0, margin: 0, pairs: 0 };
  const [norms, firstScores] = [[] as number[], new Map<TrainingRow, Float32Array>()];
  let optimizerSteps = 0;
  for (let epoch = 0; epoch < recipe.update.epochs && pairs.length > 0; epoch++) {
    const shuffled = Random.of(recipe.seed, 'pairs', step, epoch).shuffle([...pairs]);
    for (const minibatch of parts(shuffled, recipe.update.minibatches)) {
      for (const micro of cut(minibatch, recipe.update.micro_tokens, tokensOf)) {
        const data = micro.flatMap(({ chosen, rejected }) => [chosen.episode.datum, rejected.episode.datum]);
        const report = await engine.forwardBackward(
          data,
          (scores) => lossOf(micro, scores, 1 / minibatch.length, preference, seen),
          { temperature: recipe.rollout.temperature },
        );
        if (!Number.isFinite(report.loss)) throw notFinite(`the loss of step ${step} is ${report.loss}`, rlSettings);
        tally.policyLoss += report.loss;
        micro.forEach(({ chosen, rejected }, i) => {
          for (const [row, scores] of [
            [chosen, report.scores[2 * i]],
            [rejected, report.scores[2 * i + 1]],
          ] as const)
            if (scores && optimizerSteps === 0) firstScores.set(row, scores.scores);
        });
      }
      const norm = normOf(
        await engine.optimStep(adamOf(recipe.optimizer, options.learningRate)),
        `the gradient of step ${step}`,
        rlSettings,
      );
      if (norm !== undefined) norms.push(norm);
      optimizerSteps++;
    }
  }
  return {
    tally,
    gradientNorm: meanNorm(norms, optimizerSteps),
    optimizerSteps,
    firstScores,
    metrics: {
      'actor/dpo_pairs': pairs.length,
      ...(seen.pairs === 0
        ? {}
        : { 'actor/dpo_accuracy': seen.right / seen.pairs, 'actor/dpo_margin': seen.margin / seen.pairs }),
    },
  };
}

/** Mean loss of some pairs; scores come chosen, rejected, chosen, rejected, … */
function lossOf(
  pairs: readonly Pair[],
  scores: readonly TokenScores[],
  weight: number,
  preference: NonNullable<RlRecipe['algorithm']['preference']>,
  seen: { right: number; margin: number; pairs: number },
): LossGradient {
  let total = 0;
  const gradient = pairs.flatMap(({ chosen, rejected }, i) => {
    const [good, bad] = [scoresAt(scores, 2 * i), scoresAt(scores, 2 * i + 1)];
    const part = preferenceLoss(
      {
        chosen: sum(good),
        rejected: sum(bad),
        chosenReference: sum(referenceOf(chosen)),
        rejectedReference: sum(referenceOf(rejected)),
      },
      { beta: preference.beta, loss: preference.loss, labelSmoothing: preference.label_smoothing },
    );
    total += weight * part.loss;
    const margin = part.rewardChosen - part.rewardRejected;
    seen.right += margin > 0 ? 1 : 0;
    seen.margin += margin;
    seen.pairs++;
    return [
      new Float32Array(good.length).fill(weight * part.gradient),
      new Float32Array(bad.length).fill(-weight * part.gradient),
    ];
  });
  return { loss: total, gradient };
}

function scoresAt(scores: readonly TokenScores[], index: number): Float32Array {
  const found = scores[index];
  if (!found) throw new AgogeError('TRAIN_FAILED', `the engine gave no scores for row ${index}; report this`);
  return found.scores;
}

function referenceOf({ reference }: TrainingRow): Float32Array {
  if (!reference)
    throw new AgogeError('TRAIN_MISSING_ENGINE', 'pairs are compared with a reference policy: the caller must open one');
  return reference;
}

function tokensOf({ chosen, rejected }: Pair): number {
  return chosen.episode.datum.tokens.length + rejected.episode.datum.tokens.length;
}

function parts<T>(items: readonly T[], wanted: number): T[][] {
  const count = Math.min(wanted, items.length);
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count)),
  );
}
