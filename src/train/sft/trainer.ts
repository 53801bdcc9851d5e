/**
 * The supervised loop: batches of sequences, cross-entropy on the replies, one optimizer step each. The next batch is drawn while
 * the engine works on this one. Validation loss, evaluation by playing, checkpoints and resume are the lifecycle's (run/lifecycle.ts).
 */
import { openPrompting, type Prompting } from '../../agent/prompting.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import type { Engine, Loss, LossGradient, TokenScores } from '../../engine/engine.ts';
import { rulesOf } from '../../envs/load-file.ts';
import { tokenWeights } from '../../learn/losses/aggregate.ts';
import { crossEntropy } from '../../learn/losses/cross-entropy.ts';
import { at } from '../../learn/numbers.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import { writeAgentRecord } from '../../run/agent-record.ts';
import { LivePolicy } from '../../run/live-policy.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { agentRecord, limitsOf } from '../run/agent-setup.ts';
import { cardMetrics } from '../run/card-metrics.ts';
import type { TrainResult } from '../run/events.ts';
import { normOf, notFinite } from '../run/finite.ts';
import { runTrainer } from '../run/lifecycle.ts';
import { sftLine } from '../run/lines.ts';
import { adamOf } from '../run/optimizer.ts';
import { openPanels } from '../run/open-panels.ts';
import { evaluationConcurrency } from '../run/open-parts.ts';
import { learningRateOver } from '../run/schedules.ts';
import type { Ending, Opening, OpenRun, Trainer, TrainOptions } from '../run/trainer.ts';
import { openDeck, type DeckParts, type TaskDeck } from '../tasks/deck.ts';
import { DataWaits } from './data-waits.ts';
import { cuts, shareOf, tokensOf, type Share } from './share.ts';
import type { SftBatch, SftSource } from './source.ts';
import { parseSftState, type SftState } from './state.ts';
import { SftSums } from './sums.ts';

export interface SftParts extends DeckParts {
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
  return runTrainer(new SftTrainer(recipe, parts, directory.path), recipe, directory, options);
}

/** What is logged of the last step alone; the rest adds up over steps (sums.ts). */
interface LastStep {
  readonly norm: number | undefined;
  readonly learningRate: number;
  readonly epoch: number;
}

class SftTrainer implements Trainer {
  state: SftState = {
    v: 1,
    kind: 'sft',
    step: 0,
    tokens: 0,
    sequences: 0,
    elapsed: 0,
    position: { drawn: 0 },
    owesEvaluation: false,
  };
  readonly engines: readonly Engine[];
  readonly imitates = true;
  private readonly sums = new SftSums();
  private readonly waits: DataWaits;
  private run: OpenRun | undefined;
  private prompting!: Prompting;
  /** Plays the evaluations. */
  private policy: LivePolicy | undefined;
  /** The next batch; undefined where the data has come to its end. */
  private upcoming: SftBatch | undefined;
  private last: LastStep | undefined;

  constructor(
    private readonly recipe: SftRecipe,
    private readonly parts: SftParts,
    private readonly folder: string,
  ) {
    this.engines = [parts.engine];
    this.waits = new DataWaits(recipe);
  }

  async open(run: OpenRun): Promise<Opening> {
    const { recipe, parts, folder } = this;
    const { agent } = recipe;
    this.run = run;
    this.prompting = await openPrompting({ ...agent, format: agent.format ?? 'direct' });
    const trained = await Promise.all(recipe.data.experts.map((entry) => openDeck(entry, parts)));
    const panels = await this.openPanels(trained, run);
    const named = { id: `run:${folder}`, thinking: agent.thinking ?? undefined };
    this.policy = new LivePolicy(new EnginePolicy(parts.engine, named), folder);
    const played = [...trained, ...panels].flatMap((deck) => deck.environments);
    const limits = limitsOf(agent, agent.max_turns);
    return {
      environments: Object.fromEntries(played.map((one) => [one.name, rulesOf(one)])),
      steps: recipe.steps,
      evaluation: { panels, policy: this.policy, prompting: this.prompting, limits, concurrency: evaluationConcurrency },
    };
  }

  async restore(json: unknown, folder: string, step: number): Promise<undefined> {
    this.state = parseSftState(json, step);
    await this.parts.engine.load(folder, { optimizer: true });
    await this.parts.source.restore(this.state.position);
  }

  async begin(): Promise<void> {
    const { source } = this.parts;
    this.state.position = source.position;
    this.upcoming = await source.next(this.recipe.batch_tokens);
    if (this.state.curriculum) source.restoreCurriculum?.(this.state.curriculum);
  }

  /** By steps, tokens, minutes or epochs. */
  share(): number {
    const { step, tokens, elapsed, position } = this.state;
    return shareOf(this.recipe, this.parts.source.size, { step, tokens, elapsed, drawn: position.drawn });
  }

  ending(): Ending | undefined {
    if (!this.upcoming) return { status: 'finished', reason: 'the data has come to its end' };
    return this.share() >= 1 ? { status: 'finished' } : undefined;
  }

  async step(): Promise<void> {
    const { source } = this.parts;
    const from = performance.now();
    const batch = this.upcoming;
    if (!batch) return;
    const step = this.state.step + 1;
    const { position } = source;
    const learning = this.learn(batch, step, { from: this.share(), to: this.shareAfter(batch, position.drawn) });
    const upcoming = source.next(this.recipe.batch_tokens);
    upcoming.catch(() => undefined);
    const [norm, learningRate] = await learning;
    const learned = performance.now();
    this.upcoming = await upcoming;
    this.waits.add(performance.now() - learned, performance.now() - from);
    const line = source.note?.(this.sums.batch());
    if (line !== undefined) this.run?.note(`step ${step}: ${line}`).catch(() => undefined); // the run goes on without the line
    this.last = { norm, learningRate, epoch: batch.epoch };
    this.state = {
      ...this.state,
      step,
      tokens: this.state.tokens + tokensOf(batch),
      sequences: this.state.sequences + batch.data.length,
      elapsed: this.state.elapsed + (performance.now() - from) / 1000,
      position,
      curriculum: source.curriculum,
    };
  }

  metrics(): Record<string, number> {
    const { tokens, sequences, elapsed } = this.state;
    const { norm, learningRate, epoch } = this.last ?? {};
    const { difficulty, difficulties = {} } = this.parts.source;
    const waits = this.waits.take();
    return {
      ...this.sums.take(),
      ...(norm !== undefined && { 'train/grad_norm': norm }),
      ...(learningRate !== undefined && { 'train/lr': learningRate }),
      'train/total_tokens': tokens,
      'train/sequences': sequences,
      ...(epoch !== undefined && { 'train/epoch': epoch }),
      'perf/elapsed': elapsed,
      ...(waits !== undefined && { 'perf/data_wait_share': waits }),
      ...cardMetrics(this.parts.engine),
      ...(difficulty !== undefined && { 'train/difficulty': difficulty }),
      ...Object.fromEntries(Object.entries(difficulties).map(([name, own]) => [`train/difficulty/${name}`, own])),
    };
  }

  line(metrics: Readonly<Record<string, number>>): string {
    return sftLine(this.state.step, metrics);
  }

  diagnose(metrics: Readonly<Record<string, number>>): string[] {
    const waits = this.waits.sentence(metrics['perf/data_wait_share']);
    return waits === undefined ? [] : [waits];
  }

  async validate(): Promise<Record<string, number>> {
    const source = await this.parts.validation?.();
    let [loss, tokens] = [0, 0];
    for (let i = 0; source && i < this.recipe.validate.batches; i++) {
      const batch = await source.next(this.recipe.batch_tokens);
      if (!batch) break;
      for (const { scores } of await this.parts.engine.forward(batch.data)) {
        for (const logprob of scores) loss -= logprob;
        tokens += scores.length;
      }
    }
    return tokens === 0 ? {} : { 'val/loss': loss / tokens };
  }

  async saveStart(folder: string): Promise<void> {
    await this.parts.engine.save(folder);
    await writeAgentRecord(folder, agentRecord(this.recipe.agent, this.prompting));
  }

  async save(folder: string): Promise<void> {
    await this.parts.engine.save(folder, { optimizer: true });
    await writeAgentRecord(folder, agentRecord(this.recipe.agent, this.prompting));
  }

  async close(): Promise<void> {
    await this.policy?.endLive();
  }

  /**
   * Experts demonstrate whole splits, so nothing can be held out of them but of an endless one, which is drawn from below its panel; a
   * panel that they demonstrate too is named.
   */
  private async openPanels(trained: readonly TaskDeck[], run: OpenRun): Promise<readonly TaskDeck[]> {
    const { panels, decks } = await openPanels(this.recipe.evaluate, trained, this.parts);
    // A line of generated worlds plays no task of its split.
    const shown = decks.some((deck, at) => deck !== trained[at] && !this.recipe.data.experts[at]?.generated);
    const whole = new Set(trained.filter(({ size }) => size !== Infinity).map(({ name }) => `${name}:held-out`));
    const kept = panels.filter(({ name }) => !whole.has(name));
    if (shown && kept.length > 0) await run.note('experts demonstrate tasks that are evaluated on: demonstrate another split');
    const { every, split } = this.recipe.evaluate;
    if (every > 0 && kept.length === 0)
      await run.note(
        `nothing is evaluated: what is learned from has no split ${split}; name one with evaluate.split or evaluate.panels`,
      );
    return kept;
  }

  private async learn(
    { data, judged }: SftBatch,
    step: number,
    share: Share,
  ): Promise<[norm: number | undefined, learningRate: number]> {
    const { recipe, parts } = this;
    const weights = tokenWeights(
      data.map((datum) => datum.logprobs.length),
      'token-mean',
    );
    const { signal } = this.run ?? {};
    for (const [from, to] of cuts(data, recipe.micro_tokens)) {
      // A step may take minutes. Until its update the weights are those of the step before, so it can be left anywhere.
      signal?.throwIfAborted();
      const part = weights.subarray(from, to);
      const batch = data.slice(from, to);
      const report = await parts.engine.forwardBackward(batch, imitation(batch, part), signal === undefined ? {} : { signal });
      if (!Number.isFinite(report.loss)) throw notFinite(`the loss of step ${step} is ${report.loss}`);
      this.sums.add(batch, report.scores, judged);
    }
    const learningRate = learningRateOver(step, share, recipe.optimizer);
    const report = await parts.engine.optimStep(adamOf(recipe.optimizer, learningRate));
    return [normOf(report, `the gradient of step ${step}`), learningRate];
  }

  /** The share once this batch is learned; as for time, if it takes as long as the ones before. */
  private shareAfter(batch: SftBatch, drawn: number): number {
    const { step, tokens, elapsed } = this.state;
    const after = { step: step + 1, tokens: tokens + tokensOf(batch), elapsed: elapsed + elapsed / Math.max(1, step), drawn };
    return shareOf(this.recipe, this.parts.source.size, after);
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
