/**
 * The loop that makes a reward model: batches of preference pairs, Bradley and Terry's loss on the scores of both sides, one optimizer step
 * each. Held-out pairs are ranked now and then; the checkpoint with the lowest validation loss is the best one. Resumes exactly.
 */
import { z } from 'zod';
import type { RewardModelRecipe } from '../../config/recipe/reward-model-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { PreferencePair } from '../../data/pairs.ts';
import type { Datum, Engine, Loss, TokenScores } from '../../engine/engine.ts';
import { sequenceDatum } from '../../engine/score-sequences.ts';
import { bradleyTerry } from '../../learn/losses/bradley-terry.ts';
import { at } from '../../learn/numbers.ts';
import { createRenderer, type Renderer } from '../../policy/renderer.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import type { TrainResult } from '../run/events.ts';
import { normOf, notFinite } from '../run/finite.ts';
import { runTrainer } from '../run/lifecycle.ts';
import { rewardLine } from '../run/lines.ts';
import { adamOf } from '../run/optimizer.ts';
import { learningRateOver } from '../run/schedules.ts';
import { parseState } from '../run/state.ts';
import type { Opening, OpenRun, Trainer, TrainOptions } from '../run/trainer.ts';
import { pairMetrics, type Ranked } from './pair-metrics.ts';
import type { PairSource } from './pair-source.ts';

export interface RewardParts {
  readonly engine: Engine;
  readonly source: PairSource;
}

const stateSchema = z.object({
  v: z.literal(1),
  kind: z.literal('reward'),
  step: z.number().int(),
  /** Pairs drawn, those left out included. */
  drawn: z.number().int(),
  tokens: z.number(),
  elapsed: z.number(),
  /** Seconds of processor time; absent in checkpoints of earlier versions. */
  processor: z.number().optional(),
});
type State = z.infer<typeof stateSchema>;

interface PairData {
  readonly pair: PreferencePair;
  readonly data: readonly [Datum, Datum];
}

export async function trainReward(
  recipe: RewardModelRecipe,
  parts: RewardParts,
  directory: RunDirectory,
  options: TrainOptions,
): Promise<TrainResult> {
  return runTrainer(new RewardTrainer(recipe, parts), recipe, directory, options);
}

class RewardTrainer implements Trainer {
  state: State = { v: 1, kind: 'reward', step: 0, drawn: 0, tokens: 0, elapsed: 0 };
  readonly engines: readonly Engine[];
  private readonly renderer: Renderer;
  private readonly limit: number;
  private signal: AbortSignal | undefined;
  private ranked: Ranked[] = [];
  /** Of the last step. */
  private last: Record<string, number> = {};

  constructor(
    private readonly recipe: RewardModelRecipe,
    private readonly parts: RewardParts,
  ) {
    const { model } = parts.engine;
    this.engines = [parts.engine];
    this.renderer = createRenderer(model.tokenizer, { template: model.chatTemplate });
    this.limit = Math.min(recipe.pairs.max_tokens ?? Infinity, model.context - 1);
  }

  async open({ signal }: Pick<OpenRun, 'signal'>): Promise<Opening> {
    this.signal = signal;
    const { size, heldOut } = this.parts.source;
    const pairs = size === undefined ? 'generated pairs' : `${size} pairs`;
    return { steps: this.recipe.steps, about: `${pairs}, ${heldOut.length} held out`, validatesAtEnd: true };
  }

  async restore(json: unknown, folder: string, step: number): Promise<undefined> {
    this.state = parseState(stateSchema, json, step, "a reward model's run");
    await this.parts.engine.load(folder, { optimizer: true });
  }

  /** By steps, minutes or epochs. */
  share(): number {
    return this.shareOf(this.state);
  }

  async step(): Promise<void> {
    const { recipe, parts } = this;
    const from = performance.now();
    const { batch, drawn } = this.draw();
    const step = this.state.step + 1;
    for (const piece of cut(batch, recipe.micro_tokens)) {
      this.signal?.throwIfAborted();
      const data = piece.flatMap((pair) => pair.data);
      const options = this.signal === undefined ? {} : { signal: this.signal };
      const { loss } = await parts.engine.forwardBackward(data, this.loss(piece, batch.length), options);
      if (!Number.isFinite(loss)) throw notFinite(`the loss of step ${step} is ${loss}`);
    }
    const next = { ...this.state, step, drawn, tokens: this.state.tokens + tokensOf(batch) };
    const share = { from: this.share(), to: this.shareOf(next) };
    const learningRate = learningRateOver(step, share, recipe.optimizer);
    const report = await parts.engine.optimStep(adamOf(recipe.optimizer, learningRate));
    const norm = normOf(report, `the gradient of step ${step}`);
    this.last = { ...(norm !== undefined && { 'train/grad_norm': norm }), 'train/lr': learningRate };
    this.state = { ...next, elapsed: this.state.elapsed + (performance.now() - from) / 1000 };
  }

  metrics(): Record<string, number> {
    const { tokens, elapsed } = this.state;
    const { ranked } = this;
    this.ranked = [];
    return { ...pairMetrics(ranked, 'train'), ...this.last, 'train/total_tokens': tokens, 'perf/elapsed': elapsed };
  }

  line(metrics: Readonly<Record<string, number>>): string {
    return rewardLine(this.state.step, metrics);
  }

  async validate(): Promise<Record<string, number>> {
    const pairs = this.parts.source.heldOut.flatMap((pair) => this.dataOf(pair) ?? []);
    const ranked: Ranked[] = [];
    for (const piece of cut(pairs, this.recipe.micro_tokens)) {
      const scores = await this.parts.engine.forward(piece.flatMap(({ data }) => data));
      piece.forEach(({ pair }, i) => {
        const [chosen, rejected] = [scoreAt(scores, 2 * i), scoreAt(scores, 2 * i + 1)];
        const { loss } = bradleyTerry(chosen, rejected, { margin: pair.margin });
        ranked.push({ chosen, rejected, loss, category: pair.category });
      });
    }
    return pairMetrics(ranked, 'val');
  }

  async save(folder: string): Promise<void> {
    await this.parts.engine.save(folder, { optimizer: true });
  }

  /** The next pairs that fit; those that do not are passed over. */
  private draw(): { readonly batch: readonly PairData[]; readonly drawn: number } {
    const { source } = this.parts;
    const batch: PairData[] = [];
    let { drawn } = this.state;
    for (let passed = 0; batch.length < this.recipe.batch_pairs; drawn++) {
      const one = this.dataOf(source.at(drawn));
      if (one) batch.push(one);
      else if (++passed >= (source.size ?? 10_000))
        throw new AgogeError(
          'TRAIN_TOO_LONG',
          `no pair fits ${this.limit} tokens: raise pairs.max_tokens, or train a model with a longer context`,
        );
    }
    return { batch, drawn };
  }

  private dataOf(pair: PreferencePair): PairData | undefined {
    const [chosen, rejected] = [this.renderer.whole(pair.chosen), this.renderer.whole(pair.rejected)];
    if (Math.max(chosen.length, rejected.length) > this.limit) return undefined;
    const { model } = this.parts.engine;
    return { pair, data: [sequenceDatum(model, chosen), sequenceDatum(model, rejected)] };
  }

  /** Of one call; the mean is over the whole batch. */
  private loss(piece: readonly PairData[], pairs: number): Loss {
    return (scores) => {
      let sum = 0;
      const gradient: Float32Array[] = [];
      piece.forEach(({ pair }, i) => {
        const [chosen, rejected] = [scoreAt(scores, 2 * i), scoreAt(scores, 2 * i + 1)];
        const one = bradleyTerry(chosen, rejected, { margin: pair.margin, center: this.recipe.center });
        sum += one.loss / pairs;
        gradient.push(Float32Array.of(one.chosen / pairs), Float32Array.of(one.rejected / pairs));
        this.ranked.push({ chosen, rejected, loss: one.loss, category: pair.category });
      });
      return { loss: sum, gradient };
    };
  }

  private shareOf({ step, drawn, elapsed }: State): number {
    const { steps, minutes, epochs } = this.recipe;
    const { size } = this.parts.source;
    const whole = epochs ?? (steps === null && minutes === null ? 1 : Infinity);
    return Math.max(
      steps === null ? 0 : step / steps,
      minutes === null ? 0 : elapsed / (60 * minutes),
      size === undefined ? 0 : drawn / (size * whole),
    );
  }
}

/** The one score of a sequence. */
function scoreAt(scores: readonly TokenScores[], index: number): number {
  return at(at(scores, index).scores, 0);
}

function tokensOf(batch: readonly PairData[]): number {
  return batch.reduce((sum, { data: [a, b] }) => sum + a.tokens.length + b.tokens.length, 0);
}

/** Pairs for one call of the engine; the two sides of a pair stay together. */
function* cut(pairs: readonly PairData[], limit: number): Generator<readonly PairData[]> {
  let piece: PairData[] = [];
  for (const pair of pairs) {
    if (piece.length > 0 && tokensOf(piece) + tokensOf([pair]) > limit) {
      yield piece;
      piece = [];
    }
    piece.push(pair);
  }
  if (piece.length > 0) yield piece;
}
