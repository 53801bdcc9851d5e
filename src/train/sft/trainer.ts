/**
 * The supervised loop: batches of sequences, cross-entropy on the replies, one optimizer step each. The next batch is drawn while
 * the engine works on this one. Validation loss, evaluation by playing, checkpoints and exact resume as in RL; at the end the
 * last checkpoint and the best one are both evaluated.
 */
import { openPrompting, type Prompting } from '../../agent/prompting.ts';
import type { SftRecipe } from '../../config/sft-recipe.ts';
import type { Engine, Loss, LossGradient, TokenScores } from '../../engine/engine.ts';
import { tokenWeights } from '../../learn/losses/aggregate.ts';
import { crossEntropy } from '../../learn/losses/cross-entropy.ts';
import { at } from '../../learn/numbers.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import { writeAgentRecord } from '../../run/agent-record.ts';
import { isBetter, type Best } from '../../run/checkpoints.ts';
import { readEvaluations } from '../../run/metrics-log.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { boardsOf, type Boards } from '../../run/trackers/boards.ts';
import type { TrainResult } from '../run/events.ts';
import { trainingFailure } from '../run/failure.ts';
import { normOf, notFinite } from '../run/finite.ts';
import { sftLine } from '../run/lines.ts';
import { agentRecord, limitsOf } from '../run/agent-setup.ts';
import { evaluatePanels, recordEvaluation } from '../run/panel.ts';
import { openPanels } from '../run/panels.ts';
import type { TrainOptions } from '../rl/parts.ts';
import { learningRateOver } from '../run/schedules.ts';
import type { SftBatch, SftSource } from './source.ts';
import { parseSftState, type SftState } from './state.ts';
import { cuts, shareOf, tokensOf, type Share } from './share.ts';
import { SftSums } from './sums.ts';
import { openPool, type PoolParts, type TaskPool } from '../tasks/pool.ts';

export interface SftParts extends PoolParts {
  readonly engine: Engine;
  readonly source: SftSource;
  /** Sequences that are never trained on; each call starts from the same one. */
  validation?(): Promise<SftSource>;
}

export async function trainSft(
  recipe: SftRecipe,
  parts: SftParts,
  directory: RunDirectory,
  options: TrainOptions,
): Promise<TrainResult> {
  return new SftTrainer(recipe, parts, directory, options).run();
}

class SftTrainer {
  private state: SftState = {
    v: 1,
    kind: 'sft',
    step: 0,
    tokens: 0,
    sequences: 0,
    elapsed: 0,
    position: { drawn: 0 },
    owesEvaluation: false,
  };
  private readonly policy: EnginePolicy;
  private panels: readonly TaskPool[] = [];
  private prompting!: Prompting;
  private saved = 0;
  private clock = performance.now();
  private readonly sums = new SftSums();
  private readonly boards: Boards;

  constructor(
    private readonly recipe: SftRecipe,
    private readonly parts: SftParts,
    private readonly directory: RunDirectory,
    private readonly options: TrainOptions,
  ) {
    this.boards = boardsOf(directory.path, recipe);
    const thinking = recipe.agent.thinking ?? undefined;
    this.policy = new EnginePolicy(parts.engine, { id: `run:${directory.path}`, thinking });
  }

  async run(): Promise<TrainResult> {
    try {
      const upcoming = await this.open();
      const reason = await this.loop(upcoming);
      const result = await this.finish(reason);
      await this.boards.finish(true);
      return result;
    } catch (thrown) {
      if (this.options.signal.aborted) return await this.interrupted();
      const error = trainingFailure(thrown, 'sft', this.directory.path);
      await this.note(`failed: ${error.message}`).catch(() => undefined); // a full disk takes no line
      await this.boards.finish(false).catch(() => undefined);
      await this.directory.fail(error);
      throw error;
    }
  }

  private async open(): Promise<SftBatch | undefined> {
    const { recipe, parts } = this;
    const { from = 0 } = this.options;
    this.prompting = await openPrompting({ ...recipe.agent, format: recipe.agent.format ?? 'direct' });
    const trained = await Promise.all(recipe.data.experts.map((entry) => openPool(entry, parts)));
    this.panels = await this.openPanels(trained);
    if (from > 0) {
      this.state = parseSftState(await this.directory.checkpoints.state(from), from);
      await parts.engine.load(this.directory.checkpoints.path(from), { optimizer: true });
      await parts.source.restore(this.state.position);
      this.saved = from;
    }
    this.state.position = parts.source.position;
    const upcoming = await parts.source.next(recipe.batch_tokens);
    if (this.state.curriculum) parts.source.restoreCurriculum?.(this.state.curriculum);
    await this.directory.begin({
      step: this.state.step,
      environments: Object.fromEntries(
        [...trained, ...this.panels].flatMap((pool) => pool.environments).map(({ name, version }) => [name, version]),
      ),
    });
    await this.note(`${from > 0 ? `resumed after step ${from}` : 'started'}: ${this.directory.info.title}, seed ${recipe.seed}`);
    return upcoming;
  }

  /** Experts demonstrate whole splits, so nothing can be held out of them; a panel that they demonstrate too is named. */
  private async openPanels(trained: readonly TaskPool[]): Promise<readonly TaskPool[]> {
    const { panels, notes } = await openPanels(this.recipe.evaluate, trained, this.parts);
    const kept = panels.filter(({ name, size }) => !(name.endsWith(':held-out') && Number.isFinite(size)));
    if (notes.length > 0 && kept.length > 0)
      await this.note('experts demonstrate tasks that are evaluated on: demonstrate another split');
    const { every, split } = this.recipe.evaluate;
    if (every > 0 && kept.length === 0)
      await this.note(
        `nothing is evaluated: what is learned from has no split ${split}; name one with evaluate.split or evaluate.panels`,
      );
    return kept;
  }

  /** Trains until there is a reason to end. */
  private async loop(first: SftBatch | undefined): Promise<string | undefined> {
    const { recipe, parts } = this;
    let upcoming = Promise.resolve(first);
    if (this.state.step === 0 && recipe.evaluate.at_start && !(await this.played()).has(0)) await this.evaluate(0, {});
    if (this.state.owesEvaluation) await this.makeUp(this.state.step);
    this.clock = performance.now();
    for (;;) {
      const batch = await upcoming;
      const progress = this.progress();
      if (!batch) return 'the data has come to its end';
      if (progress >= 1) return undefined;
      this.options.signal.throwIfAborted();
      const step = this.state.step + 1;
      const position = parts.source.position;
      const learning = this.learn(batch, step, { from: progress, to: this.progressAfter(batch, position.drawn) });
      upcoming = parts.source.next(recipe.batch_tokens);
      upcoming.catch(() => undefined);
      const [norm, learningRate] = await learning;
      await upcoming;
      this.advance(step, batch);
      this.state.position = position;
      await this.after(step, batch, norm, learningRate);
    }
  }

  private async learn(
    { data, ungraded }: SftBatch,
    step: number,
    share: Share,
  ): Promise<[norm: number | undefined, learningRate: number]> {
    const { recipe, parts } = this;
    const { optimizer } = recipe;
    const weights = tokenWeights(
      data.map((datum) => datum.logprobs.length),
      'token-mean',
    );
    for (const [from, to] of cuts(data, recipe.micro_tokens)) {
      const part = weights.subarray(from, to);
      const report = await parts.engine.forwardBackward(data.slice(from, to), imitation(data.slice(from, to), part));
      if (!Number.isFinite(report.loss)) throw notFinite(`the loss of step ${step} is ${report.loss}`);
      this.sums.add(data.slice(from, to), report.scores, ungraded);
    }
    const learningRate = learningRateOver(step, share, optimizer);
    const report = await parts.engine.optimStep({
      learningRate,
      beta1: optimizer.betas[0],
      beta2: optimizer.betas[1],
      epsilon: optimizer.epsilon,
      weightDecay: optimizer.weight_decay,
      embeddingRate: optimizer.embedding_rate,
      clipNorm: optimizer.clip_norm,
    });
    return [normOf(report, `the gradient of step ${step}`), learningRate];
  }

  /** How much of the run is done, by whichever limit is nearest. */
  private progress(): number {
    const { step, tokens, elapsed, position } = this.state;
    return shareOf(this.recipe, this.parts.source.size, { step, tokens, elapsed, drawn: position.drawn });
  }

  /** The same once this batch is learned; as for time, if it takes as long as the ones before. */
  private progressAfter(batch: SftBatch, drawn: number): number {
    const { step, tokens, elapsed } = this.state;
    const after = { step: step + 1, tokens: tokens + tokensOf(batch), elapsed: elapsed + elapsed / Math.max(1, step), drawn };
    return shareOf(this.recipe, this.parts.source.size, after);
  }

  private advance(step: number, batch: SftBatch): void {
    const now = performance.now();
    this.state = {
      ...this.state,
      step,
      tokens: this.state.tokens + tokensOf(batch),
      sequences: this.state.sequences + batch.data.length,
      elapsed: this.state.elapsed + (now - this.clock) / 1000,
    };
    this.clock = now;
    const accuracy = this.sums.batch();
    const line = accuracy && this.parts.source.note?.(accuracy);
    this.state.curriculum = this.parts.source.curriculum;
    if (line !== undefined) this.note(`step ${step}: ${line}`).catch(() => undefined); // the run goes on without the line
  }

  private async after(step: number, batch: SftBatch, norm: number | undefined, learningRate: number): Promise<void> {
    const { recipe } = this;
    const due = (every: number): boolean => every > 0 && step % every === 0;
    let best = false;
    if (due(recipe.log.every) || due(recipe.validate.every) || due(recipe.evaluate.every)) {
      const metrics: Record<string, number> = {
        'train/loss': 0,
        ...this.sums.take(),
        ...(norm !== undefined && { 'train/grad_norm': norm }),
        'train/lr': learningRate,
        'train/total_tokens': this.state.tokens,
        'train/sequences': this.state.sequences,
        'train/epoch': batch.epoch,
        'perf/elapsed': this.state.elapsed,
        ...(this.parts.source.difficulty === undefined ? {} : { 'train/difficulty': this.parts.source.difficulty }),
      };
      if (due(recipe.validate.every)) {
        const loss = await this.validate();
        if (loss !== undefined) metrics['val/loss'] = loss;
        if (loss !== undefined && recipe.evaluate.every === 0) best = await this.isBest({ step, score: loss, by: 'loss' });
      }
      if (due(recipe.evaluate.every)) {
        const score = await this.evaluate(step, metrics).catch((thrown: unknown) => {
          if (!this.options.signal.aborted) throw thrown;
          this.state.owesEvaluation = true; // the step itself must not be lost; its evaluation is made up for
          return undefined;
        });
        if (score !== undefined) best = await this.isBest({ step, score, by: 'success' });
      }
      await this.directory.metrics.append(step, metrics);
      await this.boards.scalars(step, metrics);
      await this.directory.update({ step, tokens: this.state.tokens });
      this.report(step, metrics);
    }
    if (best || due(recipe.checkpoint.every)) await this.save();
    this.clock = performance.now();
  }

  /** The evaluation that was interrupted, and its columns. */
  private async makeUp(step: number): Promise<void> {
    this.state.owesEvaluation = false;
    await this.directory.forgetEvaluation(step);
    const metrics: Record<string, number> = {};
    const score = await this.evaluate(step, metrics);
    await this.directory.metrics.amend(step, metrics);
    if (score !== undefined) await this.isBest({ step, score, by: 'success' });
  }

  private async isBest(candidate: Best): Promise<boolean> {
    if (!this.recipe.evaluate.choose && candidate.by === 'success') return false;
    const before = await this.directory.checkpoints.best();
    if (before && !isBetter(candidate, before)) return false;
    await this.directory.checkpoints.setBest(candidate);
    await this.directory.update({ best: candidate });
    return true;
  }

  private async validate(): Promise<number | undefined> {
    const source = await this.parts.validation?.();
    if (!source) return undefined;
    let [loss, tokens] = [0, 0];
    for (let i = 0; i < this.recipe.validate.batches; i++) {
      const batch = await source.next(this.recipe.batch_tokens);
      if (!batch) break;
      for (const { scores } of await this.parts.engine.forward(batch.data)) {
        for (const logprob of scores) loss -= logprob;
        tokens += scores.length;
      }
    }
    return tokens === 0 ? undefined : loss / tokens;
  }

  private async evaluate(step: number, metrics: Record<string, number>): Promise<number | undefined> {
    if (this.panels.length === 0) return undefined;
    const { recipe } = this;
    const result = await evaluatePanels(this.panels, {
      config: recipe.evaluate,
      policy: this.policy,
      prompting: this.prompting,
      limits: limitsOf(recipe.agent, recipe.agent.max_turns),
      concurrency: 256,
      seed: recipe.seed,
      step,
      signal: this.options.signal,
    });
    Object.assign(metrics, result.metrics);
    await recordEvaluation(result, step, this.directory, this.options.events);
    return result.score;
  }

  /** Steps after which the panels were played. */
  private async played(): Promise<ReadonlySet<number>> {
    return new Set((await readEvaluations(this.directory.path)).map((line) => line.step));
  }

  private async save(): Promise<void> {
    const { step } = this.state;
    if (this.saved === step || step === 0) return;
    await this.directory.checkpoints.save(step, this.state, async (folder) => {
      await this.parts.engine.save(folder, { optimizer: true });
      await writeAgentRecord(folder, agentRecord(this.recipe.agent, this.prompting));
    });
    await this.directory.checkpoints.retain(this.recipe.checkpoint.keep);
    this.saved = step;
  }

  private async finish(reason: string | undefined): Promise<TrainResult> {
    const { step } = this.state;
    if (this.recipe.checkpoint.at_end) await this.save();
    if (this.recipe.evaluate.at_end && this.panels.length > 0) {
      // A kill after the evaluation and before the end leaves it in the log: it is not played twice.
      const played = await this.played();
      const score = played.has(step) ? undefined : await this.evaluate(step, {});
      const best = await this.directory.checkpoints.best();
      if (best && best.step !== step && best.by === 'loss' && !played.has(best.step)) {
        // Chosen by validation loss: play it too, then put the last weights back.
        await this.parts.engine.load(this.directory.checkpoints.path(best.step));
        await this.evaluate(best.step, {});
        await this.parts.engine.load(this.directory.checkpoints.path(step), { optimizer: true });
      } else if (score !== undefined && best?.by !== 'loss') await this.isBest({ step, score, by: 'success' });
    }
    await this.directory.metrics.finish();
    // Whoever started the run says how it ended.
    await this.directory.note(`finished after step ${step}${reason === undefined ? '' : `: ${reason}`}`);
    await this.directory.update({ status: 'finished', reason, step, tokens: this.state.tokens });
    return { status: 'finished', reason, step, directory: this.directory.path, best: await this.directory.checkpoints.best() };
  }

  private async interrupted(): Promise<TrainResult> {
    await this.save();
    const { step } = this.state;
    await this.note(`interrupted after step ${step}`);
    await this.directory.update({ status: 'interrupted', reason: 'interrupted', step });
    return { status: 'interrupted', reason: 'interrupted', step, directory: this.directory.path };
  }

  private report(step: number, metrics: Readonly<Record<string, number>>): void {
    const done = this.progress();
    const { elapsed } = this.state;
    const left = done > 0 ? (elapsed * (1 - done)) / done : null;
    this.options.events?.onStep?.({ step, steps: this.recipe.steps, metrics, elapsed, left });
    this.note(sftLine(step, metrics)).catch(() => undefined); // the run goes on without the line
  }

  private async note(text: string): Promise<void> {
    this.options.events?.onNote?.(text);
    await this.directory.note(text);
  }
}

/** Cross-entropy of a micro-batch; its derivative is known before the scores are. */
function imitation(data: SftBatch['data'], weights: Float64Array): Loss {
  const loss = (scores: readonly TokenScores[]): LossGradient =>
    crossEntropy(
      scores.map((row) => row.scores),
      weights,
    );
  const slopes = data.map(({ logprobs }, i) => new Float32Array(logprobs.length).fill(-at(weights, i)));
  return Object.assign(loss, { slopes });
}
