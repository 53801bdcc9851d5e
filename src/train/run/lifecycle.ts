/**
 * The one lifecycle of a run: opening, steps, evaluations, checkpoints, the best step, what is logged and where, interruption, failure,
 * the end and going on after it. A trainer gives it steps (trainer.ts). Two rules hold for all of them: only the abort's own reason is an
 * interruption, every other error is that error; and weights are saved under a step's name only while they are those after that step.
 */
import { isAbortOf } from '../../core/deadline.ts';
import type { AgogeError } from '../../core/error.ts';
import { diagnosisLine } from '../../run/diagnosis/words.ts';
import { readEvaluations, readMetrics } from '../../run/metrics-log.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { boardsOf, type Boards } from '../../run/trackers/boards.ts';
import { chooseBest, evaluateStep, type Evaluated } from './evaluation.ts';
import type { TrainResult } from './events.ts';
import { trainingFailure } from './failure.ts';
import { processorSeconds } from './processor-time.ts';
import type { Ending, Opening, RunConfig, Trainer, TrainOptions } from './trainer.ts';
import { Watch } from './watch.ts';

/** Takes a trainer through its run, from its first step or the checkpoint `options.from` to the end. */
export async function runTrainer(
  trainer: Trainer,
  config: RunConfig,
  directory: RunDirectory,
  options: TrainOptions,
): Promise<TrainResult> {
  return new Lifecycle(trainer, config, directory, options).run();
}

class Lifecycle {
  private readonly boards: Boards;
  private readonly signal: AbortSignal;
  /** Step of the newest checkpoint. */
  private saved: number;
  /** Versions of the trainer's engines after the last whole step. */
  private whole: readonly number[] = [];
  private opening: Opening = { steps: null };
  /** When this process took up the run, and the share that was done then. */
  private began = { at: performance.now(), share: 0 };
  /** Seconds since the last step that evaluations and checkpoints took. */
  private asked = 0;
  private readonly watch = new Watch();
  private startKept = false;

  constructor(
    private readonly trainer: Trainer,
    private readonly config: RunConfig,
    private readonly directory: RunDirectory,
    private readonly options: TrainOptions,
  ) {
    ({ signal: this.signal = new AbortController().signal, from: this.saved = 0 } = options);
    this.boards = boardsOf(directory.path, config);
  }

  async run(): Promise<TrainResult> {
    try {
      return await this.toTheEnd();
    } catch (thrown) {
      throw await this.failed(thrown);
    } finally {
      await this.trainer.close?.();
    }
  }

  private async toTheEnd(): Promise<TrainResult> {
    try {
      await this.open();
      await this.evaluateBefore();
      return await this.finish(await this.steps());
    } catch (thrown) {
      if (!isAbortOf(this.signal, thrown)) throw thrown;
      return await this.interrupted();
    }
  }

  private async open(): Promise<void> {
    const { trainer, directory, saved: from } = this;
    const { events } = this.options;
    const doing = (text: string): void => events?.onDoing?.(text);
    this.opening = await trainer.open({ signal: this.signal, note: (text) => this.note(text), doing });
    const { environments = {}, steps, about } = this.opening;
    if (from > 0) {
      const state = await directory.checkpoints.state(from);
      const note = await trainer.restore(state, directory.checkpoints.path(from), from);
      if (note !== undefined) await this.note(note);
    }
    await trainer.begin?.();
    for (const note of otherVersions(directory.info.environments, environments)) await this.note(note);
    await directory.begin({ environments, step: trainer.state.step, steps });
    const verb = from > 0 ? `resumed after step ${from}` : 'started';
    await this.note(
      [`${verb}: ${directory.info.title}`, ...(about === undefined ? [] : [about]), `seed ${this.config.seed}`].join(', '),
    );
    if (from > 0) {
      const [rows, played] = [await readMetrics(directory.path), await readEvaluations(directory.path)];
      this.watch.restore(rows, played, directory.info.diagnosis ?? []);
    }
    this.whole = this.versions();
    this.began = { at: performance.now(), share: trainer.share() };
  }

  /** Before the first step, and what an interruption left unplayed. */
  private async evaluateBefore(): Promise<void> {
    const { state } = this.trainer;
    if (state.step === 0 && this.config.evaluate?.at_start === true) {
      await this.keepStart();
      await this.evaluate(0);
    }
    if (state.owesEvaluation !== true) return;
    state.owesEvaluation = false;
    await this.directory.forgetEvaluation(state.step);
    const made = await this.evaluate(state.step);
    if (made) await this.directory.metrics.amend(state.step, made.metrics);
  }

  /** Where evaluations choose, the start is one of those to choose from. */
  private async keepStart(): Promise<void> {
    const { trainer, directory, config, opening } = this;
    const played = opening.evaluation?.panels.length;
    if (played === undefined || played === 0 || config.evaluate?.choose !== true || !trainer.saveStart) return;
    await directory.checkpoints.saveStart((folder) => trainer.saveStart?.(folder) ?? Promise.resolve());
    this.startKept = true;
  }

  /** Trains until there is a reason to end. */
  private async steps(): Promise<Ending> {
    for (;;) {
      this.signal.throwIfAborted();
      const ending = this.ending();
      if (ending) return ending;
      const { asked } = this;
      this.asked = 0;
      this.options.events?.onDoing?.(`step ${this.trainer.state.step + 1}`);
      await this.timed(() => this.trainer.step(asked));
      this.whole = this.versions();
      await this.afterStep();
    }
  }

  /** Adds the processor time of a step to that of the steps before; those of a run that an earlier version began are not known. */
  private async timed(step: () => Promise<void>): Promise<void> {
    const { trainer } = this;
    const before = trainer.state.step === 0 ? 0 : trainer.state.processor;
    const from = processorSeconds();
    await step();
    if (before !== undefined) trainer.state.processor = before + processorSeconds() - from;
  }

  private ending(): Ending | undefined {
    if (this.trainer.ending) return this.trainer.ending();
    return this.trainer.share() >= 1 ? { status: 'finished' } : undefined;
  }

  private async afterStep(): Promise<void> {
    const { trainer, directory, config } = this;
    const { step, tokens, episodes, processor } = trainer.state;
    const { evaluate, validate, checkpoint, log } = config;
    const ends = this.ending() !== undefined;
    const due = (every = 0): boolean => every > 0 && step % every === 0;
    const evaluates = due(evaluate?.every) || (ends && evaluate?.at_end === true);
    const validates = due(validate?.every) || (ends && this.opening.validatesAtEnd === true);
    if (!due(log.every ?? 1) && !due(checkpoint.every) && !evaluates && !validates && !ends) return;
    const metrics = trainer.metrics();
    if (processor !== undefined) metrics['perf/processor_minutes'] = processor / 60;
    const lowest = validates && (await this.validate(metrics));
    const evaluated = evaluates ? await this.evaluateOrOwe(step) : undefined;
    Object.assign(metrics, evaluated?.metrics);
    for (const sentence of trainer.diagnose?.(metrics) ?? []) await this.note(sentence);
    await this.look(metrics);
    await directory.metrics.append(step, metrics);
    await this.boards.scalars(step, metrics);
    const best = lowest || evaluated?.best === true;
    if (best || due(checkpoint.every) || (ends && checkpoint.at_end)) await this.save();
    await directory.update({ step, tokens, diagnosis: this.watch.found, ...(episodes === undefined ? {} : { episodes }) });
    this.report(metrics);
  }

  /** Says what the step adds to why the run does not learn. */
  private async look(metrics: Readonly<Record<string, number>>): Promise<void> {
    const { step } = this.trainer.state;
    const news = this.watch.note(step, metrics);
    if (news.length === 0) return;
    this.options.events?.onDiagnosis?.(step, news);
    for (const found of news) await this.note(`not learning, after step ${step}: ${diagnosisLine(found)}`);
  }

  /** Returns whether it is the lowest loss so far, where the run is chosen by it. */
  private async validate(metrics: Record<string, number>): Promise<boolean> {
    const measured = (await this.trainer.validate?.()) ?? {};
    Object.assign(metrics, measured);
    const { 'val/loss': loss } = measured;
    const { evaluate } = this.config;
    if (loss === undefined || (evaluate && evaluate.every > 0)) return false;
    return chooseBest(this.directory, { step: this.trainer.state.step, score: loss, by: 'loss' }, { overLoss: true });
  }

  private async evaluate(step: number, choose = true): Promise<Evaluated | undefined> {
    const { directory, signal, options, trainer } = this;
    const { evaluate: config, seed } = this.config;
    const { evaluation } = this.opening;
    if (!config || !evaluation || evaluation.panels.length === 0) return undefined;
    const plan = {
      evaluation,
      config,
      directory,
      seed,
      signal,
      events: options.events,
      choose: choose && config.choose,
      startKept: this.startKept,
      imitates: trainer.imitates === true,
    };
    const made = await evaluateStep(step, plan);
    this.asked += made.seconds;
    if (choose) {
      trainer.evaluated?.(made);
      if (made.n > 0) this.watch.evaluated({ step, success: made.score, n: made.n });
    }
    return made;
  }

  /** An interrupted evaluation must not lose the step it follows: it is made up for after the resume. */
  private async evaluateOrOwe(step: number): Promise<Evaluated | undefined> {
    try {
      return await this.evaluate(step);
    } catch (thrown) {
      if (!isAbortOf(this.signal, thrown)) throw thrown;
      this.trainer.state.owesEvaluation = true;
      return undefined;
    }
  }

  /** Saves the last whole step, unless it is saved; does nothing where the weights have moved past it. */
  private async save(): Promise<void> {
    const { trainer, directory } = this;
    const { step } = trainer.state;
    if (this.saved === step || step === 0 || this.movedPast) return;
    const from = performance.now();
    await trainer.settle?.();
    await directory.checkpoints.save(step, trainer.state, (folder) => trainer.save(folder));
    await directory.checkpoints.retain(this.config.checkpoint.keep);
    this.saved = step;
    this.asked += (performance.now() - from) / 1000;
  }

  private async finish({ status, reason, cause }: Ending): Promise<TrainResult> {
    const { directory, trainer, config } = this;
    const { step, tokens } = trainer.state;
    await trainer.settle?.();
    // A kill after the evaluation and before the end leaves it in the log: it is not played twice.
    const unplayed = config.evaluate?.at_end === true && !(await this.played()).has(step);
    const made = unplayed ? await this.evaluate(step) : undefined;
    if (config.checkpoint.at_end || made?.best === true) await this.save();
    if (config.evaluate?.at_end === true) await this.playLowest(step);
    await directory.metrics.finish();
    await this.boards.finish(true);
    // Whoever started the run says how it ended.
    await directory.note(`${status} after step ${step}${reason === undefined ? '' : `: ${reason}`}`);
    await directory.update({ status, reason, cause, step, tokens });
    return this.result(status, reason);
  }

  /** A step that was chosen by its validation loss is played too; then the last weights are put back. */
  private async playLowest(step: number): Promise<void> {
    const { directory, trainer } = this;
    const best = await directory.checkpoints.best();
    const [engine] = trainer.engines;
    if (!this.opening.evaluation || !engine || best?.by !== 'loss' || best.step === step) return;
    if ((await this.played()).has(best.step)) return;
    await this.save();
    await engine.load(directory.checkpoints.path(best.step));
    await this.evaluate(best.step, false);
    await engine.load(directory.checkpoints.path(step), { optimizer: true });
    this.whole = this.versions();
  }

  /** The last whole step is saved and the run can be resumed from there. Where a step's update had begun, an earlier checkpoint must do. */
  private async interrupted(): Promise<TrainResult> {
    const { step } = this.trainer.state;
    await this.save();
    const within = `within step ${step + 1}, which had begun to change the weights; the last step that is saved is ${this.saved}`;
    await this.note(`interrupted ${this.saved === step ? `after step ${step}` : within}`);
    await this.boards.finish(false);
    await this.directory.interrupt(step);
    return this.result('interrupted', 'interrupted');
  }

  private async failed(thrown: unknown): Promise<AgogeError> {
    const { directory } = this;
    const error = trainingFailure(thrown, directory.info.kind, directory.path);
    await this.note(`failed: ${error.message}`).catch(() => undefined); // a full disk takes no line
    await this.boards.finish(false).catch(() => undefined);
    await directory.fail(error);
    return error;
  }

  private async result(status: TrainResult['status'], reason: string | undefined): Promise<TrainResult> {
    const { directory, saved } = this;
    const { step } = this.trainer.state;
    const best = await directory.checkpoints.best();
    return { status, reason, step, saved, directory: directory.path, best, diagnosis: this.watch.found };
  }

  /** Steps after which the panels were played. */
  private async played(): Promise<ReadonlySet<number>> {
    return new Set((await readEvaluations(this.directory.path)).map((line) => line.step));
  }

  private versions(): readonly number[] {
    return this.trainer.engines.map(({ version }) => version);
  }

  /** Has something moved the weights since the last step was whole? */
  private get movedPast(): boolean {
    const now = this.versions();
    return this.whole.length !== now.length || now.some((version, i) => version !== this.whole[i]);
  }

  private report(metrics: Readonly<Record<string, number>>): void {
    const { trainer, opening, began } = this;
    const share = trainer.share();
    const elapsed = (performance.now() - began.at) / 1000;
    const left = share > began.share ? (elapsed * Math.max(0, 1 - share)) / (share - began.share) : null;
    this.options.events?.onStep?.({ step: trainer.state.step, steps: opening.steps, metrics, elapsed, left });
    this.note(trainer.line(metrics)).catch(() => undefined); // the run goes on without the line
  }

  private async note(text: string): Promise<void> {
    this.options.events?.onNote?.(text);
    await this.directory.note(text);
  }
}

/** What to say of environments that have changed since a run began: its figures before and after are of two worlds. */
function otherVersions(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): string[] {
  return Object.entries(now).flatMap(([name, version]) => {
    const old = before[name];
    // Runs of earlier versions kept no hash of the file.
    if (old === undefined || old === version || version.startsWith(`${old}+`)) return [];
    return `${name} has changed since this run began (version ${old}, now ${version}): figures before and after do not compare`;
  });
}
