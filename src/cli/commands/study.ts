/** `agoge study`: arms × seeds × environments from one plan, side by side and resumable, with one table in the end. */
import type { Command } from '@commander-js/extra-typings';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { choice } from '../../core/nearest.ts';
import { widthOf } from '../../core/width.ts';
import { mpsRuns } from '../../engine/embedded/runtime/cuda/mps.ts';
import { usableCard } from '../../engine/embedded/runtime/cuda/usable.ts';
import type { PlannedRun } from '../../study/arm-runs.ts';
import type { StudyNote } from '../../study/study-work.ts';
import { printAbove, startBar, stopBar, type Bar } from '../terminal/bar.ts';
import { say } from '../terminal/language.ts';
import { print, printAsIs, printJson, tell } from '../terminal/print.ts';
import { interruption } from '../terminal/signals.ts';
import { restText, thisProgram } from '../terminal/this-program.ts';
import { deviceName, type DeviceOption } from '../options/device.ts';
import { collect } from '../options/settings.ts';
import { real, whole } from '../options/values.ts';

export function register(study: Command): void {
  study
    .argument('<plan>', "a study's plan.yaml (docs/study.md)")
    .option('--jobs <n>', 'runs at once; default: as many as there are cores for, by the threads of the plan', whole(1))
    .option(
      '--device <name>',
      'where all runs compute, in place of what plan and recipes say: host or cuda (the card)',
      deviceName,
    )
    .option('--card-jobs <n>', 'runs at once on the card, beside those on cores; several share it', whole(1), 1)
    .option('--minutes <n>', 'stop after so long: what runs is saved, and the table has what was finished', real(0.01))
    .option('--only <environment>', 'play only this environment of the plan now (repeatable)', collect, [])
    .option('--results <folder>', 'where the small files, the table and the page go; default: studies/<name>')
    .option('-o, --out <folder>', 'where runs with their weights lie; default: outputs/<name>')
    .option('--dry-run', 'list the runs with an estimate of their time, then end')
    .option('--json', 'print the table as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge study studies/few-demonstrations/plan.yaml --dry-run
  agoge study studies/few-demonstrations/plan.yaml --results again      repeats what the folder has
  agoge study show studies/few-demonstrations                           the table, from the small files alone
The same command again goes on with what is missing. A run that failed is named in the table and never counted as a zero.
`,
    )
    .action((path, options) => runPlan(path, options));
  study
    .command('show')
    .description('print the table of a study from its small files alone')
    .argument('<folder>', 'studies/<name>')
    .option('--json', 'print it as JSON')
    .action((folder, _options, command) => showStudy(folder, command.optsWithGlobals().json === true));
}

interface StudyCommand {
  readonly jobs?: number | undefined;
  readonly device?: DeviceOption | undefined;
  readonly cardJobs: number;
  readonly minutes?: number | undefined;
  readonly only: readonly string[];
  readonly results?: string | undefined;
  readonly out?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly json?: true | undefined;
}

async function runPlan(path: string, options: StudyCommand): Promise<void> {
  const [{ readPlan }, { checkPanels }, { armRuns, plannedRuns }, { runStudy }, { tablesText }] = await Promise.all([
    import('../../study/plan.ts'),
    import('../../study/check-panels.ts'),
    import('../../study/arm-runs.ts'),
    import('../../study/run-study.ts'),
    import('../../study/page.ts'),
  ]);
  const plan = await readPlan(path);
  const runs = await armRuns(plan, options.device);
  const results = options.results ?? join('studies', plan.study);
  const output = options.out ?? join('outputs', plan.study);
  const jobs = options.jobs ?? Math.max(1, Math.floor(availableParallelism() / plan.threads));
  const only = options.only.length > 0 ? options.only : Object.keys(plan.environments);
  for (const name of only)
    if (!(name in plan.environments))
      throw new AgogeError('CLI_USAGE_STUDY', `--only ${name}: ${choice(name, Object.keys(plan.environments))}`);
  const places = { jobs, cardJobs: options.cardJobs };
  const planned = (await plannedRuns(plan, runs, results)).filter(({ environment }) => only.includes(environment));
  if (options.dryRun === true) {
    await checkPanels(plan, only);
    if (options.json === true) printJson({ study: plan.study, ...places, results, output, runs: planned });
    else {
      for (const run of planned) printAsIs(plannedLine(run));
      print(`\n${planText(planned, places, results)}`);
    }
    return;
  }
  const onCard = planned.some(({ state, device }) => state !== 'finished' && device === 'cuda');
  const cardMemory = onCard ? freeMemory() : undefined;
  const todo = planned.filter(({ state }) => state !== 'finished').length;
  if (todo === 0) tell(`all ${planned.length} runs are in ${results}; give --results another folder to make them again`);
  else tell(`${todo} of ${planned.length} runs to do, ${placesText(planned, places)}; runs in ${output}, results in ${results}`);
  if (onCard && options.cardJobs > 1 && !mpsRuns())
    tell(
      "runs take turns on the card: with NVIDIA's MPS (nvidia-cuda-mps-control -d) they compute at once, small models several times as fast (docs/study.md)",
    );
  const largest = Math.max(0, ...runs.flatMap(({ environment, memory }) => (only.includes(environment) ? [memory ?? 0] : [])));
  const fit = cardMemory === undefined ? Infinity : Math.max(1, Math.floor(cardMemory / largest));
  if (cardMemory !== undefined && fit < options.cardJobs)
    tell(`the card has ${cardMemory.toFixed(1)} GiB free: of runs that take ${largest} GiB, ${fit} at once`);
  const stop = interruption();
  const limit = options.minutes === undefined ? undefined : AbortSignal.timeout(options.minutes * 60_000);
  const signal = limit ? AbortSignal.any([stop, limit]) : stop;
  const progress = studyProgress(todo);
  const table = await runStudy({
    plan,
    runs,
    only,
    output,
    results,
    ...places,
    ...(cardMemory === undefined ? {} : { cardMemory }),
    signal,
    program: thisProgram(),
    onNote: progress.note,
  }).finally(progress.stop);
  if (options.json === true) printJson(table);
  else print(`${tablesText(table)}\n\nthe page is ${join(results, 'page.md')}; see the runs with: agoge view ${output}`);
  // Counted again: a run that was stopped at its very end may have finished.
  const now = (await plannedRuns(plan, runs, results)).filter(({ environment }) => only.includes(environment));
  const rest = restText(now.filter(({ state }) => state !== 'finished').length, now.length);
  if (stop.aborted) throw new AgogeError('CLI_INTERRUPTED', `interrupted: ${rest}`, { cause: stop.reason });
  if (signal.aborted) tell(`time is up: ${rest}`);
  const { failed, planned: all } = table.runs;
  if (failed > 0)
    throw new AgogeError(
      'CLI_STUDY_FAILED',
      `${failed} of ${all} runs failed: the table says why; give the same command again to try them again`,
    );
}

/** GiB of the card that nobody has, where its driver says so; throws where no card can be used. */
function freeMemory(): number | undefined {
  const free = usableCard()?.free ?? 0;
  return free > 0 ? free / 2 ** 30 : undefined;
}

async function showStudy(folder: string, json: boolean): Promise<void> {
  const [{ readStudy }, { studyTable }, { tablesText }] = await Promise.all([
    import('../../study/results.ts'),
    import('../../study/gains.ts'),
    import('../../study/page.ts'),
  ]);
  const table = await studyTable(folder, await readStudy(folder));
  if (json) printJson(table);
  else {
    const { finished, failed, planned } = table.runs;
    print(
      `${table.study.study}: ${finished} of ${planned} runs finished${failed > 0 ? `, ${failed} failed` : ''}\n\n${tablesText(table)}`,
    );
  }
}

/** Runs at once: on the cores, on the card, or both. */
interface Places {
  readonly jobs: number;
  readonly cardJobs: number;
}

function placesText(planned: readonly PlannedRun[], { jobs, cardJobs }: Places): string {
  const onCard = planned.filter(({ device }) => device !== 'host').length;
  if (onCard === 0) return `${jobs} at once`;
  return `${onCard < planned.length ? `${jobs} at once on cores, ` : ''}${cardJobs} at once on the card`;
}

/** Environments and arms are names, whatever they are called: the rest alone is said in the reader's language. */
function plannedLine({ environment, arm, seed, state, trials, minutes }: PlannedRun): string {
  const takes = minutes === undefined ? 'until its recipe ends' : `${minutes.toFixed(1)} min`;
  const more = trials > 0 ? `, and ${trials} more to choose settings` : '';
  const cells = [
    [environment, 14],
    [arm, 18],
    [say(`seed ${seed}`), 9],
    [say(state), 8],
    [state === 'finished' ? '' : say(`${takes}${more}`), 0],
  ] as const;
  return cells
    .map(([text, width]) => text + ' '.repeat(Math.max(0, width - widthOf(text))))
    .join(' ')
    .trimEnd();
}

function planText(planned: readonly PlannedRun[], places: Places, results: string): string {
  const open = planned.filter(({ state }) => state !== 'finished');
  const known = open.filter((run) => run.minutes !== undefined);
  const total = (there: (run: PlannedRun) => boolean): number =>
    known.filter(there).reduce((sum, { minutes: takes = Number.NaN, trials }) => sum + takes * (1 + trials), 0);
  const onCard = ({ device }: PlannedRun): boolean => device !== 'host';
  const longest = Math.max(total((run) => !onCard(run)) / places.jobs, total(onCard) / places.cardJobs);
  const unknown = open.length - known.length;
  const time = known.length === 0 ? 'how long training takes is not known' : `training takes about ${longest.toFixed(0)} minutes`;
  return [
    `${open.length} of ${planned.length} runs to do, ${placesText(open, places)}; results in ${results}`,
    `${time}${known.length > 0 && unknown > 0 ? `, and ${unknown} runs whose time is not known` : ''}; evaluations come on top`,
  ].join('\n');
}

/** A bar on a terminal, with lines for what ends; without one, lines for what begins too. */
function studyProgress(total: number): { note: (note: StudyNote) => void; stop: () => void } {
  const running = new Map<string, string>();
  let done = 0;
  let bar: Bar | undefined;
  if (process.stderr.isTTY && total > 0)
    bar = startBar({ format: '{bar} {value}/{total} runs · {label}' }, total, 0, { label: '' });
  return {
    note: ({ what, ended, name, text }) => {
      if (ended) running.delete(`${what} ${name}`);
      else running.set(`${what} ${name}`, name);
      if (what === 'run') done++;
      const line = `${name}: ${text}`;
      if (!bar) tell(what === 'run' ? `[${done}/${total}] ${line}` : line);
      else {
        if (what === 'run' || what === 'choice') printAbove(line);
        bar.update(done, { label: [...running.values()].slice(0, 3).join(', ') });
      }
    },
    stop: () => stopBar(bar),
  };
}
