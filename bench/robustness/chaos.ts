/**
 * The wide form of the chaos suite: every kind of fault on its own × eval, data sample, train and serve, and random kill points for train
 * with ends that are equal bit by bit. Everything runs as whole commands of the built `agoge`, in a temporary folder.
 *
 *   npx tsx bench/robustness/chaos.ts [eval|sample|train|serve|kills|all] [seed] [kills]
 *
 * CORES: cells at once (1). LIMIT: seconds after which no further cell begins. DONE: a file of finished cells; those that hold are
 * skipped when it is given again, so a suite can be run in pieces.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultKinds } from '../../src/chaos/kinds.ts';
import { inProject } from '../root.ts';

const cli = process.env['AGOGE_CLI'] ?? inProject('dist/cli/main.js');
const [which = 'all', seed = '7', kills = '100'] = process.argv.slice(2);
const cores = Number(process.env['CORES'] ?? 1);
const until = Date.now() + Number(process.env['LIMIT'] ?? 86_400) * 1000;
const doneFile = process.env['DONE'];
const folder = mkdtempSync(join(tmpdir(), 'agoge-chaos-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly faults: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly holds: boolean;
  readonly checks: readonly { readonly name: string; readonly holds: boolean; readonly detail: string }[];
}

/** One command with one kind of fault. */
interface Cell {
  readonly command: string;
  readonly what: string;
  readonly run: () => Promise<Report>;
}

/** What is known of a cell that was run: a line of DONE. */
interface Done {
  readonly cell: string;
  readonly faults: number;
  readonly holds: boolean;
}

const imitation = `
run: start
policy: { fresh: { preset: xxs, vocabulary: 700, context: 512, tokenizer_samples: 150 } }
data: { source: experts, experts: [{ env: textcraft, generated: true, settings: { expert: stack } }], max_tokens: 256 }
batch_tokens: 512
optimizer: { lr: 3e-3 }
steps: 4
evaluate: { at_end: false }
`;
const reinforcement = `
run: rl
policy: run:outputs/start
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 2 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
optimizer: { lr: 1e-3 }
steps: 3
evaluate: { at_end: false }
checkpoint: { every: 1 }
`;
writeFileSync(join(folder, 'sft.yaml'), imitation);
writeFileSync(join(folder, 'rl.yaml'), reinforcement);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function agoge(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function reported(...args: string[]): Promise<Report> {
  const { stdout, stderr } = await agoge(...args, '--json');
  return reportIn(stdout, stderr);
}

/** The report is the last line. A command that printed none has failed. */
function reportIn(stdout: string, stderr: string): Report {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
  } catch {
    return { faults: {}, starts: 0, holds: false, checks: [{ name: 'a report', holds: false, detail: stderr.slice(-300) }] };
  }
}

interface Serving {
  readonly url: string;
  /** Ends it; what it printed. */
  readonly stop: () => Promise<Ended>;
}

let ports = Number(process.env['PORT'] ?? 36_871);

/** A server of our own, so that connections can break. */
async function serving(...more: string[]): Promise<Serving> {
  const port = ports++;
  const child = spawn(process.execPath, [cli, 'serve', 'textcraft', '--port', String(port), ...more], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const stop = async (): Promise<Ended> => {
    child.kill('SIGINT');
    const [code] = await closed;
    return { code, stdout, stderr };
  };
  while (!stdout.includes('http://')) {
    await Promise.race([once(child.stdout, 'data'), closed]);
    if (child.exitCode !== null) throw new Error(`the server ended: ${stderr}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

const quickly = ['--concurrency', '4'];
const few = ['--tasks', '0-7'];

function evalCells(url: string): Cell[] {
  const args = ['-p', 'random', ...few, '--max-turns', '6', ...quickly];
  return faultKinds.map(({ name, place }) => ({
    command: 'eval',
    what: name,
    run: () => reported('eval', place === 'wire' ? `textcraft@${url}` : 'textcraft', ...args, '--chaos', `${seed}:${name}:2`),
  }));
}

function sampleCells(url: string): Cell[] {
  const args = ['--policy', 'random', '--split', 'test', ...few, '--turns', '6', '--keep', 'all', ...quickly];
  return faultKinds.map(({ name, place }) => {
    const env = place === 'wire' ? `textcraft@${url}` : 'textcraft';
    const out = ['--out', `rows-${name}.jsonl`];
    const run = () => reported('data', 'sample', env, ...args, ...out, '--chaos', `${seed}:${name}:2`);
    return { command: 'sample', what: name, run };
  });
}

/** A lost group is replaced by another one in training, so that kind is not used there. */
function trainCells(url: string): Cell[] {
  return faultKinds
    .filter(({ name }) => name !== 'episode-lost')
    .map(({ name, place }) => {
      const tasks = place === 'wire' ? [`tasks=[{env: textcraft, url: "${url}", split: generated-short}]`] : [];
      const run = () => reported('train', 'rl.yaml', `run=rl-${name}`, ...tasks, '--chaos', `${seed}:${name}:1`);
      return { command: 'train', what: name, run };
    });
}

/** A client that goes on until it has everything, against a server with one kind of fault: its scores are those of no server at all. */
function serveCells(): Cell[] {
  const evaluation = ['eval', '-p', 'random', ...few, '--max-turns', '6', ...quickly, '--step-timeout', '10', '--no-view'];
  const results = (name: string): string => {
    const path = join(folder, name, 'eval.json');
    if (!existsSync(path)) return `nothing in ${name}`;
    const { scores } = JSON.parse(readFileSync(path, 'utf8')) as { scores: Record<string, unknown>[] };
    return JSON.stringify(scores.map(({ env, scored, success, reward, turns }) => [env, scored, success, reward, turns]));
  };
  let alone: Promise<string> | undefined;
  const served = faultKinds.filter(
    ({ name, place }) =>
      place === 'session' || (place === 'wire' && name !== 'wire-refused') || name === 'kill-step' || name === 'kill-time',
  );
  return served.map(({ name }) => ({
    command: 'serve',
    what: name,
    run: async () => {
      alone ??= agoge(...evaluation, 'textcraft', '--out', 'alone').then(() => results('alone'));
      const wanted = await alone;
      const { url, stop } = await serving('--chaos', `${seed}:${name}:2`, '--json');
      const out = `served-${name}`;
      let starts = 0;
      while (starts++ < 12 && (await agoge(...evaluation, `textcraft@${url}`, '--out', out)).code !== 0);
      const { stdout, stderr } = await stop();
      const report = reportIn(stdout, stderr);
      const same = results(out) === wanted;
      const detail = `${starts} starts of the client`;
      const check = { name: 'scores of the client equal those without a server', holds: same, detail };
      return { ...report, holds: report.holds && same, checks: [...report.checks, check] };
    },
  }));
}

/** Runs that are killed up to twenty times each. */
function killCells(): Cell[] {
  return Array.from({ length: Number(kills) }, (_, at) => {
    const one = Number(seed) + at;
    const run = () => reported('train', 'rl.yaml', `run=killed-${one}`, '--chaos', `${one}:kill:20`);
    return { command: 'kills', what: `seed ${one}`, run };
  });
}

const done = new Map<string, Done>();
if (doneFile !== undefined && existsSync(doneFile))
  for (const line of readFileSync(doneFile, 'utf8').trim().split('\n')) {
    const one = JSON.parse(line) as Done;
    if (one.holds) done.set(one.cell, one);
  }

const nameOf = ({ command, what }: Cell): string => `${command} ${what}`;

async function work(cell: Cell): Promise<void> {
  const { faults, starts, holds, checks } = await cell.run();
  const count = Object.values(faults).reduce((a, b) => a + b, 0);
  const one = { cell: nameOf(cell), faults: count, holds };
  done.set(one.cell, one);
  if (doneFile !== undefined) appendFileSync(doneFile, `${JSON.stringify(one)}\n`);
  const broken = checks.filter((check) => !check.holds).map(({ name, detail }) => `${name} (${detail})`);
  console.log(
    `${cell.command.padEnd(7)} ${cell.what.padEnd(22)} ${String(count).padStart(3)} faults ${String(starts).padStart(2)} starts  ${holds ? 'holds' : broken.join('; ')}`,
  );
}

/** Works through the cells, `cores` at once, until they or the time are over, or `enough` says so. */
async function workThrough(cells: readonly Cell[], enough = (): boolean => false): Promise<void> {
  const waiting = cells.filter((cell) => !done.has(nameOf(cell)));
  const one = async (): Promise<void> => {
    for (let cell; Date.now() < until && !enough() && (cell = waiting.shift());) await work(cell);
  };
  await Promise.all(Array.from({ length: cores }, one));
}

const wants = (name: string): boolean => which === 'all' || which === name;
const ofKind = (command: string): Done[] => [...done.values()].filter(({ cell }) => cell.startsWith(`${command} `));
const faultsOf = (command: string): number => ofKind(command).reduce((sum, { faults }) => sum + faults, 0);

if (wants('train') || wants('kills')) {
  const { code, stderr } = await agoge('sft', 'sft.yaml', '--no-view');
  if (code !== 0) throw new Error(stderr);
}
const { url, stop } = await serving();
const suite: Cell[] = [
  ...(wants('eval') ? evalCells(url) : []),
  ...(wants('sample') ? sampleCells(url) : []),
  ...(wants('train') ? trainCells(url) : []),
  ...(wants('serve') ? serveCells() : []),
];
await workThrough(suite);
if (wants('kills')) await workThrough(killCells(), () => faultsOf('kills') >= Number(kills));
await stop();

for (const command of ['eval', 'sample', 'train', 'serve']) {
  const ran = ofKind(command);
  const total = suite.filter((cell) => cell.command === command).length;
  if (total === 0) continue;
  const held = ran.filter(({ holds }) => holds).length;
  console.log(
    `${command}: ${held} / ${total} survived (${ran.length} were run; faults struck in ${ran.filter(({ faults }) => faults > 0).length})`,
  );
}
if (wants('kills')) {
  const runs = ofKind('kills');
  const equal = runs.filter(({ holds }) => holds);
  const survived = equal.reduce((sum, { faults }) => sum + faults, 0);
  console.log(
    `kill points: ${survived} / ${faultsOf('kills')} survived (${equal.length} of ${runs.length} runs equal bit by bit; ${kills} wanted)`,
  );
}
const whole = suite.every((cell) => done.has(nameOf(cell))) && (!wants('kills') || faultsOf('kills') >= Number(kills));
process.exitCode = whole && [...done.values()].every(({ holds }) => holds) ? 0 : 1;
