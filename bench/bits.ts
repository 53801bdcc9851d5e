/**
 * Whether runs are reproducible bit by bit: the same recipe again and again, at several numbers of threads, with and without
 * evaluation, some of them killed (SIGKILL) at a random moment and resumed, as often as it takes. Prints each run and whether all
 * ended with the same weights; exit code 1 when not.
 *   npm run build && npx tsx bench/bits.ts [--runs 20] [--recipe recipes/textcraft-grpo.yaml] [--threads 1,2,4,16] [--seed 1] [key=value …]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../src/core/random/random.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    recipe: { type: 'string', default: fileURLToPath(new URL('../recipes/textcraft-grpo.yaml', import.meta.url)) },
    threads: { type: 'string', default: '1,2,4,16' },
    seed: { type: 'string', default: '1' },
    cli: { type: 'string', default: fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)) },
  },
});
const settings = positionals.length > 0 ? positionals : ['steps=3', 'rollout.groups=4', 'checkpoint.every=1'];
const threads = values.threads.split(',');
const random = Random.of(Number(values.seed), 'bits');
const folder = mkdtempSync(join(tmpdir(), 'agoge-bits-'));

/** Runs a command of ours; with `killAfter` it is killed after so many milliseconds. True when it ended by itself. */
async function agoge(args: readonly string[], killAfter?: number): Promise<boolean> {
  const child = spawn(process.execPath, [values.cli, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (code !== 0 && code !== null) throw new Error(`${args.join(' ')} ended with ${code}: ${said.slice(-2000)}`);
  return code === 0;
}

function weightsOf(run: string): string {
  const checkpoints = join(folder, 'outputs', run, 'checkpoints');
  const last = readdirSync(checkpoints)
    .filter((name) => name.startsWith('step_'))
    .sort()
    .at(-1);
  return createHash('sha256')
    .update(readFileSync(join(checkpoints, last ?? '', 'model.safetensors')))
    .digest('hex')
    .slice(0, 16);
}

const hashes = new Set<string>();
let longest = 5000;
try {
  for (let i = 0; i < Number(values.runs); i++) {
    const run = `run-${i}`;
    const count = threads[i % threads.length] ?? '1';
    const evaluates = random.float() < 0.5;
    const kills = i % 2 === 1 ? 1 + random.below(3) : 0;
    const evaluate = evaluates ? ['evaluate.every=1'] : ['evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false'];
    const start = performance.now();
    const fresh = ['train', values.recipe, `run=${run}`, `engine.threads=${count}`, ...evaluate, ...settings];
    let killed = 0;
    let done = await agoge(fresh, kills > 0 ? random.float() * longest : undefined);
    while (!done) {
      killed++;
      const path = join(folder, 'outputs', run);
      const again = existsSync(join(path, 'run.json')) ? ['train', '--resume', path] : fresh;
      done = await agoge(again, killed < kills ? random.float() * longest : undefined);
    }
    if (kills === 0) longest = performance.now() - start;
    const hash = weightsOf(run);
    hashes.add(hash);
    console.log(`${run}: ${count} threads, evaluation ${evaluates ? 'on' : 'off'}, killed ${killed} times: ${hash}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  hashes.size === 1 ? `${values.runs} runs, the same weights` : `${values.runs} runs, ${hashes.size} different weights`,
);
process.exitCode = hashes.size === 1 ? 0 : 1;
