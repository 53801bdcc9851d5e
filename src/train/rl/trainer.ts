/**
 * The RL loop: sample → score → advantages → critic → policy. At staleness 0 a step is a function of recipe, seed and weights; at
 * staleness k, sampling runs up to k steps ahead of learning. Stops with a reason on numbers that are not finite, on lost signal and on
 * early stop. Evaluations, checkpoints and the end of the run are the lifecycle's (run/lifecycle.ts).
 */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { linked, type Limit } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { nextKlCoefficient } from '../../learn/kl.ts';
import { sum } from '../../learn/rows.ts';
import { isBelow } from '../../learn/statistics.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import { writeAgentRecord } from '../../run/agent-record.ts';
import { causeText } from '../../run/cause.ts';
import { episodeRecord } from '../../run/episode-record.ts';
import { layout } from '../../run/layout.ts';
import { LivePolicy } from '../../run/live-policy.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { join } from 'node:path';
import { agentRecord, limitsOf } from '../run/agent-setup.ts';
import { cardMetrics } from '../run/card-metrics.ts';
import type { Evaluated } from '../run/evaluation.ts';
import type { TrainResult } from '../run/events.ts';
import { follow } from '../run/followers.ts';
import { runTrainer } from '../run/lifecycle.ts';
import { stepLine } from '../run/lines.ts';
import { lastTurns } from '../run/schedules.ts';
import { stoppable } from '../run/opening.ts';
import type { Ending, Opening, OpenRun, Trainer, TrainOptions } from '../run/trainer.ts';
import { rememberTasks } from '../tasks/preference.ts';
import { loadNetworks, saveNetworks } from './checkpoint.ts';
import { needs } from './needs.ts';
import { checkParts, type RlParts } from './parts.ts';
import { allEpisodes, type Batch } from './batch.ts';
import { refuseUnreadableBatch } from './readable.ts';
import { collect } from './rollout.ts';
import { openSetup, type RlSetup } from './setup.ts';
import { initialRlState, parseRlState, type RlState } from './state.ts';
import { hasSignal } from './signal.ts';
import { emptyTimes, stepMetrics, trainerShare } from './step-metrics.ts';
import { reasonToStop } from './stop-reason.ts';
import { NoiseWatch } from './update/agreement.ts';
import type { TrainingRow } from './update/batch-rows.ts';
import { learnStep, type Learned } from './update/learn-step.ts';

/** The RL trainer over parts that are open already; `startRl` opens them from a recipe. */
export async function trainRl(
  recipe: RlRecipe,
  parts: RlParts,
  directory: RunDirectory,
  asked: TrainOptions = {},
): Promise<TrainResult> {
  const options = stoppable(asked);
  return runTrainer(new RlTrainer(recipe, parts, directory, options.signal), recipe, directory, options);
}

class RlTrainer implements Trainer {
  state: RlState;
  /** Ends what is being played when the run ends or its owner says so. */
  private readonly rollouts: Limit;
  private readonly policy: LivePolicy<EnginePolicy>;
  private readonly pending = new Map<number, Promise<Batch>>();
  private readonly startedFrom = new Map<number, readonly number[]>();
  private readonly agreement = new NoiseWatch();
  private doing: OpenRun['doing'] | undefined;
  private setup!: RlSetup;
  private writing: Promise<void> = Promise.resolve();
  /** When the last step's numbers were known: what comes after them is bookkeeping. */
  private measured: number | undefined;
  private last: { readonly metrics: Record<string, number>; readonly sentences: readonly string[] } | undefined;

  constructor(
    private readonly recipe: RlRecipe,
    private readonly parts: RlParts,
    private readonly directory: RunDirectory,
    signal: AbortSignal,
  ) {
    this.rollouts = linked(signal);
    this.policy = new LivePolicy(new EnginePolicy(parts.sampler ?? parts.engine, this.named), directory.path);
    this.state = initialRlState(recipe);
  }

  get engines(): Trainer['engines'] {
    const { engine, critic, average, reference } = this.parts;
    return [engine, critic, average, reference].filter((one) => one !== undefined);
  }

  async open(run: OpenRun): Promise<Opening> {
    const { recipe, parts, policy } = this;
    checkParts(recipe, parts);
    this.doing = (text) => run.doing(text);
    for (const rewrite of policy.renderer.rewrites) await run.note(`chat template: ${JSON.stringify(rewrite)}`);
    this.setup = await openSetup(recipe, parts, policy);
    const { environments, notes, panels, prompting, reward } = this.setup;
    for (const note of notes) await run.note(note);
    const { concurrency, retries } = recipe.rollout;
    // Where a schedule ends, not where this run does: a run that is made longer is evaluated as before.
    const limits = limitsOf(recipe.agent, lastTurns(recipe.agent.max_turns));
    const played = parts.average ? new EnginePolicy(parts.average, this.named) : policy;
    return {
      environments,
      steps: this.planned,
      evaluation: { panels, policy: played, prompting, reward, limits, concurrency, retries },
    };
  }

  /** Everything is as it was after the step. */
  async restore(json: unknown, folder: string, step: number): Promise<string | undefined> {
    const state = parseRlState(json, step);
    const note = await loadNetworks(this.recipe, this.parts, folder);
    const { source, levels } = this.setup;
    this.state = state;
    source.restore(state.source);
    source.preference?.restore(state.preference);
    if (state.levels) levels?.restore(state.levels);
    this.agreement.restore(state.agreement);
    return note;
  }

  async begin(): Promise<void> {
    if (this.recipe.algorithm.restart && this.state.step === 0) await this.parts.engine.save(this.startFolder);
  }

  share(): number {
    const { step, elapsed } = this.state;
    const { minutes } = this.recipe.stop;
    return Math.max(step / this.setup.steps, minutes === null ? 0 : elapsed / (60 * minutes));
  }

  /** What had stopped a run still holds when it is resumed: it takes no further step, unless the limit was raised. */
  ending(): Ending | undefined {
    const { step } = this.state;
    const cause = step > 0 ? reasonToStop(this.recipe.stop, this.state) : undefined;
    if (cause) return { status: 'stopped', reason: causeText(cause), cause };
    return step >= this.setup.steps ? { status: 'finished' } : undefined;
  }

  async step(asked: number): Promise<void> {
    const { recipe, parts } = this;
    const step = this.state.step + 1;
    const from = performance.now();
    const bookkeeping = this.measured === undefined ? 0 : (from - this.measured) / 1000 - asked;
    for (let ahead = step; ahead <= Math.min(this.setup.steps, step + recipe.rollout.staleness); ahead++) this.launch(ahead);
    this.doing?.(`step ${step}: playing ${recipe.rollout.groups * recipe.rollout.samples} episodes`);
    const batch = await this.pending.get(step);
    if (!batch) throw new AgogeError('TRAIN_FAILED', `step ${step} was not sampled; report this`);
    this.pending.delete(step);
    this.startedFrom.delete(step);
    const times = emptyTimes();
    times.gen = (performance.now() - from) / 1000;
    if (step === 1 && recipe.stop.unreadable) refuseUnreadableBatch(batch);
    if (recipe.algorithm.restart) await parts.engine.load(this.startFolder);
    this.doing?.(`step ${step}: learning from ${allEpisodes(batch).length} episodes`);
    const learned = await this.learn(step, batch, times);
    const renewed = (await follow(recipe, parts, step)) ? step : this.state.renewed;
    times.step = (performance.now() - from) / 1000;
    const metrics = stepMetrics({ batch, times, ...learned }, recipe);
    this.measured = performance.now();
    metrics['perf/trainer_share'] = trainerShare(times, bookkeeping);
    Object.assign(metrics, cardMetrics(parts.engine));
    this.last = { metrics, sentences: this.look(metrics, batch, learned.policy?.agreement) };
    if (recipe.algorithm.renew !== null) metrics['actor/reference_step'] = renewed;
    this.advance(batch, learned, renewed, times.step);
    await this.writing;
    this.writing = this.writeEpisodes(step, batch, learned.rows);
    this.writing.catch(() => undefined); // awaited at the end of the next step
  }

  metrics(): Record<string, number> {
    return this.last?.metrics ?? {};
  }

  line(metrics: Readonly<Record<string, number>>): string {
    return stepLine(this.state.step, this.planned, metrics);
  }

  diagnose(): readonly string[] {
    return this.last?.sentences ?? [];
  }

  evaluated({ best, score, n }: Evaluated): void {
    const { state } = this;
    const { highest } = state;
    if (!Number.isFinite(score)) return; // not measured: neither better nor worse
    state.sinceBest = best ? 0 : state.sinceBest + 1;
    state.fallen = highest && isBelow({ score, n }, highest) ? state.fallen + 1 : 0;
    if (highest === null || score > highest.score) state.highest = { score, n };
    state.score = score;
  }

  async saveStart(folder: string): Promise<void> {
    await this.parts.engine.save(folder);
    await writeAgentRecord(folder, agentRecord(this.recipe.agent, this.setup.prompting));
  }

  async save(folder: string): Promise<void> {
    await saveNetworks(this.recipe, this.parts, this.setup.prompting, folder);
  }

  settle(): Promise<void> {
    return this.writing;
  }

  async close(): Promise<void> {
    this.rollouts.abort(new AgogeError('TRAIN_ENDED', 'the run has ended'));
    this.rollouts[Symbol.dispose]();
    await Promise.allSettled([...this.pending.values(), this.writing]);
    await this.policy.endLive();
  }

  private learn(step: number, batch: Batch, times: ReturnType<typeof emptyTimes>): Promise<Learned> {
    const { recipe, parts } = this;
    const { steps, anchor, prompting } = this.setup;
    const { klCoefficient, elapsed } = this.state;
    const { renderer, context } = this.policy;
    const adviser = { format: prompting.format, renderer, context, mistakes: recipe.algorithm.mistakes };
    return learnStep({ recipe, parts, steps, klCoefficient, adviser, anchor, elapsed }, step, batch, times);
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

  /** What is remembered of a step: agreement, tasks and levels. Adds their numbers; returns what should be said. */
  private look(metrics: Record<string, number>, batch: Batch, agreement: number | undefined): readonly string[] {
    const { levels, source } = this.setup;
    const episodes = allEpisodes(batch).length;
    const { metrics: noise, warning } = this.agreement.note(agreement, {
      batch: episodes / this.recipe.update.minibatches,
      planned: this.planned === null ? undefined : this.planned * episodes,
    });
    Object.assign(metrics, { 'train/episodes_so_far': this.state.episodes + episodes }, noise);
    const { metrics: level = {}, sentence } = levels?.note(batch) ?? {};
    Object.assign(metrics, rememberTasks(source.preference, batch), level);
    return [warning, sentence].filter((one) => one !== undefined);
  }

  private advance(batch: Batch, { rows, kl, advice }: Learned, renewed: number, seconds: number): void {
    const { state, recipe } = this;
    const { source, levels } = this.setup;
    const taught = advice !== undefined || hasSignal(batch, this.grouped);
    const { kl: config } = recipe.algorithm;
    this.state = {
      ...state,
      step: batch.step,
      source: [...(this.startedFrom.get(batch.step + 1) ?? source.state)],
      preference: source.preference?.state ?? {},
      levels: levels?.state ?? null,
      agreement: this.agreement.state,
      renewed,
      klCoefficient:
        config === false || config.in !== 'reward'
          ? state.klCoefficient
          : nextKlCoefficient(state.klCoefficient, kl, rows.length, { ...config, type: config.control }),
      score: null,
      withoutSignal: taught ? 0 : state.withoutSignal + 1,
      episodes: state.episodes + allEpisodes(batch).length,
      tokens: state.tokens + sum(rows.map(({ episode }) => episode.datum.tokens.length)),
      elapsed: state.elapsed + seconds,
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

  /** The weights of the start, where each step learns from them. */
  private get startFolder(): string {
    return join(this.directory.path, layout.start);
  }

  private get named(): { readonly id: string; readonly thinking: boolean | undefined } {
    return { id: `run:${this.directory.path}`, thinking: this.recipe.agent.thinking ?? undefined };
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
}
