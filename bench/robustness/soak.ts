/**
 * Everything at once for a bounded time: a server (with SQLite in its sandbox), a server under chaos, a dashboard that is sent large bodies, a sandbox
 * with hostile programs, evaluations, and a training run that is killed and resumed in every round. Memory, handles, sockets and files of the
 * long-lived processes are read every few seconds; in the end it says whether they are flat and whether the run lost anything. Linux only (/proc).
 *
 *   npx tsx bench/robustness/soak.ts [minutes] [file for the samples] [--share 0.3]      (--share: of one core, on average)
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { flatness } from './soak/flat.ts';
import { childrenOf, processorSeconds, sampleOf, type Sample } from './soak/processes.ts';
import { inProject } from '../root.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { share: { type: 'string', default: '1' } } });
const [minutes = '60', out] = positionals;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cli = process.env['AGOGE_CLI'] ?? inProject('dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'agoge-soak-'));
const ports = { serve: 36951, chaos: 36952, view: 36953 };
const episodesPerStep = 8;
const url = (port: number, path = ''): string => `http://127.0.0.1:${port}${path}`;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

writeFileSync(
  join(folder, 'sft.yaml'),
  `run: start
policy: { fresh: { preset: xxs, vocabulary: 700, context: 512, tokenizer_samples: 150 } }
data: { source: experts, experts: [{ env: textcraft, generated: true, settings: { expert: stack } }], max_tokens: 256 }
batch_tokens: 512
steps: 4
evaluate: { at_end: false }
`,
);
writeFileSync(
  join(folder, 'rl.yaml'),
  `run: long
policy: run:outputs/start
tasks: [{ env: textcraft, url: "${url(ports.serve, '/textcraft')}", split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 4 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
steps: 1000000
stop: { no_signal: 1000000 }
evaluate: { at_end: false }
checkpoint: { every: 3, keep: 2 }
`,
);
const run = join(folder, 'outputs/long');

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--expose-gc', cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

const made = spawnSync(process.execPath, [cli, 'sft', 'sft.yaml', '--no-view'], { cwd: folder, encoding: 'utf8' });
if (made.status !== 0) throw new Error(made.stderr);
const sandbox = spawn(process.execPath, ['--import', 'tsx', here('soak/programs.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
const programsDone = createInterface({ input: sandbox.stdout })[Symbol.asyncIterator]();
const processes: Readonly<Record<string, ChildProcess>> = {
  serve: start('serve', 'textcraft', 'sqlgym', '--port', String(ports.serve)),
  'serve --chaos': start('serve', 'textcraft', '--port', String(ports.chaos), '--chaos', '7:steps,servers'),
  view: start('view', 'outputs', '--port', String(ports.view)),
  sandbox,
};

const began = Date.now();
const until = began + Number(minutes) * 60_000;
const samples = new Map<string, (readonly [hours: number, sample: Sample])[]>();
function record(name: string, pid: number | undefined): void {
  const sample = pid === undefined ? undefined : sampleOf(pid);
  if (!sample) return;
  const hours = (Date.now() - began) / 3_600_000;
  samples.set(name, [...(samples.get(name) ?? []), [hours, sample]]);
  if (out !== undefined) appendFileSync(out, `${JSON.stringify({ name, seconds: Math.round(hours * 3600), ...sample })}\n`);
}
const timer = setInterval(() => {
  for (const [name, { pid }] of Object.entries(processes)) {
    if (pid === undefined) continue;
    const [child] = childrenOf(pid);
    // Under chaos the work is the supervisor's child's.
    record(name, name.includes('chaos') ? (child ?? pid) : pid);
    if (name === 'sandbox') record('sandbox worker', child);
  }
}, 5000);

const count = { rounds: 0, evaluations: 0, incomplete: 0, pages: 0, bodies: 0, programs: 0, right: 0, kills: 0, faults: 0 };
const fault = (text: string): void => {
  count.faults++;
  console.error(text);
};

async function evaluateOn(address: string, policy: string, name: string): Promise<void> {
  const how = ['-p', policy, '--tasks', '0-19', '--max-turns', '8', '--no-view', '--step-timeout', '30'];
  const child = start('eval', address, ...how, '--out', join('outputs', `eval-${name}`), '--fresh');
  const [code] = (await once(child, 'close')) as [number | null];
  count.evaluations++;
  if (code !== 0) count.incomplete++;
}

/** A body of 20 MB that nobody asked for: refused or cut off. */
async function largeBody(path: string, chunked: boolean): Promise<void> {
  const body = Buffer.alloc(20_000_000, 120);
  const headers = chunked ? {} : { 'content-length': body.length };
  await new Promise<void>((resolve) => {
    const asked = request(url(ports.view, path), { method: 'POST', headers }, (answer) => {
      if (answer.statusCode === undefined || answer.statusCode < 400) fault(`a large body was answered ${answer.statusCode}`);
      answer.resume().once('close', resolve);
    });
    asked.once('error', () => resolve());
    for (let at = 0; at < body.length; at += 1_000_000) asked.write(body.subarray(at, at + 1_000_000));
    asked.end();
  });
  count.bodies++;
}

async function pages(): Promise<void> {
  for (const path of ['/', '/api/runs', '/api/run?run=start', '/api/metrics?run=eval-sql', '/api/episodes?run=eval-sql']) {
    const answer = await fetch(url(ports.view, path)).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) count.pages++;
    else fault(`${path} after large bodies: ${answer?.status ?? 'no answer'}`);
  }
}

async function programs(): Promise<void> {
  sandbox.stdin.write('round\n');
  const { value } = (await programsDone.next()) as { value: string };
  const said = JSON.parse(value) as { programs: number; right: number };
  count.programs += said.programs;
  count.right += said.right;
}

const lines = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
const steps = (): number => lines(join(run, 'metrics/training_metrics.jsonl')).length;

/** Five steps further, then a kill that no process can answer (every fourth time Ctrl-C): the next round goes on from what is left. */
async function trainAndKill(): Promise<void> {
  const child = start('train', ...(existsSync(run) ? ['--resume', run] : ['rl.yaml']), '--no-view', '--json');
  const ended = once(child, 'close');
  const target = steps() + 5;
  // A resume first cuts what came after its checkpoint: those steps are played again.
  while (child.exitCode === null && steps() < target) await pause(50);
  if (child.exitCode !== null) fault(`training ended by itself with ${child.exitCode}`);
  record('train, when killed', child.pid);
  child.kill(count.rounds % 4 === 3 ? 'SIGINT' : 'SIGKILL');
  await ended;
  count.kills++;
}

/** Nothing lost and nothing twice: every step that a checkpoint holds has its line and its episodes in the index. */
function checkRun(): void {
  const metrics = lines(join(run, 'metrics/training_metrics.jsonl')).map((line) => (JSON.parse(line) as { step: number }).step);
  metrics.forEach((step, index) => step === index + 1 || fault(`line ${index + 1} of the metrics is of step ${step}`));
  const rows = lines(join(run, 'episodes/index.jsonl')).map((line) => (JSON.parse(line) as { step: number }).step);
  const checkpoints = readdirSync(join(run, 'checkpoints')).flatMap((name) => /^step_(\d+)$/.exec(name)?.[1] ?? []);
  for (const step of metrics.slice(0, Math.max(...checkpoints.map(Number)))) {
    const indexed = rows.filter((one) => one === step).length;
    if (indexed !== episodesPerStep) fault(`step ${step} has ${indexed} episodes in the index`);
  }
}

const share = (): number => processorSeconds(process.pid) / ((Date.now() - began) / 1000);
while (Date.now() < until) {
  await evaluateOn(`textcraft@${url(ports.serve, '/textcraft')}`, 'random', String(count.rounds % 5));
  await evaluateOn(`textcraft@${url(ports.chaos)}`, 'random', 'chaos');
  await evaluateOn(`sqlgym@${url(ports.serve, '/sqlgym')}`, 'expert', 'sql');
  await programs();
  for (const path of ['/', '/api/runs', '/api/demonstrations', '/api/play', '/api/annotate?run=start'])
    await largeBody(path, count.rounds % 2 === 0);
  await pages();
  await trainAndKill();
  checkRun();
  count.rounds++;
  do await pause(2000);
  while (Date.now() < until && share() > Number(values.share));
}
const used = share();
clearInterval(timer);
const alive = Object.values(processes).filter((child) => child.exitCode === null && child.signalCode === null);
for (const child of alive) child.kill('SIGINT');
await Promise.all(alive.map((child) => once(child, 'close')));

console.log(
  `${((Date.now() - began) / 60_000).toFixed(1)} minutes, ${used.toFixed(2)} of a core: ${count.rounds} rounds; ${count.evaluations} evaluations (${count.incomplete} had episodes to repeat, under chaos), ` +
    `${count.bodies} bodies of 20 MB, ${count.pages} pages, ${count.right} of ${count.programs} programs ended as they must, ${count.kills} kills and resumes up to step ${steps()}, ` +
    `${count.faults} faults, ${alive.length} of ${Object.keys(processes).length} processes alive at the end`,
);
let flat = alive.length === Object.keys(processes).length && count.faults === 0 && count.right === count.programs;
for (const [name, all] of samples) {
  const told = flatness(name, all);
  console.log(told.line);
  flat = told.flat && flat;
}
console.log(flat ? 'flat' : 'not flat');
rmSync(folder, { recursive: true, force: true });
process.exitCode = flat ? 0 : 1;
