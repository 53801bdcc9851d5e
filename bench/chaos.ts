/**
 * The wide form of the chaos suite: every kind of fault on its own × eval, data sample, train and serve, and random kill points for train
 * with ends that are equal bit by bit. Everything runs as whole commands of the built `agoge`, in a temporary folder.
 *
 *   npx tsx bench/chaos.ts [eval|sample|train|serve|kills] [seed] [kills]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultKinds } from '../src/chaos/kinds.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [which = 'all', seed = '7', kills = '100'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agoge-chaos-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly faults: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly holds: boolean;
  readonly checks: readonly { readonly name: string; readonly holds: boolean; readonly detail: string }[];
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

function agoge(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function reported(...args: string[]): Report {
  const { stdout, stderr } = agoge(...args, '--json');
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
  } catch {
    return { faults: {}, starts: 0, holds: false, checks: [{ name: 'a report', holds: false, detail: stderr.slice(-300) }] };
  }
}

let [kinds, held, struck] = [0, 0, 0];
function tell(command: string, what: string, { faults, starts, holds, checks }: Report): void {
  const count = Object.values(faults).reduce((a, b) => a + b, 0);
  kinds++;
  if (holds) held++;
  if (count > 0) struck++;
  const broken = checks.filter((check) => !check.holds).map(({ name, detail }) => `${name} (${detail})`);
  console.log(
    `${command.padEnd(7)} ${what.padEnd(22)} ${String(count).padStart(3)} faults ${String(starts).padStart(2)} starts  ${holds ? 'holds' : broken.join('; ')}`,
  );
}

/** A server of our own that eval and data sample play on, so that connections can break. */
async function serving(port: number, ...more: string[]): Promise<() => Promise<string>> {
  const child = spawn(process.execPath, [cli, 'serve', 'textcraft', '--port', String(port), ...more], { cwd: folder });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('http://')) await once(child.stdout, 'data');
  return async () => {
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await closed;
    return said;
  };
}

const wants = (name: string): boolean => which === 'all' || which === name;
const quickly = ['--concurrency', '4'];

if (wants('eval') || wants('sample')) {
  const stop = await serving(36871);
  for (const { name, place } of faultKinds) {
    const env = place === 'wire' ? 'textcraft@http://127.0.0.1:36871' : 'textcraft';
    const spec = `${seed}:${name}:2`;
    if (wants('eval'))
      tell(
        'eval',
        name,
        reported('eval', env, '-p', 'random', '--tasks', '0-7', '--max-turns', '6', ...quickly, '--chaos', spec),
      );
    const sample = [
      'data',
      'sample',
      env,
      '--policy',
      'random',
      '--split',
      'test',
      '--tasks',
      '0-7',
      '--turns',
      '6',
      '--keep',
      'all',
      ...quickly,
    ];
    if (wants('sample')) tell('sample', name, reported(...sample, '--out', `rows-${name}.jsonl`, '--chaos', spec));
  }
  await stop();
}

if (wants('train') || wants('kills')) {
  const { status, stderr } = agoge('sft', 'sft.yaml', '--no-view');
  if (status !== 0) throw new Error(stderr);
}
if (wants('train')) {
  const stop = await serving(36873);
  for (const { name, place } of faultKinds.filter((kind) => kind.name !== 'episode-lost')) {
    const tasks = place === 'wire' ? ['tasks=[{env: textcraft, url: "http://127.0.0.1:36873", split: generated-short}]'] : [];
    tell('train', name, reported('train', 'rl.yaml', `run=rl-${name}`, ...tasks, '--chaos', `${seed}:${name}:1`));
  }
  await stop();
}

if (wants('serve')) {
  // A client that goes on until it has everything, against a server with one kind of fault: its scores are those of no server at all.
  const evaluation = [
    'eval',
    '-p',
    'random',
    '--tasks',
    '0-7',
    '--max-turns',
    '6',
    ...quickly,
    '--step-timeout',
    '2',
    '--no-view',
  ];
  agoge(...evaluation, 'textcraft', '--out', 'alone');
  const results = (name: string): string => {
    const { scores } = JSON.parse(readFileSync(join(folder, name, 'eval.json'), 'utf8')) as { scores: Record<string, unknown>[] };
    return JSON.stringify(scores.map(({ env, scored, success, reward, turns }) => [env, scored, success, reward, turns]));
  };
  const alone = results('alone');
  const served = faultKinds.filter(
    ({ name, place }) =>
      place === 'session' || (place === 'wire' && name !== 'wire-refused') || name === 'kill-step' || name === 'kill-time',
  );
  for (const [at, { name }] of served.entries()) {
    const stop = await serving(36900 + at, '--chaos', `${seed}:${name}:2`, '--json');
    let starts = 0;
    while (
      starts++ < 12 &&
      agoge(...evaluation, `textcraft@http://127.0.0.1:${36900 + at}`, '--out', `served-${name}`).status !== 0
    );
    const report = JSON.parse((await stop()).trim().split('\n').at(-1) ?? '{}') as Report;
    const same = results(`served-${name}`) === alone;
    const check = {
      name: 'scores of the client equal those without a server',
      holds: same,
      detail: `${starts} starts of the client`,
    };
    tell('serve', name, { ...report, holds: report.holds && same, checks: [...report.checks, check] });
  }
}

if (wants('kills')) {
  mkdirSync(join(folder, 'outputs'), { recursive: true });
  let [points, runs, equal] = [0, 0, 0];
  for (let one = Number(seed); points < Number(kills); one++) {
    const report = reported('train', 'rl.yaml', `run=killed-${one}`, '--chaos', `${one}:kill:20`);
    const count = Object.values(report.faults).reduce((a, b) => a + b, 0);
    points += count;
    runs++;
    if (report.holds) equal++;
    tell('kills', `seed ${one}`, report);
    if (count === 0 && !report.holds) break;
  }
  console.log(`${points} kill points in ${runs} runs, ${equal} of them equal bit by bit`);
}
console.log(`${held} of ${kinds} hold; faults struck in ${struck}`);
process.exitCode = held === kinds ? 0 : 1;
