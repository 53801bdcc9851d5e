/**
 * Whether runs are reproducible bit by bit: a recipe again and again, at several numbers of threads, with and without evaluation,
 * every second run killed (SIGKILL) one to three times at random points and resumed. Prints a line per run and a verdict; exit
 * code 1 when the weights at the end are not all the same.
 *   npm run build && npx tsx bench/engine/bits.ts [--runs 20] [--threads 1,2,4,16] [--cores 2: how many may be busy] [--seed 1]
 *     [--recipe recipes/textcraft-grpo.yaml] [--cli dist/cli/main.js] [key=value …, default seed=1 steps=4]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/random/random.ts';
import { inProject } from '../root.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    threads: { type: 'string', default: '1,2,4,16' },
    cores: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '1' },
    cli: { type: 'string', default: inProject('dist/cli/main.js') },
    recipe: { type: 'string' },
  },
});
const recipe = values.recipe ?? join(values.cli, '..', '..', '..', 'recipes', 'textcraft-grpo.yaml');
const settings = ['seed=1', 'steps=4', 'checkpoint.every=1', ...positionals];
const steps = Number(settings.findLast((setting) => setting.startsWith('steps='))?.slice('steps='.length));
const random = Random.of(Number(values.seed), 'bits');
const folder = mkdtempSync(join(tmpdir(), 'agoge-bits-'));

/** A moment to kill a run: so many seconds after it has ended so many steps. */
interface Moment {
  readonly step: number;
  readonly seconds: number;
}

interface Plan {
  readonly run: string;
  readonly threads: number;
  readonly evaluates: boolean;
  readonly kills: readonly Moment[];
}

const threads = values.threads.split(',').map(Number);
const plans = Array.from({ length: Number(values.runs) }, (_, i): Plan => {
  const count = i % 2 === 1 ? 1 + random.below(3) : 0;
  return {
    run: `run-${i + 1}`,
    threads: threads[Math.floor(i / 2) % threads.length] ?? 1,
    evaluates: random.float() < 0.5,
    kills: Array.from({ length: count }, () => ({ step: random.below(steps), seconds: 4 * random.float() })),
  };
});

function stepsOf(run: string): number {
  const file = join(folder, 'outputs', run, 'metrics', 'training_metrics.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('"training/global_step"').length - 1 : 0;
}

/** Runs a command of ours, and kills it at the moment. True when it ended by itself. */
async function agoge(run: string, args: readonly string[], kill?: Moment): Promise<boolean> {
  const child = spawn(process.execPath, [values.cli, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (kill) {
    while (child.exitCode === null && stepsOf(run) < kill.step) await wait(50);
    await Promise.race([wait(1000 * kill.seconds), ended]);
    child.kill('SIGKILL');
  }
  const code = await ended;
  if (code !== 0 && code !== null) throw new Error(`${args.join(' ')} ended with ${code}: ${said.slice(-2000)}`);
  return code === 0;
}

function weightsOf(run: string): string {
  const checkpoints = join(folder, 'outputs', run, 'checkpoints');
  const last = readdirSync(checkpoints)
    .filter((name) => name.startsWith('step_'))
    .sort()
    .at(-1);
  if (last === undefined || Number(last.slice('step_'.length)) !== steps) throw new Error(`${run} did not come to step ${steps}`);
  return createHash('sha256')
    .update(readFileSync(join(checkpoints, last, 'model.safetensors')))
    .digest('hex');
}

async function carryOut({ run, threads: count, evaluates, kills }: Plan): Promise<string> {
  const evaluate = evaluates ? ['evaluate.every=2'] : ['evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false'];
  const fresh = ['train', recipe, `run=${run}`, `engine.threads=${count}`, ...evaluate, ...settings];
  const path = join(folder, 'outputs', run);
  const killedAt: number[] = [];
  while (!(await agoge(run, existsSync(join(path, 'run.json')) ? ['train', '--resume', path] : fresh, kills[killedAt.length]))) {
    killedAt.push(stepsOf(run));
  }
  const hash = weightsOf(run);
  const story =
    killedAt.length === 0 ? 'not killed' : `killed after ${killedAt.map((step) => `step ${step}`).join(', ')}, resumed`;
  console.log(`${run}: ${count} threads, evaluation ${evaluates ? 'on' : 'off'}, ${story}: ${hash}`);
  return hash;
}

/** Starts the next run as soon as there are cores for it. */
async function carryOutAll(): Promise<Set<string>> {
  const cores = Number(values.cores);
  const hashes = new Set<string>();
  const going = new Set<Promise<void>>();
  let busy = 0;
  for (const plan of plans) {
    const wanted = Math.min(plan.threads, cores);
    while (busy + wanted > cores) await Promise.race(going);
    busy += wanted;
    const one = carryOut(plan).then((hash) => {
      hashes.add(hash);
      busy -= wanted;
      going.delete(one);
    });
    going.add(one);
  }
  await Promise.all(going);
  return hashes;
}

try {
  const { size } = await carryOutAll();
  console.log(size === 1 ? `${plans.length} runs, the same weights` : `${plans.length} runs, ${size} DIFFERENT weights`);
  process.exitCode = size === 1 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
