/**
 * Runs a plan: every run and every evaluation in a process of its own, as many at once as there are places. What is finished is in the
 * small files and never done again; a run that was stopped goes on from its checkpoint; one that failed is said and tried again next time.
 */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pinnedPolicy } from '../agent/open-policy.ts';
import { AgogeError } from '../core/error.ts';
import { mean } from '../learn/rows.ts';
import { readEvaluation } from '../eval/read.ts';
import { writeWhole } from '../run/files.ts';
import { readEvaluations } from '../run/metrics-log.ts';
import { holderOf, takeFolder } from '../run/ownership.ts';
import { readRunInfo } from '../run/run-info.ts';
import { runChild, type Program } from '../train/run/child.ts';
import { cellName, type Cell } from '../train/run/sweep.ts';
import { plannedRuns, type ArmRuns } from './arm-runs.ts';
import { curvesSvg } from './curves.ts';
import { runFacts, runFolder } from './cost.ts';
import { studyTable, type StudyTable } from './gains.ts';
import { pageText } from './page.ts';
import type { PanelPlan, Plan } from './plan.ts';
import {
  choiceFile,
  policyFile,
  readSmall,
  runFile,
  writeSmall,
  type Choice,
  type RunResult,
  type Scores,
  type StudyFacts,
} from './results.ts';
import { Slots } from './slots.ts';

export interface StudyOptions {
  readonly plan: Plan;
  readonly runs: readonly ArmRuns[];
  /** Environments that are played now; the others can follow. */
  readonly only: readonly string[];
  /** Where runs with their weights lie, and where the small files go. */
  readonly output: string;
  readonly results: string;
  readonly jobs: number;
  readonly program: Program;
  readonly agoge: string;
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

/** Does what is missing and gives the table; one that is interrupted has written the table of what was finished. */
export async function runStudy(options: StudyOptions): Promise<StudyTable> {
  const { plan, runs, results, output, signal } = options;
  await plannedRuns(plan, runs, results);
  const owner = await takeFolder(output);
  try {
    const study = factsOf(options);
    await writeSmall(results, 'study.json', 'study.json', study);
    const now = runs.filter(({ environment }) => options.only.includes(environment));
    const work = new StudyWork(options, () => writeTable(results, study));
    await Promise.allSettled([
      ...now.flatMap((of) => plan.seeds.map((seed) => work.result(of, seed))),
      ...now.flatMap((of) => (of.policy === undefined ? [] : [work.start(of, of.policy)])),
    ]).then((ends) => {
      const broken = ends.find((end) => end.status === 'rejected' && !signal.aborted);
      if (broken?.status === 'rejected') throw broken.reason;
    });
    return await writeTable(results, study);
  } finally {
    await owner.release();
  }
}

/** The table of a folder, and its page and curves beside it. */
async function writeTable(results: string, study: StudyFacts): Promise<StudyTable> {
  const table = await studyTable(results, study);
  await writeWhole(join(results, 'page.md'), pageText(table));
  await writeWhole(join(results, 'curves.svg'), curvesSvg(table));
  return table;
}

function factsOf({ plan, runs, agoge }: StudyOptions): StudyFacts {
  const [processor] = cpus();
  return {
    v: 1,
    study: plan.study,
    question: plan.question,
    plan: plan.path,
    seeds: plan.seeds,
    threads: plan.threads,
    arms: Object.entries(plan.arms).map(([name, { after, recipe, set, checkpoint }]) => ({
      name,
      after,
      recipe,
      set,
      checkpoint,
    })),
    environments: Object.entries(plan.environments).map(([name, { panels }]) => {
      const here = runs.filter(({ environment }) => environment === name);
      const starts = Object.fromEntries(here.flatMap(({ arm, policy }) => (policy === undefined ? [] : [[arm, policy]])));
      const order = Object.keys(plan.arms).filter((arm) => here.some((of) => of.arm === arm));
      return { name, panels: Object.keys(panels), arms: order, starts };
    }),
    compare: plan.compare,
    versions: { agoge, node: process.versions.node },
    machine: `${cpus().length} × ${processor?.model ?? 'an unknown processor'}`,
  };
}

interface Trained {
  readonly path: string;
  /** As a policy's name. */
  readonly policy: string;
  readonly ended?: string;
}

class StudyWork {
  private readonly slots: Slots;
  /** What was asked for once is done once, whoever asks again. */
  private readonly asked = new Map<string, Promise<unknown>>();
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: StudyOptions,
    private readonly write: () => Promise<unknown>,
  ) {
    this.slots = new Slots(options.jobs);
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
        const chosen = await this.chosen(of);
        const { path, policy, ended } = await this.trained(of, seed, chosen);
        const facts = await runFacts(path, plan.threads);
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
    const { environment, played } = of;
    return this.once(`start ${environment} ${policy}`, async () => {
      const { results, output } = this.options;
      const file = policyFile(environment, policy);
      const fingerprint = JSON.stringify(played.panels);
      if ((await readSmall(results, 'policies', file))?.fingerprint === fingerprint) return;
      const name = `${environment} ${policy}`;
      const panels = await this.scores(of, policy, join(output, environment, `${cellName({ policy })}.eval`), -1, name);
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
          return { settings, success, seeds: paths.length };
        }),
      );
      const [best] = [...tried].sort((a, b) => (b.success ?? -1) - (a.success ?? -1));
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
    const { output, plan, runs, program, signal } = this.options;
    const name = [`seed_${seed}`, ...(Object.keys(cell).length > 0 ? [cellName(cell)] : [])].join('_');
    const { parent, path } = runFolder(output, environment, arm, name);
    return this.once(`training ${path}`, async () => {
      const { after } = of.plan;
      const first = runs.find((one) => one.environment === environment && one.arm === after);
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
        await this.slots.use(this.rank(seed), signal, async () => {
          await unheld(path, signal);
          if (await endedOf(path)) return;
          const info = await readRunInfo(path).catch(() => undefined);
          const anew = info === undefined || (info.status === 'failed' && info.step === 0);
          this.note('training', false, says, anew ? 'begins' : `goes on after step ${info.step}`);
          await runChild(program, anew ? fresh : [of.command, '--resume', path, '--no-view'], `${path}.log`, signal);
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
  private async scores(of: ArmRuns, policy: string, folder: string, rank: number, name: string): Promise<Record<string, Scores>> {
    const { program, signal, plan } = this.options;
    const scores: Record<string, Scores> = {};
    for (const [panel, asked] of Object.entries(of.played.panels)) {
      const place = `${folder}-${panel}`;
      await this.slots.use(rank, signal, async () => {
        await unheld(place, signal);
        this.note('evaluation', false, name, `is evaluated on ${panel}`);
        await runChild(program, evaluationArgs(of, asked, policy, place, plan.threads), `${place}.log`, signal);
        signal.throwIfAborted();
      });
      scores[panel] = await scoresOf(place, asked);
      this.note('evaluation', true, name, `evaluated on ${panel}`);
    }
    return scores;
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

/** How a run ended, where it did. */
async function endedOf(path: string): Promise<{ readonly reason?: string } | undefined> {
  const info = await readRunInfo(path).catch(() => undefined);
  if (info?.status === 'finished') return {};
  return info?.status === 'stopped' ? { ...(info.reason === undefined ? {} : { reason: info.reason }) } : undefined;
}

/** Waits for a process of an earlier start that was left behind and still writes here. */
async function unheld(folder: string, signal: AbortSignal): Promise<void> {
  while ((await holderOf(folder)) !== undefined) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** What a process that wrote no run said last. */
async function lastWords(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1) ?? 'it could not be started';
}

function evaluationArgs(
  { environment, played, device }: ArmRuns,
  panel: PanelPlan,
  policy: string,
  out: string,
  threads: number,
): string[] {
  const env = played.env ?? environment;
  const option = (name: string, value: string | number | null): string[] => (value === null ? [] : [name, String(value)]);
  return [
    'eval',
    env,
    ...option('--policy', policy),
    ...option('--split', panel.split),
    ...option('--tasks', panel.tasks),
    ...option('--samples', panel.samples),
    ...option('--temperature', panel.temperature),
    ...option('--max-turns', panel.max_turns),
    ...option('--max-tokens', panel.max_tokens),
    ...Object.entries(panel.settings).flatMap(([key, value]) => ['--set', `${env}.${key}=${value}`]),
    ...option('--threads', threads),
    ...option('--device', device === 'host' ? null : device),
    ...option('--out', out),
    '--no-view',
  ];
}

async function scoresOf(folder: string, { samples, temperature }: PanelPlan): Promise<Scores> {
  const { scores } = await readEvaluation(folder).catch((thrown: unknown) => {
    throw new AgogeError('RUN_STUDY_FAILED', `its evaluation did not end: read ${folder}.log`, { cause: thrown });
  });
  const [score] = scores;
  if (!score || score.scored === 0)
    throw new AgogeError('RUN_STUDY_FAILED', `no episode of its evaluation has a result: read ${folder}.log`);
  return {
    panel: score.panel,
    split: score.split,
    samples,
    temperature,
    missing: score.episodes - score.scored,
    tasks: score.perTask.map(({ index, category, success, reward }) => [
      index,
      category,
      success.join(''),
      reward.length === 0 ? null : Math.round(mean(reward) * 1e4) / 1e4,
    ]),
  };
}

/** Success on validation of the checkpoint that the arm hands on. */
async function validationOf(path: string, checkpoint: 'latest' | 'best'): Promise<number | undefined> {
  const byStep = new Map<number, number[]>();
  for (const { step, success } of await readEvaluations(path))
    if (step > 0) byStep.set(step, [...(byStep.get(step) ?? []), success]);
  const means = [...byStep].sort(([a], [b]) => a - b).map(([, values]) => mean(values));
  return checkpoint === 'best' ? (means.length > 0 ? Math.max(...means) : undefined) : means.at(-1);
}

function successText(panels: Readonly<Record<string, Scores>>): string {
  return Object.entries(panels)
    .map(([name, { tasks }]) => `${name} ${mean(tasks.flatMap(([, , all]) => [...all].map(Number))).toFixed(3)}`)
    .join(', ');
}
