/**
 * Everything at once for a bounded time: a server, a dashboard, evaluations against both (quiet and under chaos) and a training run that goes on
 * from step to step. Every few seconds memory, handles, sockets and files of the long-lived processes are read; in the end the peaks of
 * the second and the last quarter and the slope over the second half are printed, flat or not. Linux only, since it reads /proc.
 *
 *   npx tsx bench/soak.ts [minutes] [file for the samples]
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [minutes = '60', out] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agoge-soak-'));
const ports = { serve: 36951, chaos: 36952, view: 36953 };
const until = Date.now() + Number(minutes) * 60_000;

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
tasks: [{ env: textcraft, url: "http://127.0.0.1:${ports.serve}", split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 4 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
steps: 1000000
stop: { no_signal: 1000000 }
evaluate: { at_end: false }
checkpoint: { every: 50, keep: 2 }
log: { episodes: 20 }
`,
);

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--expose-gc', cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

/** The process that works: under chaos the supervisor's child. */
function worker(pid: number): number {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0];
    return child === undefined || child === '' ? pid : Number(child);
  } catch {
    return pid;
  }
}

interface Sample {
  readonly memory: number;
  readonly handles: number;
  readonly sockets: number;
  readonly files: number;
  readonly threads: number;
}

/** Memory in MiB, open handles, sockets and files among them, threads. */
function sampleOf(pid: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN);
    const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    });
    const sockets = targets.filter((target) => target.startsWith('socket:')).length;
    const files = targets.filter((target) => target.startsWith('/') && !target.startsWith('/dev')).length;
    return { memory: of('VmRSS') / 1024, handles: targets.length, sockets, files, threads: of('Threads') };
  } catch {
    return undefined;
  }
}

/** The slope by least squares, per hour. */
function slope(points: readonly (readonly [hours: number, value: number])[]): number {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

const made = spawnSync(process.execPath, [cli, 'sft', 'sft.yaml', '--no-view'], { cwd: folder, encoding: 'utf8' });
if (made.status !== 0) throw new Error(made.stderr);
const serve = start('serve', 'textcraft', '--port', String(ports.serve));
const shaken = start('serve', 'textcraft', '--port', String(ports.chaos), '--chaos', '7:steps,servers');
const view = start('view', 'outputs', '--port', String(ports.view));
const train = start('train', 'rl.yaml', '--no-view', '--json');
const processes: Readonly<Record<string, ChildProcess>> = { serve, 'serve --chaos': shaken, view, train };

const began = Date.now();
const samples = new Map<string, (readonly [hours: number, sample: Sample])[]>();
const timer = setInterval(() => {
  for (const [name, { pid }] of Object.entries(processes)) {
    const sample = pid === undefined ? undefined : sampleOf(name.includes('chaos') ? worker(pid) : pid);
    if (!sample) continue;
    const hours = (Date.now() - began) / 3_600_000;
    samples.set(name, [...(samples.get(name) ?? []), [hours, sample]]);
    if (out !== undefined) appendFileSync(out, `${JSON.stringify({ name, seconds: Math.round(hours * 3600), ...sample })}\n`);
  }
}, 5000);

let [evaluations, incomplete, shown] = [0, 0, 0];
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
while (Date.now() < until) {
  const port = evaluations % 2 === 0 ? ports.serve : ports.chaos;
  const args = [
    'eval',
    `textcraft@http://127.0.0.1:${port}`,
    '-p',
    'random',
    '--tasks',
    '0-19',
    '--max-turns',
    '8',
    '--no-view',
    '--step-timeout',
    '10',
  ];
  const child = start(...args, '--out', join('outputs', `eval-${evaluations++ % 5}`), '--fresh');
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) incomplete++;
  for (const path of ['/api/runs', '/']) {
    const answer = await fetch(`http://127.0.0.1:${ports.view}${path}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) shown++;
  }
  await pause(2000);
}
clearInterval(timer);
const alive = Object.entries(processes).filter(([, child]) => child.exitCode === null && child.signalCode === null);
for (const child of Object.values(processes)) child.kill('SIGINT');
await Promise.all(
  Object.values(processes)
    .filter((child) => child.exitCode === null && child.signalCode === null)
    .map((child) => once(child, 'close')),
);

const minutesRun = (Date.now() - began) / 60_000;
console.log(
  `${minutesRun.toFixed(1)} minutes: ${evaluations} evaluations (${incomplete} had episodes to repeat, under chaos), ${shown} pages, ${alive.length} of ${Object.keys(processes).length} processes alive at the end`,
);
let flat = alive.length === Object.keys(processes).length;
/** Counts go up and down with the calls under way: grown is what has a higher peak in the last quarter than in the second. */
const allowed = (key: keyof Sample, peak: number): number => (key === 'memory' ? 20 + peak / 10 : 5);
for (const [name, all] of samples) {
  const quarter = Math.floor(all.length / 4);
  const cells = (['memory', 'handles', 'sockets', 'files', 'threads'] as const).map((key) => {
    const peak = (from: number, to: number): number => Math.max(...all.slice(from, to).map(([, sample]) => sample[key]));
    const [early, late] = [peak(quarter, 2 * quarter), peak(3 * quarter, all.length)];
    const perHour = slope(all.slice(2 * quarter).map(([hours, sample]) => [hours, sample[key]]));
    const grows = !(late <= early + allowed(key, early));
    if (grows) flat = false;
    return `${key} ${early.toFixed(0)} → ${late.toFixed(0)} (${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)}/h)${grows ? ' GROWS' : ''}`;
  });
  console.log(`${name.padEnd(14)} ${all.length} samples, peaks  ${cells.join('  ')}`);
}
console.log(flat ? 'flat' : 'not flat');
rmSync(folder, { recursive: true, force: true });
process.exitCode = flat ? 0 : 1;
