/**
 * The loop that makes a reward model: batches of preference pairs, Bradley and Terry's loss on the scores of both sides, one optimizer step
 * each. Held-out pairs are ranked now and then; the checkpoint with the lowest validation loss is the best one. Resumes exactly.
 */
import { z } from 'zod';
import type { RewardModelRecipe } from '../../config/reward-model-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { PreferencePair } from '../../data/pairs.ts';
import type { Datum, Engine, Loss } from '../../engine/engine.ts';
import { sequenceDatum } from '../../engine/score-sequences.ts';
import { bradleyTerry } from '../../learn/losses/bradley-terry.ts';
import { createRenderer, type Renderer } from '../../policy/renderer.ts';
import { boardsOf, type Boards } from '../../run/trackers/boards.ts';
import { isBetter } from '../../run/checkpoints.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import type { TrainResult } from '../run/events.ts';
import { trainingFailure } from '../run/failure.ts';
import { normOf, notFinite } from '../run/finite.ts';
import type { PairSource } from './pair-source.ts';
import { pairMetrics, type Ranked } from './pair-metrics.ts';
import type { TrainOptions } from '../rl/parts.ts';
import { learningRateOver } from '../run/schedules.ts';

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
  return new RewardTrainer(recipe, parts, directory, options).run();
}

class RewardTrainer {
  private state: State = { v: 1, kind: 'reward', step: 0, drawn: 0, tokens: 0, elapsed: 0 };
  private readonly renderer: Renderer;
  private readonly boards: Boards;
  private readonly limit: number;
  private ranked: Ranked[] = [];
  private clock = performance.now();
  private saved = 0;

  constructor(
    private readonly recipe: RewardModelRecipe,
    private readonly parts: RewardParts,
    private readonly directory: RunDirectory,
    private readonly options: TrainOptions,
  ) {
    const { model } = parts.engine;
    this.boards = boardsOf(directory.path, recipe);
    this.renderer = createRenderer(model.tokenizer, { template: model.chatTemplate });
    this.limit = Math.min(recipe.pairs.max_tokens ?? Infinity, model.context - 1);
  }

  async run(): Promise<TrainResult> {
    try {
      await this.open();
      this.clock = performance.now();
      while (this.share(this.state) < 1) await this.step();
      return await this.finish();
    } catch (thrown) {
      if (this.options.signal.aborted) return await this.interrupted();
      const error = trainingFailure(thrown, 'reward', this.directory.path);
      await this.note(`failed: ${error.message}`).catch(() => undefined); // a full disk takes no line
      await this.boards.finish(false).catch(() => undefined);
      await this.directory.fail(error);
      throw error;
    }
  }

  private async open(): Promise<void> {
    const { from = 0 } = this.options;
    if (from > 0) {
      const state = stateSchema.safeParse(await this.directory.checkpoints.state(from));
      if (!state.success)
        throw new AgogeError(
          'TRAIN_BAD_STATE',
          `trainer.json in the checkpoint of step ${from} is not of a reward model's run: remove that checkpoint, or start a new run from its weights`,
        );
      this.state = state.data;
      await this.parts.engine.load(this.directory.checkpoints.path(from), { optimizer: true });
      this.saved = from;
    }
    await this.directory.begin({ step: this.state.step, environments: {} });
    const { size, heldOut } = this.parts.source;
    const pairs = size === undefined ? 'generated pairs' : `${size} pairs`;
    const verb = from > 0 ? `resumed after step ${from}` : 'started';
    await this.note(`${verb}: ${this.directory.info.title}, ${pairs}, ${heldOut.length} held out, seed ${this.recipe.seed}`);
  }

  private async step(): Promise<void> {
    this.options.signal.throwIfAborted();
    const { recipe, parts } = this;
    const { optimizer } = recipe;
    const { batch, drawn } = this.draw();
    const step = this.state.step + 1;
    const before = this.share(this.state);
    for (const piece of cut(batch, recipe.micro_tokens)) {
      const losses = this.loss(piece, batch.length);
      const { loss } = await parts.engine.forwardBackward(
        piece.flatMap(({ data }) => data),
        losses,
      );
      if (!Number.isFinite(loss)) throw notFinite(`the loss of step ${step} is ${loss}`);
    }
    const next = { ...this.state, step, drawn, tokens: this.state.tokens + tokensOf(batch) };
    const learningRate = learningRateOver(step, { from: before, to: this.share(next) }, optimizer);
    const report = await parts.engine.optimStep({
      learningRate,
      beta1: optimizer.betas[0],
      beta2: optimizer.betas[1],
      epsilon: optimizer.epsilon,
      weightDecay: optimizer.weight_decay,
      embeddingRate: optimizer.embedding_rate,
      clipNorm: optimizer.clip_norm,
    });
    const norm = normOf(report, `the gradient of step ${step}`);
    const now = performance.now();
    this.state = { ...next, elapsed: this.state.elapsed + (now - this.clock) / 1000 };
    this.clock = now;
    await this.after(norm, learningRate);
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
        const [chosen, rejected] = [scores[2 * i], scores[2 * i + 1]].map((row) => row?.scores[0] as number) as [number, number];
        const one = bradleyTerry(chosen, rejected, { margin: pair.margin, center: this.recipe.center });
        sum += one.loss / pairs;
        gradient.push(Float32Array.of(one.chosen / pairs), Float32Array.of(one.rejected / pairs));
        this.ranked.push({ chosen, rejected, loss: one.loss, category: pair.category });
      });
      return { loss: sum, gradient };
    };
  }

  private async after(norm: number | undefined, learningRate: number): Promise<void> {
    const { recipe, directory } = this;
    const { step, tokens, elapsed } = this.state;
    const due = (every: number): boolean => every > 0 && step % every === 0;
    const ends = this.share(this.state) >= 1;
    if (!due(recipe.log.every) && !due(recipe.validate.every) && !ends && !due(recipe.checkpoint.every)) return;
    const metrics: Record<string, number> = {
      ...pairMetrics(this.ranked, 'train'),
      ...(norm !== undefined && { 'train/grad_norm': norm }),
      'train/lr': learningRate,
      'train/total_tokens': tokens,
      'perf/elapsed': elapsed,
    };
    this.ranked = [];
    let best = false;
    if (this.parts.source.heldOut.length > 0 && (due(recipe.validate.every) || ends)) {
      Object.assign(metrics, await this.validate());
      best = await this.isBest(metrics['val/loss'] as number);
    }
    await directory.metrics.append(step, metrics);
    await this.boards.scalars(step, metrics);
    await directory.update({ step, tokens });
    this.report(metrics);
    if (best || due(recipe.checkpoint.every)) await this.save();
    this.clock = performance.now();
  }

  private async validate(): Promise<Record<string, number>> {
    const pairs = this.parts.source.heldOut.flatMap((pair) => this.dataOf(pair) ?? []);
    const ranked: Ranked[] = [];
    for (const piece of cut(pairs, this.recipe.micro_tokens)) {
      const scores = await this.parts.engine.forward(piece.flatMap(({ data }) => data));
      piece.forEach(({ pair }, i) => {
        const [chosen, rejected] = [scores[2 * i], scores[2 * i + 1]].map((row) => row?.scores[0] as number) as [number, number];
        const { loss } = bradleyTerry(chosen, rejected, { margin: pair.margin });
        ranked.push({ chosen, rejected, loss, category: pair.category });
      });
    }
    return pairMetrics(ranked, 'val');
  }

  private async isBest(score: number): Promise<boolean> {
    const candidate = { step: this.state.step, score, by: 'loss' as const };
    const before = await this.directory.checkpoints.best();
    if (!Number.isFinite(score) || (before && !isBetter(candidate, before))) return false;
    await this.directory.checkpoints.setBest(candidate);
    await this.directory.update({ best: candidate });
    return true;
  }

  private async save(): Promise<void> {
    const { step } = this.state;
    if (this.saved === step || step === 0) return;
    await this.directory.checkpoints.save(step, this.state, (folder) => this.parts.engine.save(folder, { optimizer: true }));
    await this.directory.checkpoints.retain(this.recipe.checkpoint.keep);
    this.saved = step;
  }

  private async finish(): Promise<TrainResult> {
    const { step, tokens } = this.state;
    await this.save();
    await this.directory.metrics.finish();
    await this.boards.finish(true);
    // Whoever started the run says how it ended.
    await this.directory.note(`finished after step ${step}`);
    await this.directory.update({ status: 'finished', step, tokens });
    return { status: 'finished', step, directory: this.directory.path, best: await this.directory.checkpoints.best() };
  }

  private async interrupted(): Promise<TrainResult> {
    await this.save();
    const { step } = this.state;
    await this.note(`interrupted after step ${step}`);
    await this.boards.finish(false);
    await this.directory.update({ status: 'interrupted', reason: 'interrupted', step });
    return { status: 'interrupted', reason: 'interrupted', step, directory: this.directory.path };
  }

  /** How much of the run is done, by whichever limit is nearest. */
  private share({ step, drawn, elapsed }: State): number {
    const { steps, minutes, epochs } = this.recipe;
    const { size } = this.parts.source;
    const whole = epochs ?? (steps === null && minutes === null ? 1 : Infinity);
    return Math.max(
      steps === null ? 0 : step / steps,
      minutes === null ? 0 : elapsed / (60 * minutes),
      size === undefined ? 0 : drawn / (size * whole),
    );
  }

  private report(metrics: Readonly<Record<string, number>>): void {
    const done = this.share(this.state);
    const { step, elapsed } = this.state;
    const left = done > 0 ? (elapsed * (1 - done)) / done : null;
    this.options.events?.onStep?.({ step, steps: this.recipe.steps, metrics, elapsed, left });
    const number = (name: string): string => metrics[name]?.toFixed(3) ?? '–';
    const line = `step ${step} · loss ${number('train/loss')} · ranked right ${number('train/accuracy')} · held out ${number('val/accuracy')}`;
    this.note(line).catch(() => undefined); // the run goes on without the line
  }

  private async note(text: string): Promise<void> {
    this.options.events?.onNote?.(text);
    await this.directory.note(text);
  }
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
