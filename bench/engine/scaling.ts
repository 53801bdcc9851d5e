/**
 * How the engine scales over cores: training (plain and GRPO-shaped), sampling, and whole GRPO steps of the shipped recipe, each in a
 * process of its own that may use so many cores. The GRPO runs also show that the weights do not depend on the number of cores.
 *   npm run build && npx tsx bench/engine/scaling.ts [--cores 1,2,4,8,16] [--shapes xs,s] [--rounds 3] [--requests 8,32,64,256]
 *     [--steps 3] [--python path: PyTorch in turns, same cores] [--cli dist/cli/main.js] [--json]
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inProject } from '../root.ts';

const { values } = parseArgs({
  options: {
    cores: { type: 'string', default: '1,2,4,8,16' },
    shapes: { type: 'string', default: 'xs,s' },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '8,32,64,256' },
    steps: { type: 'string', default: '3' },
    python: { type: 'string' },
    cli: { type: 'string', default: inProject('dist/cli/main.js') },
    json: { type: 'boolean', default: false },
  },
});
const recipe = join(values.cli, '..', '..', '..', 'recipes', 'textcraft-grpo.yaml');
const present = availableParallelism();
const cores = values.cores.split(',').map(Number);
const pins = spawnSync('taskset', ['--version']).status === 0;

/** Runs a command of ours on the first `count` cores; where they cannot be pinned, only its threads are limited. */
function agoge(count: number, args: readonly string[], cwd: string): string {
  const command = [process.execPath, values.cli, ...args];
  const pinned = pins && count <= present ? ['taskset', '-c', `0-${count - 1}`, ...command] : command;
  const { status, stdout, stderr } = spawnSync(pinned[0]!, pinned.slice(1), { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout;
}

interface Row {
  readonly work: string;
  readonly cores: number;
  /** Tokens per second, or episodes per second. */
  readonly rate: number;
  readonly peer?: number | undefined;
}

/** Weights after each number of cores: all must be equal. */
const weights = new Set<string>();
const rows: Row[] = [];
const folder = mkdtempSync(join(tmpdir(), 'agoge-scaling-'));

function engineRows(count: number): void {
  const python = values.python === undefined ? [] : ['--python', values.python];
  for (const shape of values.shapes.split(',').filter(Boolean)) {
    const sizes = ['--shapes', shape, '--rounds', values.rounds, '--requests', values.requests];
    const lines = agoge(count, ['bench', 'engine', '--json', '--threads', String(count), ...sizes, ...python], folder);
    for (const line of lines.trim().split('\n')) {
      const { batch, requests, tokensPerSecond, peerTokensPerSecond } = JSON.parse(line) as {
        batch?: string;
        requests?: number;
        tokensPerSecond: number;
        peerTokensPerSecond?: number;
      };
      const work = batch === undefined ? `${shape} sample ×${requests}` : `${shape} train ${batch}`;
      rows.push({ work, cores: count, rate: tokensPerSecond, peer: peerTokensPerSecond });
    }
  }
}

function grpoRows(count: number): void {
  const run = `cores-${count}`;
  const off = ['evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false'];
  agoge(count, ['train', recipe, `run=${run}`, `steps=${values.steps}`, `engine.threads=${count}`, ...off], folder);
  const path = join(folder, 'outputs', run);
  const steps = readFileSync(join(path, 'metrics', 'training_metrics.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: Record<string, number> }).data)
    .slice(1); // the first one warms up
  const mean = (name: string): number => steps.reduce((sum, step) => sum + (step[name] ?? 0), 0) / steps.length;
  const episodes = 16 * 8;
  rows.push({ work: 'base GRPO sampling, episodes/s', cores: count, rate: episodes / mean('timing_s/gen') });
  rows.push({ work: 'base GRPO update, episodes/s', cores: count, rate: episodes / mean('timing_s/update_actor') });
  rows.push({ work: 'base GRPO step, episodes/s', cores: count, rate: episodes / mean('timing_s/step') });
  const last = readdirSync(join(path, 'checkpoints')).sort().at(-1) ?? '';
  weights.add(
    createHash('sha256')
      .update(readFileSync(join(path, 'checkpoints', last, 'model.safetensors')))
      .digest('hex'),
  );
}

try {
  for (const count of cores) {
    engineRows(count);
    if (Number(values.steps) > 1) grpoRows(count);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (values.json) for (const row of rows) console.log(JSON.stringify(row));
const format = (rate: number): string => (rate < 1000 ? rate.toPrecision(3) : `${(rate / 1000).toFixed(1)}k`);
console.log(`| tokens/s unless said; PyTorch in brackets | ${cores.map((count) => `${count}`).join(' | ')} | last to first |`);
console.log(`|---|${cores.map(() => '---|').join('')}---|`);
for (const work of new Set(rows.map((row) => row.work))) {
  const cells = cores.map((count) => rows.find((row) => row.work === work && row.cores === count));
  const shown = cells.map((row) => (row ? format(row.rate) + (row.peer === undefined ? '' : ` (${format(row.peer)})`) : '–'));
  const gain = (cells.at(-1)?.rate ?? Number.NaN) / (cells[0]?.rate ?? Number.NaN);
  console.log(`| ${work} | ${shown.join(' | ')} | ${gain.toFixed(1)} |`);
}
if (weights.size > 0)
  console.log(
    `weights after ${values.steps} GRPO steps: ${weights.size === 1 ? 'the same' : 'NOT the same'} (${[...weights].map((hash) => hash.slice(0, 16)).join(', ')})`,
  );
