/**
 * The RL loop: sample → score → advantages → critic → policy → evaluate → checkpoint. At staleness 0 everything is a function of
 * recipe and seed, so a killed run that is resumed ends with the same bits; at staleness k, sampling runs up to k steps ahead of
 * learning. Stops with a reason on numbers that are not finite, on lost signal, on early stop and on request.
 */
import type { RlRecipe } from '../../config/rl-recipe.ts';
import { linked, type Limit } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { nextKlCoefficient } from '../../learn/kl.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import { causeText } from '../../run/cause.ts';
import { episodeRecord } from '../../run/episode-record.ts';
import { layout } from '../../run/layout.ts';
import { readEvaluations } from '../../run/metrics-log.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { boardsOf, type Boards } from '../../run/trackers/boards.ts';
import { join } from 'node:path';
import { NoiseWatch, remediesFor } from './update/agreement.ts';
import type { TrainingRow } from './update/batch-rows.ts';
import type { TrainResult } from '../run/events.ts';
import { trainingFailure } from '../run/failure.ts';
import { follow } from '../run/following.ts';
import { learnStep } from './update/learn-step.ts';
import { stepLine } from '../run/lines.ts';
import { reasonToStop, type StopReason } from '../run/stop-reason.ts';
import { loadCheckpoint, saveCheckpoint } from './checkpoint.ts';
import { evaluateStep, type Evaluated } from './evaluation.ts';
import { checkParts, type RlParts, type TrainOptions } from './parts.ts';
import { openSetup, type RlSetup } from './setup.ts';
import { needs } from './needs.ts';
import { initialRlState, type RlState } from './state.ts';
import { allEpisodes, collect, type Batch } from './rollout.ts';
import { emptyTimes, metricOf, stepMetrics, trainerShare } from './step-metrics.ts';
import { rememberTasks } from '../tasks/preference.ts';

/** The RL trainer over parts that are open already; `startRl` opens them from a recipe. */
export async function trainRl(
  recipe: RlRecipe,
  parts: RlParts,
  directory: RunDirectory,
  options: TrainOptions,
): Promise<TrainResult> {
  const trainer = new RlTrainer(recipe, parts, directory, options);
  return trainer.run();
}

class RlTrainer {
  /** Ends what is being played when the run ends or its owner says so. */
  private readonly rollouts: Limit;
  private readonly policy: EnginePolicy;
  /** What evaluations play: the policy, or the mean of its weights. */
  private readonly evaluated: EnginePolicy;
  private readonly pending = new Map<number, Promise<Batch>>();
  private readonly startedFrom = new Map<number, readonly number[]>();
  private readonly began = performance.now();
  /** Step of the checkpoint that the run goes on from, 0 for a new one. */
  private readonly from: number;
  private setup!: RlSetup;
  private writing: Promise<void> = Promise.resolve();
  private saved = 0;
  /** Seconds of the last step that went into metrics, files and notes. */
  private bookkeeping = 0;
  private readonly boards: Boards;
  private readonly agreement: NoiseWatch;
  private state: RlState;

  constructor(
    readonly recipe: RlRecipe,
    readonly parts: RlParts,
    readonly directory: RunDirectory,
    private readonly options: TrainOptions,
  ) {
    ({ from: this.from = 0 } = options);
    this.rollouts = linked(options.signal);
    const thinking = recipe.agent.thinking ?? undefined;
    const named = { id: `run:${directory.path}`, thinking };
    this.policy = new EnginePolicy(parts.engine, named);
    this.evaluated = parts.average ? new EnginePolicy(parts.average, named) : this.policy;
    this.boards = boardsOf(directory.path, recipe);
    this.agreement = new NoiseWatch(remediesFor(recipe));
    this.state = initialRlState(recipe);
  }

  async run(): Promise<TrainResult> {
    try {
      await this.open();
      const result = await this.loop();
      await this.boards.finish(true);
      return result;
    } catch (thrown) {
      if (this.options.signal.aborted) return await this.interrupted();
      const error = trainingFailure(thrown, 'train', this.directory.path);
      await this.note(`failed: ${error.message}`).catch(() => undefined); // a full disk takes no line
      await this.boards.finish(false).catch(() => undefined);
      await this.directory.fail(error);
      throw error;
    } finally {
      this.rollouts.abort(new AgogeError('TRAIN_ENDED', 'the run has ended'));
      this.rollouts[Symbol.dispose]();
      await Promise.allSettled([...this.pending.values(), this.writing]);
    }
  }

  private async open(): Promise<void> {
    const { recipe, parts } = this;
    checkParts(recipe, parts);
    for (const rewrite of this.policy.renderer.rewrites) await this.note(`chat template: ${JSON.stringify(rewrite)}`);
    this.setup = await openSetup(recipe, parts, this.policy);
    const { environments, notes } = this.setup;
    for (const note of notes) await this.note(note);
    const { from } = this;
    if (from > 0) await this.resume(from);
    if (recipe.algorithm.restart && from === 0) await parts.engine.save(this.startFolder);
    await this.directory.begin({ environments, step: this.state.step, steps: this.planned });
    await this.note(`${from > 0 ? `resumed after step ${from}` : 'started'}: ${this.directory.info.title}, seed ${recipe.seed}`);
  }

  /** Everything is as it was after the step `from`. */
  private async resume(from: number): Promise<void> {
    const { state, note } = await loadCheckpoint(this, from);
    this.state = state;
    this.setup.source.restore(state.source);
    this.setup.source.preference?.restore(state.preference);
    if (state.levels) this.setup.levels?.restore(state.levels);
    this.agreement.restore(state.agreement);
    if (note !== undefined) await this.note(note);
    this.saved = from;
  }

  private async loop(): Promise<TrainResult> {
    const { recipe } = this;
    if (this.state.step === 0 && recipe.evaluate.at_start) await this.evaluate(0);
    if (this.state.owesEvaluation) {
      this.state.owesEvaluation = false;
      await this.directory.forgetEvaluation(this.state.step);
      const made = await this.evaluate(this.state.step);
      if (made) await this.directory.metrics.amend(this.state.step, made.metrics);
    }
    // What had stopped a run still holds when it is resumed: it takes no further step.
    const before = this.state.step > 0 ? reasonToStop(recipe.stop, this.state) : undefined;
    if (before !== undefined) return this.finish('stopped', before);
    while (this.state.step < this.setup.steps) {
      this.options.signal.throwIfAborted();
      const reason = await this.step(this.state.step + 1);
      if (reason !== undefined) return this.finish('stopped', reason);
    }
    this.options.signal.throwIfAborted();
    return this.finish('finished');
  }

  /** One step; returns why the run should stop, or undefined. */
  private async step(step: number): Promise<StopReason | undefined> {
    const { recipe } = this;
    const from = performance.now();
    for (let ahead = step; ahead <= Math.min(this.setup.steps, step + recipe.rollout.staleness); ahead++) this.launch(ahead);
    const batch = await this.pending.get(step);
    if (!batch) throw new AgogeError('TRAIN_FAILED', `step ${step} was not sampled; report this`);
    this.pending.delete(step);
    this.startedFrom.delete(step);
    const times = emptyTimes();
    times.gen = (performance.now() - from) / 1000;
    const { klCoefficient, elapsed } = this.state;
    const { renderer, context } = this.policy;
    const adviser = { format: this.setup.prompting.format, renderer, context, mistakes: recipe.algorithm.mistakes };
    const { parts } = this;
    const { steps, anchor } = this.setup;
    if (recipe.algorithm.restart) await parts.engine.load(this.startFolder);
    const learned = await learnStep({ recipe, parts, steps, klCoefficient, adviser, anchor, elapsed }, step, batch, times);
    this.adaptKl(learned.kl, learned.rows.length);
    if (await follow(recipe, parts, step)) this.state.renewed = step;
    times.step = (performance.now() - from) / 1000;
    const metrics = stepMetrics({ batch, times, ...learned }, recipe);
    const after = performance.now();
    metrics['perf/trainer_share'] = trainerShare(times, this.bookkeeping);
    await this.watchAgreement(metrics);
    if (recipe.algorithm.renew !== null) metrics['actor/reference_step'] = this.state.renewed;
    Object.assign(metrics, rememberTasks(this.setup.source.preference, batch), await this.watchLevel(batch));
    this.advance(step, batch, metrics, times.step);
    await this.writing;
    this.writing = this.writeEpisodes(step, batch, learned.rows);
    this.writing.catch(() => undefined); // awaited at the end of the next step
    const signal =
      learned.advice !== undefined ||
      (metrics['critic/score/max'] !== metrics['critic/score/min'] &&
        (this.grouped ? metrics['train/groups_with_signal'] !== 0 : true));
    this.state.withoutSignal = signal ? 0 : this.state.withoutSignal + 1;

    const due = recipe.evaluate.every > 0 && step % recipe.evaluate.every === 0;
    const evaluated = due || (step === this.setup.steps && recipe.evaluate.at_end) ? await this.evaluateOrOwe(step) : undefined;
    if (evaluated) Object.assign(metrics, evaluated.metrics);
    await this.directory.metrics.append(step, metrics);
    await this.boards.scalars(step, metrics);
    const last = step === this.setup.steps && recipe.checkpoint.at_end;
    const beforeSaving = performance.now();
    if (evaluated?.best === true || last || (recipe.checkpoint.every > 0 && step % recipe.checkpoint.every === 0))
      await this.save();
    const saving = (performance.now() - beforeSaving) / 1000;
    await this.directory.update({ step, episodes: this.state.episodes, tokens: this.state.tokens });
    this.report(step, metrics);
    // Evaluations and checkpoints are work that was asked for; the rest is the trainer's own and counts with the next step.
    this.bookkeeping = (performance.now() - after) / 1000 - (evaluated ? evaluated.seconds : 0) - saving;
    return reasonToStop(recipe.stop, this.state, evaluated?.score);
  }

  private async watchAgreement(metrics: Record<string, number>): Promise<void> {
    const episodes = metricOf(metrics, 'train/episodes');
    metrics['train/episodes_so_far'] = this.state.episodes + episodes;
    const { metrics: found, warning } = this.agreement.note(metrics['train/gradient_agreement'], {
      batch: episodes / this.recipe.update.minibatches,
      planned: this.planned === null ? undefined : this.planned * episodes,
    });
    Object.assign(metrics, found);
    if (warning !== undefined) await this.note(warning);
  }

  private async watchLevel(batch: Batch): Promise<Record<string, number>> {
    const { metrics = {}, sentence } = this.setup.levels?.note(batch) ?? {};
    if (sentence !== undefined) await this.note(sentence);
    return metrics;
  }

  private launch(step: number): void {
    if (this.pending.has(step)) return;
    this.startedFrom.set(step, this.setup.source.state);
    const batch = collect(step, {
      recipe: this.recipe,
      policy: this.policy,
      ...this.setup,
      signal: this.rollouts.signal,
    });
    batch.catch(() => undefined); // awaited when its step comes
    this.pending.set(step, batch);
  }

  private adaptKl(kl: number, rows: number): void {
    const config = this.recipe.algorithm.kl;
    if (config === false || config.in !== 'reward') return;
    const { control: type, target, horizon } = config;
    this.state.klCoefficient = nextKlCoefficient(this.state.klCoefficient, kl, rows, { type, target, horizon });
  }

  private advance(step: number, batch: Batch, metrics: Readonly<Record<string, number>>, seconds: number): void {
    const played = allEpisodes(batch).length;
    this.state = {
      ...this.state,
      step,
      source: [...(this.startedFrom.get(step + 1) ?? this.setup.source.state)],
      preference: this.setup.source.preference?.state ?? {},
      levels: this.setup.levels?.state ?? null,
      agreement: this.agreement.state,
      episodes: this.state.episodes + played,
      tokens: this.state.tokens + metricOf(metrics, 'perf/total_num_tokens'),
      elapsed: this.state.elapsed + seconds,
    };
  }

  private async writeEpisodes(step: number, batch: Batch, rows: readonly TrainingRow[]): Promise<void> {
    const { episodes: every } = this.recipe.log;
    if (every === 0 || step % every !== 0) return;
    const advantage = new Map(rows.map((row) => [row.episode, row.advantages.at(-1)]));
    const records = allEpisodes(batch).map((episode) =>
      episodeRecord(episode.trajectory, { step, advantage: advantage.get(episode) }),
    );
    await this.directory.episodes.write(step, records);
  }

  private async evaluate(step: number): Promise<Evaluated | undefined> {
    if (this.setup.panels.length === 0) return undefined;
    const { recipe, directory, setup, evaluated: policy } = this;
    const { signal } = this.rollouts;
    const { events } = this.options;
    const made = await evaluateStep(step, { ...setup, recipe, directory, policy, signal, events });
    this.state.sinceBest = made.best ? 0 : this.state.sinceBest + 1;
    return made;
  }

  /** An interrupted evaluation must not lose the step it follows: it is made up for after the resume. */
  private async evaluateOrOwe(step: number): Promise<Evaluated | undefined> {
    try {
      return await this.evaluate(step);
    } catch (thrown) {
      if (!this.options.signal.aborted) throw thrown;
      this.state.owesEvaluation = true;
      return undefined;
    }
  }

  private async save(): Promise<void> {
    const { step } = this.state;
    if (this.saved === step) return;
    await this.writing;
    await saveCheckpoint(this, this.state, this.setup.prompting);
    this.saved = step;
  }

  private async finish(status: 'finished' | 'stopped', cause?: StopReason): Promise<TrainResult> {
    const { step } = this.state;
    const reason = cause && causeText(cause);
    await this.writing;
    const { evaluate, checkpoint } = this.recipe;
    if (evaluate.at_end && !(await readEvaluations(this.directory.path)).some((line) => line.step === step))
      await this.evaluate(step);
    if (step > 0 && checkpoint.at_end) await this.save();
    await this.directory.metrics.finish();
    // Whoever started the run says how it ended.
    await this.directory.note(reason === undefined ? `finished after step ${step}` : `stopped after step ${step}: ${reason}`);
    await this.directory.update({ status, reason, cause, step });
    return { status, reason, step, directory: this.directory.path, best: await this.directory.checkpoints.best() };
  }

  /** The weights are those after the last whole step: they are saved, and the run can be resumed from there. */
  private async interrupted(): Promise<TrainResult> {
    const { step } = this.state;
    if (step > 0) await this.save();
    const reason = 'interrupted';
    await this.note(`interrupted after step ${step}`);
    await this.directory.update({ status: 'interrupted', reason, step });
    return { status: 'interrupted', reason, step, directory: this.directory.path, best: await this.directory.checkpoints.best() };
  }

  /** The weights of the start, where each step learns from them. */
  private get startFolder(): string {
    return join(this.directory.path, layout.start);
  }

  /** Does the estimator compare within groups (and so needs groups with different rewards)? */
  private get grouped(): boolean {
    const compares = needs(this.recipe, 'groups') || needs(this.recipe, 'greedy');
    return this.recipe.algorithm.outcome > 0 && compares;
  }

  /** The steps that are meant; null where minutes decide: ten thousand steps beside a limit of minutes are no plan. */
  private get planned(): number | null {
    return this.recipe.stop.minutes !== null && this.setup.steps >= 10_000 ? null : this.setup.steps;
  }

  private report(step: number, metrics: Readonly<Record<string, number>>): void {
    const elapsed = (performance.now() - this.began) / 1000;
    const done = step - this.from;
    const { minutes } = this.recipe.stop;
    const bySteps = (elapsed / Math.max(1, done)) * (this.setup.steps - step);
    const left = minutes === null ? bySteps : Math.min(bySteps, Math.max(0, 60 * minutes - elapsed));
    this.options.events?.onStep?.({ step, steps: this.setup.steps, metrics, elapsed, left });
    this.note(stepLine(step, this.planned, metrics)).catch(() => undefined); // the run goes on without the line
  }

  private async note(text: string): Promise<void> {
    this.options.events?.onNote?.(text);
    await this.directory.note(text);
  }
}
