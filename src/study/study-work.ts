/**
 * The work of a study, each piece once: a training in a process of its own, then its evaluations. What validation chose, and what another
 * arm has trained, is waited for by those that begin with it.
 */
import { join } from 'node:path';
import { pinnedPolicy } from '../agent/policy-files.ts';
import { AgogeError } from '../core/error.ts';
import { mean } from '../learn/rows.ts';
import { readRunInfo } from '../run/run-info.ts';
import { runChild, type Program } from '../train/run/child.ts';
import { cellName, type Cell } from '../train/run/sweep.ts';
import type { ArmRuns } from './arm-runs.ts';
import { bestTried } from './best-tried.ts';
import { nameOfRun, runFacts, runFolder } from './cost.ts';
import { writeMadeFrom } from './made-from.ts';
import { evaluationArgs, scoresOf, successText } from './panel-scores.ts';
import type { Plan } from './plan.ts';
import { choiceFile, policyFile, readSmall, runFile, writeSmall, type Choice, type RunResult, type Scores } from './results.ts';
import { beginsAnew, endedOf, lastWords, unheld, validationOf } from './run-state.ts';
import { Slots } from './slots.ts';

export interface StudyOptions {
  readonly plan: Plan;
  readonly runs: readonly ArmRuns[];
  /** Environments that are played now; the others can follow. */
  readonly only: readonly string[];
  /** Where runs with their weights lie, and where the small files go. */
  readonly output: string;
  readonly results: string;
  /** So many at once on the cores, and so many on the card. */
  readonly jobs: number;
  readonly cardJobs: number;
  /** GiB of the card that its runs and evaluations share, as far as they say what they take. */
  readonly cardMemory?: number;
  readonly program: Program;
  readonly signal: AbortSignal;
  readonly onNote?: (note: StudyNote) => void;
}

/** Something began or ended. */
export interface StudyNote {
  readonly what: 'training' | 'evaluation' | 'choice' | 'run';
  readonly ended: boolean;
  readonly name: string;
  readonly text: string;
}

/** Runs and evaluations of a plan, as many at once as there are places. */
export class StudyWork {
  private readonly cores: Slots;
  private readonly card: Slots;
  /** What was asked for once is done once, whoever asks again. */
  private readonly asked = new Map<string, Promise<unknown>>();
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: StudyOptions,
    private readonly write: () => Promise<unknown>,
  ) {
    this.cores = new Slots(options.jobs);
    this.card = new Slots(options.cardJobs, options.cardMemory);
  }

  /** A run, evaluated: from its small file where that is there. */
  result(of: ArmRuns, seed: number): Promise<RunResult> {
    const { environment, arm, fingerprint } = of;
    return this.once(`result ${environment}/${arm} ${seed}`, async () => {
      const file = runFile(environment, arm, seed);
      const { results, plan } = this.options;
      const before = await readSmall(results, 'runs', file);
      if (before?.status === 'finished') return before;
      const name = `${environment} ${arm} seed ${seed}`;
      let result: RunResult;
      try {
        const start = this.beginStart(of, seed);
        const chosen = await this.chosen(of).finally(() => start);
        const { path, policy, ended } = await this.trained(of, seed, chosen);
        const facts = await runFacts(path, { threads: plan.threads, device: of.device });
        const panels = await this.scores(of, policy, `${path}.eval`, this.rank(seed) - 1, name);
        const checkpoint = policy.slice(policy.lastIndexOf('@') + 1);
        result = {
          v: 1,
          status: 'finished',
          fingerprint,
          chosen,
          ...(ended === undefined ? {} : { ended }),
          ...facts,
          checkpoint,
          panels,
        };
      } catch (thrown) {
        if (this.options.signal.aborted) throw thrown;
        const { message } = AgogeError.from(thrown, 'RUN_STUDY_FAILED', name);
        result = { v: 1, status: 'failed', fingerprint, reason: message };
      }
      await writeSmall(results, 'runs', file, result);
      this.note('run', true, name, result.status === 'finished' ? successText(result.panels) : `failed: ${result.reason}`);
      await this.refresh();
      return result;
    });
  }

  /** The scores of a policy that no arm has made. */
  start(of: ArmRuns, policy: string): Promise<void> {
    const { environment, played, asked, start = policy } = of;
    return this.once(`start ${environment} ${start}`, async () => {
      const { results, output } = this.options;
      const file = policyFile(environment, start);
      // A format alone is as before, when nothing else was told: such starts are not scored again.
      const words = asked.filter((_, at) => asked[at] !== '--format' && asked[at - 1] !== '--format');
      const fingerprint = JSON.stringify(words.length === 0 ? played.panels : { panels: played.panels, words });
      if ((await readSmall(results, 'policies', file))?.fingerprint === fingerprint) return;
      const name = `${environment} ${start}`;
      const panels = await this.scores(
        of,
        policy,
        join(output, environment, `${cellName({ policy: start })}.eval`),
        -1,
        name,
        asked,
      );
      await writeSmall(results, 'policies', file, { v: 1, fingerprint, policy, panels });
      await this.refresh();
    });
  }

  /** What validation chose for an arm; nothing where nothing is to be chosen. */
  private chosen(of: ArmRuns): Promise<Cell> {
    const {
      environment,
      arm,
      fingerprint,
      cells,
      plan: { choose },
    } = of;
    if (!choose) return Promise.resolve({});
    return this.once(`choice ${environment}/${arm}`, async () => {
      const { results, plan, output } = this.options;
      const file = choiceFile(environment, arm);
      const before = await readSmall(results, 'choices', file);
      if (before?.fingerprint === fingerprint) return before.chosen;
      const seeds = choose.seeds ?? plan.seeds.slice(0, 1);
      const tried = await Promise.all(
        cells.map(async (settings) => {
          const ends = await Promise.allSettled(seeds.map((seed) => this.trained(of, seed, settings)));
          this.options.signal.throwIfAborted();
          const paths = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.path] : []));
          const found = await Promise.all(paths.map((path) => validationOf(path, of.plan.checkpoint)));
          // A setting that broke with one of its seeds is not one to choose.
          const success = paths.length === seeds.length && found.every((one) => one !== undefined) ? mean(found) : null;
          const lengths = await Promise.all(paths.map(async (path) => (await readRunInfo(path)).step));
          return { settings, success, seeds: paths.length, ...(lengths.length > 0 ? { steps: mean(lengths) } : {}) };
        }),
      );
      const best = bestTried(tried, plan.threshold ?? undefined);
      if (!best || best.success === null)
        throw new AgogeError(
          'RUN_STUDY_CHOICE',
          `no setting of ${environment} ${arm} has a validation to choose by: read the logs in ${join(output, environment, arm)}`,
        );
      const choice: Choice = { v: 1, fingerprint, chosen: best.settings, tried };
      await writeSmall(results, 'choices', file, choice);
      this.note('choice', true, `${environment} ${arm}`, `${cellName(best.settings)} (${best.success.toFixed(3)} on validation)`);
      return best.settings;
    });
  }

  /** The weights of a run: made, gone on with, or there already. */
  private trained(of: ArmRuns, seed: number, cell: Cell): Promise<Trained> {
    const { environment, arm } = of;
    const { output, plan, signal } = this.options;
    const name = nameOfRun(seed, cell);
    const { parent, path } = runFolder(output, environment, arm, name);
    return this.once(`training ${path}`, async () => {
      const first = this.startOf(of);
      const start = first && (await this.begun(first, seed));
      const settings = Object.entries(cell).map((pair) => pair.join('='));
      const more = [`seed=${seed}`, `run=${name}`, `output=${parent}`, `engine.threads=${plan.threads}`];
      const fresh = [
        of.command,
        of.recipe,
        ...of.overrides,
        ...settings,
        ...(start ? [`policy=${start.policy}`] : []),
        ...more,
        '--no-view',
      ];
      const says = `${environment} ${arm} ${name}`;
      if (!(await endedOf(path)))
        await this.place(of, this.rank(seed), of.memory, async () => {
          await unheld(path, signal);
          if (await endedOf(path)) return;
          const anew = await beginsAnew(path);
          if (anew) await writeMadeFrom(path, of.made);
          this.note('training', false, says, anew ? 'begins' : `goes on after step ${(await readRunInfo(path)).step}`);
          await this.child(anew ? fresh : [of.command, '--resume', path, '--no-view'], `${path}.log`);
          signal.throwIfAborted();
          this.note('training', true, says, 'trained');
        });
      const ended = await endedOf(path);
      if (!ended) {
        const info = await readRunInfo(path).catch(() => undefined);
        throw new AgogeError(
          'RUN_STUDY_FAILED',
          `${info?.reason ?? (await lastWords(`${path}.log`))}; read ${path}.log, then give the plan again`,
        );
      }
      const policy = await pinnedPolicy(`run:${path}@${of.plan.checkpoint}`);
      return { path, policy, ...(ended.reason === undefined ? {} : { ended: ended.reason }) };
    });
  }

  /** While settings are still being chosen, the weights that all of them begin with are made: a study that goes on elsewhere has none. */
  private async beginStart(of: ArmRuns, seed: number): Promise<void> {
    const first = of.plan.choose && this.startOf(of);
    if (first) await this.begun(first, seed).catch(() => undefined);
  }

  private startOf({ environment, plan: { after } }: ArmRuns): ArmRuns | undefined {
    return this.options.runs.find((one) => one.environment === environment && one.arm === after);
  }

  /** The weights that another arm begins with. */
  private async begun(first: ArmRuns, seed: number): Promise<Trained> {
    try {
      return await this.trained(first, seed, await this.chosen(first));
    } catch (thrown) {
      if (this.options.signal.aborted) throw thrown;
      throw new AgogeError(
        'RUN_STUDY_FAILED',
        `its start, ${first.arm} with seed ${seed}, did not end; read the log of that one`,
        { cause: thrown },
      );
    }
  }

  /** A policy on every panel of its environment. */
  private async scores(
    of: ArmRuns,
    policy: string,
    folder: string,
    rank: number,
    name: string,
    asked: readonly string[] = [],
  ): Promise<Record<string, Scores>> {
    const { signal, plan } = this.options;
    const scores: Record<string, Scores> = {};
    for (const [panel, shape] of Object.entries(of.played.panels)) {
      const place = `${folder}-${panel}`;
      await this.place(of, rank, of.played.card_memory, async () => {
        await unheld(place, signal);
        this.note('evaluation', false, name, `is evaluated on ${panel}`);
        await this.child([...evaluationArgs(of, shape, policy, place, plan.threads), ...asked], `${place}.log`);
        signal.throwIfAborted();
      });
      scores[panel] = await scoresOf(place, shape);
      this.note('evaluation', true, name, `evaluated on ${panel}`);
    }
    return scores;
  }

  /** Does the work where there is room for it: a run on the card takes no core's place. */
  private place({ device }: ArmRuns, rank: number, memory: number | undefined, work: () => Promise<void>): Promise<void> {
    const { signal } = this.options;
    return device === 'host' ? this.cores.use(rank, signal, work) : this.card.use(rank, signal, work, memory);
  }

  /** A process of this program. Where several are meant to use the card at once, none keeps it for itself. */
  private child(args: readonly string[], log: string): Promise<number | null> {
    const { program, signal, cardJobs } = this.options;
    return runChild(program, args, log, signal, cardJobs > 1 ? { AGOGE_SHARE_CARD: '1' } : {});
  }

  /** Lower seeds first, so that a study that is cut short has whole seeds. */
  private rank(seed: number): number {
    return 2 * this.options.plan.seeds.indexOf(seed);
  }

  private once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.asked.get(key) as Promise<T> | undefined;
    const promise = before ?? work();
    this.asked.set(key, promise);
    return promise;
  }

  private note(what: StudyNote['what'], ended: boolean, name: string, text: string): void {
    this.options.onNote?.({ what, ended, name, text });
  }

  /** One writer of the page at a time. */
  private refresh(): Promise<unknown> {
    this.writing = this.writing.then(this.write);
    return this.writing;
  }
}

interface Trained {
  readonly path: string;
  /** As a policy's name. */
  readonly policy: string;
  readonly ended?: string;
}
