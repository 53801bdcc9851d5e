/** `agoge sweep`: one recipe over a grid of settings, a process for each run, as many at once as there are cores; one table in the end. */
import type { Command } from '@commander-js/extra-typings';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { writeWhole } from '../../run/files.ts';
import { holderOf } from '../../run/ownership.ts';
import { englishChild } from '../terminal/language.ts';
import { print, printJson, tell } from '../terminal/print.ts';
import { interruption } from '../terminal/signals.ts';
import { restText } from '../terminal/this-program.ts';
import { whole } from '../options/values.ts';

export function register(command: Command): void {
  command
    .argument('<recipe>', 'a YAML file, or the name of a recipe that ships')
    .argument('[overrides...]', 'settings of all runs: steps=40')
    .requiredOption('--over <key=a,b>', 'values of one setting; repeat for more settings: --over seed=1,2,3', collect, [])
    .option('--jobs <n>', 'runs at once; default: as many as there are cores for, one thread each', whole(1, 1024))
    .option('--name <name>', 'folder of the sweep below `output`; default: the run of the recipe, with -sweep')
    .option('--json', 'print the rows as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge sweep recipes/textcraft-grpo.yaml steps=20 --over optimizer.lr=1e-4,3e-4 --over seed=1,2,3
  agoge sweep textcraft-early-grpo --over rollout.branch=0,8 --over 'agent.max_turns=20,[10,20,30]' --jobs 8
The same command again goes on with what is missing. Test tasks are never played: run agoge eval on the run you choose.
`,
    )
    .action(sweep);
}

interface SweepOptions {
  readonly over: readonly string[];
  readonly jobs?: number | undefined;
  readonly name?: string | undefined;
  readonly json?: true | undefined;
}

async function sweep(recipe: string, overrides: readonly string[], options: SweepOptions): Promise<void> {
  const { readSwept, sweepRows, sweepTable } = await import('../../train/run/sweep.ts');
  const plan = await sweepPlan(recipe, overrides, options);
  const { cells, folder, made } = plan;
  await makeFolder(folder);
  await sameSweep(join(folder, 'sweep.json'), { recipe, overrides, made });
  const signal = interruption();
  await playCells(plan, signal);
  const runs = await Promise.all(cells.map((cell) => readSwept(folder, cell)));
  const rows = sweepRows(runs);
  const table = sweepTable(rows);
  await writeWhole(join(folder, 'sweep.md'), `# ${recipe} over ${options.over.join(' × ')}\n\n${table}\n`);
  const all = { recipe, overrides, made, over: options.over, rows, runs };
  await writeWhole(join(folder, 'sweep.json'), `${JSON.stringify(all, null, 1)}\n`);
  if (options.json === true) printJson(rows);
  else print(`${table}\n\nsee the runs with: agoge view ${folder}; the table is ${join(folder, 'sweep.md')}`);
  const failed = runs.filter(({ status }) => status !== 'finished' && status !== 'stopped');
  if (signal.aborted)
    throw new AgogeError('CLI_INTERRUPTED', `interrupted: ${restText(failed.length, runs.length)}`, { cause: signal.reason });
  if (failed.length > 0)
    throw new AgogeError(
      'CLI_SWEEP_FAILED',
      `${failed.length} of ${runs.length} runs did not end: read ${failed[0]?.path}.log, then give the same command again`,
    );
}

type Cell = Readonly<Record<string, string>>;

export interface SweepPlan {
  readonly command: 'train' | 'sft';
  /** Of the recipe. */
  readonly path: string;
  /** Hash of what the recipe says: a recipe that was edited makes other runs. */
  readonly made: string;
  readonly cells: readonly Cell[];
  /** The overrides of one run. */
  readonly settings: (cell: Cell) => readonly string[];
  readonly folder: string;
  readonly threads: number;
  readonly jobs: number;
}

const ownSettings = ['run', 'output', 'engine.threads', 'evaluate.choose', 'evaluate.at_end'];

/** Reads the recipe once for every cell, so that a value that does not fit is told before the first run starts. */
export async function sweepPlan(recipe: string, overrides: readonly string[], options: SweepOptions): Promise<SweepPlan> {
  const [{ cellsOf }, { readRlRecipe, readSftRecipe }, { findRecipe, kindOf }, { readConfig }] = await Promise.all([
    import('../../train/run/sweep.ts'),
    import('../../config/recipe/read-recipe.ts'),
    import('../../config/packaged-recipes.ts'),
    import('../../config/read-config.ts'),
  ]);
  const { path } = await findRecipe(recipe);
  const raw = await readConfig(path);
  const made = createHash('sha256').update(JSON.stringify(raw)).digest('hex').slice(0, 12);
  const command = kindOf(raw) === 'sft' ? 'sft' : 'train';
  const read = command === 'sft' ? readSftRecipe : readRlRecipe;
  const cells = cellsOf(options.over);
  const own = Object.keys(cells[0] ?? {}).find((key) => ownSettings.includes(key.replace(/^\+{1,2}/, '')));
  if (own !== undefined)
    throw new AgogeError('CLI_USAGE_SWEEP', `a sweep gives each run its ${own} itself: leave it out of --over`);
  // A sweep chooses, so whatever it evaluates must be fit to choose by: the schema refuses test tasks then.
  const common = [...overrides, 'evaluate.choose=true', 'evaluate.at_end=true'];
  const settings = (cell: Cell): string[] => [...common, ...Object.entries(cell).map(([key, value]) => `${key}=${value}`)];
  const recipes = await Promise.all(cells.map((cell) => read(path, settings(cell))));
  const [first] = recipes;
  if (!first) throw new AgogeError('CLI_USAGE_SWEEP', 'there is nothing to sweep: give --over key=a,b');
  const folder = join(first.output, options.name ?? `${first.run}-sweep`);
  const threads = Math.max(...recipes.map(({ engine }) => engine.threads ?? 1));
  const jobs = options.jobs ?? Math.max(1, Math.floor(availableParallelism() / threads));
  return { command, path, made, cells, settings, folder, threads, jobs };
}

/** Plays what has not ended yet, as many runs at once as the plan says. */
async function playCells(
  { command, path, cells, settings, folder, threads, jobs }: SweepPlan,
  signal: AbortSignal,
): Promise<void> {
  const { cellName, readSwept } = await import('../../train/run/sweep.ts');
  const queue = [...cells];
  tell(`${cells.length} runs in ${folder}, ${Math.min(jobs, cells.length)} at once`);
  const worker = async (): Promise<void> => {
    for (let cell = queue.shift(); cell !== undefined && !signal.aborted; cell = queue.shift()) {
      if (!(await isFree(join(folder, cellName(cell)), signal))) break;
      const before = await readSwept(folder, cell);
      if (before.status === 'finished' || before.status === 'stopped') continue;
      const name = cellName(cell);
      const started = ['failed', 'missing'].includes(before.status) && before.step === 0;
      const args = started
        ? [command, path, ...settings(cell), `run=${name}`, `output=${folder}`, `engine.threads=${threads}`, '--no-view']
        : [command, '--resume', before.path, '--no-view'];
      await child(args, join(folder, `${name}.log`), signal);
      const { status, step, success } = await readSwept(folder, cell);
      tell(`${name}: ${status} after step ${step}${success === undefined ? '' : `, success ${success.toFixed(3)}`}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, cells.length) }, worker));
}

/** What a folder's runs have in common. */
interface SweepParts {
  readonly recipe: string;
  readonly overrides: readonly string[];
  readonly made: string;
}

/** A folder holds runs of one recipe with one set of overrides: others would stand in the same table as if they were comparable. */
export async function sameSweep(path: string, now: SweepParts): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return writeWhole(path, `${JSON.stringify(now)}\n`);
  const before = partsOf(text);
  if (before.recipe !== now.recipe || JSON.stringify(before.overrides) !== JSON.stringify(now.overrides))
    throw new AgogeError(
      'CLI_USAGE_SWEEP',
      `${path} is of a sweep of ${[before.recipe ?? '?', ...(before.overrides ?? [])].join(' ')}: give this one its own --name`,
    );
  // Sweeps of earlier versions do not say.
  if (before.made !== undefined && before.made !== now.made)
    throw new AgogeError(
      'CLI_USAGE_SWEEP',
      `${path} is of a sweep of ${now.recipe} as it was before it was changed: give this one its own --name, or remove that folder`,
    );
}

/** What a damaged file held is not known, so it is of no sweep. */
function partsOf(text: string): Partial<SweepParts> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<SweepParts>;
  } catch {
    return {};
  }
}

/** Waits for whoever writes there; false where the wait was interrupted. A killed sweep's runs end at their next word, since nobody reads them any more. */
async function isFree(path: string, signal: AbortSignal): Promise<boolean> {
  let told = false;
  for (let pid = await holderOf(path); pid !== undefined && !signal.aborted; pid = await holderOf(path)) {
    if (!told) tell(`${path} is still being written by process ${pid}: waiting for it`);
    told = true;
    await setTimeout(200, undefined, { signal }).catch(() => undefined);
  }
  return !signal.aborted;
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** One run in a process of its own, what it prints in a file. A signal reaches it too: it saves and ends. */
async function child(args: readonly string[], log: string, signal: AbortSignal): Promise<void> {
  const out = createWriteStream(log, { flags: 'a' });
  const running = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: englishChild(),
  });
  running.stdout.pipe(out, { end: false });
  running.stderr.pipe(out, { end: false });
  const stop = (): void => void running.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    await once(running, 'close');
  } finally {
    signal.removeEventListener('abort', stop);
    out.end();
    await finished(out);
  }
}
