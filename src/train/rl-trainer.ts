/**
 * The RL loop: sample → score → advantages → critic → policy → evaluate → checkpoint. At staleness 0 everything is a function of
 * recipe and seed, so a killed run that is resumed ends with the same bits; at staleness k, sampling runs up to k steps ahead of
 * learning. Stops with a reason on numbers that are not finite, on lost signal, on early stop and on request.
 */
import { openPrompting, type Prompting } from '../agent/prompting.ts';
import type { RlRecipe } from '../config/rl-recipe.ts';
import { linked, type Limit } from '../core/deadline.ts';
import { AgogeError } from '../core/error.ts';
import type { Engine } from '../engine/engine.ts';
import { nextKlCoefficient } from '../learn/kl.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { openReward, type OpenReward } from '../rewards/open.ts';
import { writeAgentRecord } from '../run/agent-record.ts';
import { episodeRecord } from '../run/episode-record.ts';
import { layout } from '../run/layout.ts';
import { readEvaluations } from '../run/metrics-log.ts';
import type { RunDirectory } from '../run/run-directory.ts';
import { boardsOf, type Boards } from '../run/boards.ts';
import { join } from 'node:path';
import { needsAdvice } from './advice.ts';
import { AgreementWatch, remediesFor } from './agreement.ts';
import type { TrainingRow } from './batch-rows.ts';
import type { TrainerEvents, TrainResult } from './events.ts';
import { trainingFailure } from './failure.ts';
import { checkFollowers, follow, loadFollowers, saveFollowers } from './following.ts';
import { learnStep } from './learn-step.ts';
import { stepLine } from './lines.ts';
import { reasonToStop } from './stop-reason.ts';
import { agentRecord, limitsOf } from './agent-setup.ts';
import { evaluatePanels, recordEvaluation } from './panel.ts';
import { needs } from './needs.ts';
import { openPanels } from './panels.ts';
import { initialRlState, parseRlState, type RlState } from './rl-state.ts';
import { allEpisodes, collect, type Batch } from './rollout.ts';
import { turnsAt } from './schedules.ts';
import { emptyTimes, stepMetrics, trainerShare } from './step-metrics.ts';
import { openPool, stepsOver, type PoolParts, type TaskPool } from './task-pool.ts';
import { Anchor } from './anchor.ts';
import { rememberTasks, TaskPreference } from './task-preference.ts';
import { TaskLevels } from './task-levels.ts';
import { TaskSource } from './task-source.ts';

/** What the RL trainer works with. */
export interface RlParts extends PoolParts {
  readonly engine: Engine;
  /** The policy that KL is measured against; needed when the recipe asks for KL. */
  readonly reference?: Engine | undefined;
  /** A network with a value head; needed for GAE. */
  readonly critic?: Engine | undefined;
  /** Holds the mean of the weights; needed for evaluate.average. */
  readonly average?: Engine | undefined;
}

export interface TrainOptions {
  readonly signal: AbortSignal;
  readonly events?: TrainerEvents;
  /** Step of the checkpoint to go on from; 0 starts anew. */
  readonly from?: number;
}

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
  private panels: readonly TaskPool[] = [];
  private source!: TaskSource;
  private levels: TaskLevels | undefined;
  private anchor: Anchor | undefined;
  private prompting!: Prompting;
  private reward: OpenReward | undefined;
  /** Steps of the whole run: what the recipe says, or what its epochs come to. */
  private steps = 0;
  private writing: Promise<void> = Promise.resolve();
  private saved = 0;
  /** Seconds of the last step that went into metrics, files and notes. */
  private bookkeeping = 0;
  private readonly boards: Boards;
  private readonly agreement: AgreementWatch;
  private state: RlState;

  constructor(
    private readonly recipe: RlRecipe,
    private readonly parts: RlParts,
    private readonly directory: RunDirectory,
    private readonly options: TrainOptions,
  ) {
    this.rollouts = linked(options.signal);
    const thinking = recipe.agent.thinking ?? undefined;
    const named = { id: `run:${directory.path}`, thinking };
    this.policy = new EnginePolicy(parts.engine, named);
    this.evaluated = parts.average ? new EnginePolicy(parts.average, named) : this.policy;
    this.boards = boardsOf(directory.path, recipe);
    this.agreement = new AgreementWatch(remediesFor(recipe));
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
      await this.directory.fail(error.message);
      throw error;
    } finally {
      this.rollouts.abort(new AgogeError('TRAIN_ENDED', 'the run has ended'));
      this.rollouts[Symbol.dispose]();
      await Promise.allSettled([...this.pending.values(), this.writing]);
    }
  }

  private async open(): Promise<void> {
    const { recipe, parts } = this;
    const { kl, preference } = recipe.algorithm;
    if ((kl !== false || preference !== null) && !parts.reference) throw missing('a reference policy', 'algorithm.kl');
    if (needs(recipe, 'critic') && !parts.critic) throw missing('a critic', 'algorithm.estimator');
    checkFollowers(recipe, parts);
    if (recipe.evaluate.average !== false && !parts.average) throw missing('an engine for the mean', 'evaluate.average');
    for (const rewrite of this.policy.renderer.rewrites) await this.note(`chat template: ${JSON.stringify(rewrite)}`);
    this.prompting = await openPrompting({ ...recipe.agent, format: recipe.agent.format ?? 'direct' });
    this.reward = await openReward(recipe.reward);
    const trained = await Promise.all(
      recipe.tasks.map(async (entry) => ({ ...(await openPool(entry, parts)), level: entry.level })),
    );
    const { panels, pools, notes } = await openPanels(recipe.evaluate, trained, parts);
    if (recipe.algorithm.advice > 0)
      for (const pool of pools) for (const environment of pool.environments) needsAdvice(environment);
    this.panels = panels;
    const { prefer } = recipe.rollout;
    this.source = new TaskSource(pools, recipe.seed, prefer === false ? undefined : new TaskPreference(prefer, recipe.seed));
    if (recipe.curriculum !== false) this.levels = new TaskLevels(recipe.curriculum, pools, this.source);
    if (recipe.anchor !== false) {
      const { renderer, context } = this.policy;
      const { anchor: config, seed } = recipe;
      this.anchor = await Anchor.open({ config, format: this.prompting.format, renderer, context, seed }, parts);
    }
    this.steps = stepsOver(recipe, pools);
    for (const note of notes) await this.note(note);
    const from = this.options.from ?? 0;
    if (from > 0) {
      const folder = this.directory.checkpoints.path(from);
      this.state = parseRlState(await this.directory.checkpoints.state(from), from);
      await parts.engine.load(folder, { optimizer: true });
      await parts.critic?.load(join(folder, layout.critic), { optimizer: true });
      this.source.restore(this.state.source);
      this.source.preference?.restore(this.state.preference);
      if (this.state.levels) this.levels?.restore(this.state.levels);
      this.agreement.restore(this.state.agreement);
      const anew = await loadFollowers(recipe, parts, folder);
      if (anew !== undefined) await this.note(anew);
      this.saved = from;
    }
    if (recipe.algorithm.restart && from === 0) await parts.engine.save(this.startFolder);
    const played = pools.flatMap((pool) => pool.environments);
    const environments = Object.fromEntries(played.map(({ name, version }) => [name, version]));
    await this.directory.begin({ environments, step: this.state.step, steps: this.steps });
    await this.note(`${from > 0 ? `resumed after step ${from}` : 'started'}: ${this.directory.info.title}, seed ${recipe.seed}`);
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
    while (this.state.step < this.steps) {
      this.options.signal.throwIfAborted();
      const reason = await this.step(this.state.step + 1);
      if (reason !== undefined) return this.finish('stopped', reason);
    }
    this.options.signal.throwIfAborted();
    return this.finish('finished');
  }

  /** One step; returns why the run should stop, or undefined. */
  private async step(step: number): Promise<string | undefined> {
    const { recipe } = this;
    const from = performance.now();
    for (let ahead = step; ahead <= Math.min(this.steps, step + recipe.rollout.staleness); ahead++) this.launch(ahead);
    const batch = await this.pending.get(step);
    if (!batch) throw new AgogeError('TRAIN_FAILED', `step ${step} was not sampled; report this`);
    this.pending.delete(step);
    this.startedFrom.delete(step);
    const times = emptyTimes();
    times.gen = (performance.now() - from) / 1000;
    const { klCoefficient, elapsed } = this.state;
    const { renderer, context } = this.policy;
    const adviser = { format: this.prompting.format, renderer, context, mistakes: recipe.algorithm.mistakes };
    const { parts, steps, anchor } = this;
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
    Object.assign(metrics, rememberTasks(this.source.preference, batch), await this.watchLevel(batch));
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
    const evaluated = due || (step === this.steps && recipe.evaluate.at_end) ? await this.evaluateOrOwe(step) : undefined;
    if (evaluated) Object.assign(metrics, evaluated.metrics);
    await this.directory.metrics.append(step, metrics);
    await this.boards.scalars(step, metrics);
    const last = step === this.steps && recipe.checkpoint.at_end;
    const beforeSaving = performance.now();
    if (evaluated?.best === true || last || (recipe.checkpoint.every > 0 && step % recipe.checkpoint.every === 0))
      await this.save();
    const saving = (performance.now() - beforeSaving) / 1000;
    await this.directory.update({ step, episodes: this.state.episodes, tokens: this.state.tokens });
    this.report(step, metrics);
    // Evaluations and checkpoints are work that was asked for; the rest is the trainer's own and counts with the next step.
    this.bookkeeping = (performance.now() - after) / 1000 - (metrics['timing_s/testing'] ?? 0) - saving;
    return reasonToStop(recipe.stop, this.state, evaluated?.score);
  }

  private async watchAgreement(metrics: Record<string, number>): Promise<void> {
    const { mean, warning } = this.agreement.note(metrics['train/gradient_agreement']);
    if (mean !== undefined) metrics['train/gradient_agreement_mean'] = mean;
    if (warning !== undefined) await this.note(warning);
  }

  private async watchLevel(batch: Batch): Promise<Record<string, number>> {
    const { metrics = {}, sentence } = this.levels?.note(batch) ?? {};
    if (sentence !== undefined) await this.note(sentence);
    return metrics;
  }

  private launch(step: number): void {
    if (this.pending.has(step)) return;
    this.startedFrom.set(step, this.source.state);
    const batch = collect(step, {
      recipe: this.recipe,
      policy: this.policy,
      prompting: this.prompting,
      source: this.source,
      reward: this.reward,
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
      source: [...(this.startedFrom.get(step + 1) ?? this.source.state)],
      preference: this.source.preference?.state ?? {},
      levels: this.levels?.state ?? null,
      agreement: this.agreement.state,
      episodes: this.state.episodes + played,
      tokens: this.state.tokens + (metrics['perf/total_num_tokens'] ?? 0),
      elapsed: this.state.elapsed + seconds,
    };
  }

  private async writeEpisodes(step: number, batch: Batch, rows: readonly TrainingRow[]): Promise<void> {
    const { episodes: every } = this.recipe.log;
    if (every === 0 || step % every !== 0) return;
    const advantage = new Map(rows.map((row) => [row.episode, row.advantages.at(-1) ?? 0]));
    const records = allEpisodes(batch).map((episode) =>
      episodeRecord(episode.trajectory, { step, advantage: advantage.get(episode) }),
    );
    await this.directory.episodes.write(step, records);
  }

  private async evaluate(
    step: number,
  ): Promise<{ score: number; best: boolean; metrics: Readonly<Record<string, number>> } | undefined> {
    if (this.panels.length === 0) return undefined;
    const { recipe } = this;
    const from = performance.now();
    const result = await evaluatePanels(this.panels, {
      config: recipe.evaluate,
      policy: this.evaluated,
      prompting: this.prompting,
      reward: this.reward,
      limits: limitsOf(recipe.agent, turnsAt(this.steps, recipe.agent.max_turns, recipe.agent.every)),
      concurrency: recipe.rollout.concurrency,
      retries: recipe.rollout.retries,
      seed: recipe.seed,
      step,
      signal: this.rollouts.signal,
    });
    await recordEvaluation(result, step, this.directory, this.options.events);
    const before = await this.directory.checkpoints.best();
    const best = recipe.evaluate.choose && step > 0 && (before === undefined || result.score > before.score);
    this.state.sinceBest = best ? 0 : this.state.sinceBest + 1;
    if (best) {
      // Written before the checkpoint it names: retention must not remove the one, resume forgets the other.
      const chosen = { step, score: result.score, by: 'success' } as const;
      await this.directory.checkpoints.setBest(chosen);
      await this.directory.update({ best: chosen });
    }
    return { score: result.score, best, metrics: { ...result.metrics, 'timing_s/testing': (performance.now() - from) / 1000 } };
  }

  /** An interrupted evaluation must not lose the step it follows: it is made up for after the resume. */
  private async evaluateOrOwe(step: number): ReturnType<RlTrainer['evaluate']> {
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
    const { parts } = this;
    await this.directory.checkpoints.save(step, this.state, async (folder) => {
      await parts.engine.save(folder, { optimizer: true });
      await parts.critic?.save(join(folder, layout.critic), { optimizer: true });
      const record = agentRecord(this.recipe.agent, this.prompting);
      await writeAgentRecord(folder, record);
      await saveFollowers(this.recipe, parts, folder);
      if (parts.average) await writeAgentRecord(join(folder, layout.average), record);
    });
    await this.directory.checkpoints.retain(this.recipe.checkpoint.keep);
    this.saved = step;
  }

  private async finish(status: 'finished' | 'stopped', reason?: string): Promise<TrainResult> {
    const { step } = this.state;
    await this.writing;
    const { evaluate, checkpoint } = this.recipe;
    if (evaluate.at_end && !(await readEvaluations(this.directory.path)).some((line) => line.step === step))
      await this.evaluate(step);
    if (step > 0 && checkpoint.at_end) await this.save();
    await this.directory.metrics.finish();
    await this.note(reason === undefined ? `finished after step ${step}` : `stopped after step ${step}: ${reason}`);
    await this.directory.update({ status, reason, step });
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

  private report(step: number, metrics: Readonly<Record<string, number>>): void {
    const elapsed = (performance.now() - this.began) / 1000;
    const done = step - (this.options.from ?? 0);
    const left = (elapsed / Math.max(1, done)) * (this.steps - step);
    this.options.events?.onStep?.({ step, steps: this.steps, metrics, elapsed, left });
    this.note(stepLine(step, this.steps, metrics)).catch(() => undefined); // the run goes on without the line
  }

  private async note(text: string): Promise<void> {
    this.options.events?.onNote?.(text);
    await this.directory.note(text);
  }
}

function missing(what: string, key: string): AgogeError {
  return new AgogeError('TRAIN_MISSING_ENGINE', `${key} needs ${what}: the caller must open one`);
}
