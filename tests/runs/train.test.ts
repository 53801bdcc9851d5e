/** Training as a user runs it: whole commands in child processes, the real engine, a real kill -9. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-train-e2e-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function agoge(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return agogeWith({}, ...args);
}

function agogeWith(more: Record<string, string>, ...args: string[]): ReturnType<typeof agoge> {
  const env = { ...process.env, ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

const sft = `
run: start
policy: { fresh: { preset: xxs, vocabulary: 700, context: 512, tokenizer_samples: 150 } }
data:
  source: experts
  experts: [{ env: textcraft, generated: true, settings: { expert: stack } }]
  max_tokens: 256
batch_tokens: 512
optimizer: { lr: 3e-3 }
steps: 12
evaluate: { at_end: false }
checkpoint: { every: 4 }
log: { every: 2 }
`;

// Turn rewards of random play are all zero: a KL term keeps the weights moving, so that equal weights mean something.
const rl = `
run: whole
policy: run:outputs/start
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 4, samples: 4 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
optimizer: { lr: 1e-3 }
steps: 6
evaluate: { at_end: false }
checkpoint: { every: 2 }
`;

beforeAll(async () => {
  await writeFile(join(folder, 'sft.yaml'), sft);
  await writeFile(join(folder, 'rl.yaml'), rl);
  const start = agoge('sft', 'sft.yaml');
  expect(start.stderr).toBe('');
  expect(start.stdout).toContain('watch it with: agoge view outputs/start');
  expect(start.status).toBe(0);
});

const stepName = (step: number): string => `step_${String(step).padStart(6, '0')}`;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A gym server in a process of its own, ready to answer. */
async function serve(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [cli, 'serve', 'textcraft', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function weights(run: string, step: number): Promise<string> {
  const path = join(folder, 'outputs', run, 'checkpoints', stepName(step), 'model.safetensors');
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Tasks, samples and rewards of every episode, in order: none lost, none twice. */
async function episodes(run: string): Promise<string[]> {
  const at = join(folder, 'outputs', run, 'episodes');
  const result: string[] = [];
  for (const name of readdirSync(at)
    .filter((file) => file.startsWith('step_'))
    .sort()) {
    for (const line of gunzipSync(await readFile(join(at, name)))
      .toString('utf8')
      .trim()
      .split('\n')) {
      const { task, sample, seed, step, turns } = JSON.parse(line) as {
        task: string;
        sample: number;
        seed: number;
        step: number;
        turns: { reply: string }[];
      };
      result.push([step, task, sample, seed, turns.map(({ reply }) => reply).join('|')].join(' '));
    }
  }
  return result;
}

/** Starts a command and kills it as soon as `when` holds; false when it ended by itself first. */
async function killed(
  args: string[],
  when: () => boolean,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<{ code: number | null; stderr: string; hit: boolean }> {
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  while (child.exitCode === null && child.signalCode === null && !when()) await pause(2);
  const hit = child.exitCode === null && child.signalCode === null;
  if (hit) child.kill(signal);
  return { code: await ended, stderr, hit };
}

const has = (run: string, path: string): boolean => existsSync(join(folder, 'outputs', run, path));
const writing = (run: string): boolean =>
  has(run, 'checkpoints') &&
  readdirSync(join(folder, 'outputs', run, 'checkpoints')).some((name) => name.startsWith('.writing-step'));

describe('agoge train', () => {
  it('ends with the same bits however often it is killed, on any number of threads', async () => {
    const whole = agoge('train', 'rl.yaml', 'engine.threads=1');
    expect(whole.stderr).toBe('');
    expect(whole.status).toBe(0);
    expect(whole.stdout).toMatch(/step 6\/6 · reward/);

    await killed(['train', 'rl.yaml', 'run=broken', 'engine.threads=2'], () => has('broken', 'episodes/step_000001.jsonl.gz')); // before any checkpoint
    await killed(['train', '--resume', 'outputs/broken'], () => writing('broken')); // while one is being written
    await killed(['train', '--resume', 'outputs/broken'], () => has('broken', 'episodes/step_000004.jsonl.gz'));
    const rest = agoge('train', '--resume', 'outputs/broken');
    expect(rest.stderr).toBe('');
    expect(rest.status).toBe(0);

    expect(await weights('broken', 6)).toBe(await weights('whole', 6));
    expect(await weights('whole', 6)).not.toBe(await weights('whole', 4));
    const played = await episodes('whole');
    expect(played).toHaveLength(6 * 16);
    expect(await episodes('broken')).toEqual(played);
    const lines = (await readFile(join(folder, 'outputs/broken/metrics/training_metrics.jsonl'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('saves on Ctrl-C and says how to go on', async () => {
    const { code, stderr, hit } = await killed(
      ['train', 'rl.yaml', 'run=stopped'],
      () => has('stopped', 'episodes/step_000001.jsonl.gz'),
      'SIGINT',
    );
    expect(hit).toBe(true);
    expect(code).toBe(130);
    expect(stderr).toMatch(/go on with: agoge train --resume outputs\/stopped/);
    expect(agoge('train', '--resume', 'outputs/stopped').status).toBe(0);
    expect(await weights('stopped', 6)).toBe(await weights('whole', 6));
  });

  it('is watched where its recipe is silent about evaluation: what ruins it leaves the start as the best', async () => {
    await writeFile(join(folder, 'bare.yaml'), rl.replace(/evaluate: .*/, '').replace('run: whole', 'run: bare'));
    const ruined = agoge('train', 'bare.yaml', 'steps=10', 'policy=base', 'optimizer.lr=0.3', 'agent.max_turns=8', '--no-view');
    expect(ruined.status, ruined.stderr).toBe(0);
    expect(ruined.stdout + ruined.stderr).toMatch(/evaluation after step 0: .* of 100.*evaluation after step 10: /s);
    expect(JSON.parse(await readFile(join(folder, 'outputs/bare/run.json'), 'utf8'))).toMatchObject({ best: { step: 0 } });
  });

  it('goes on after its end when it is made longer, and refuses to become another run', async () => {
    expect(agoge('train', 'rl.yaml', 'run=longer', 'steps=4').status).toBe(0);
    const other = agoge('train', '--resume', 'outputs/longer', 'optimizer.lr=1');
    expect(other.status).toBe(2);
    expect(other.stderr).toMatch(/optimizer\.lr cannot change/);
    expect(agoge('train', '--resume', 'outputs/longer', 'steps=6').status).toBe(0);
    expect(await weights('longer', 6)).toBe(await weights('whole', 6));
    expect(await readFile(join(folder, 'outputs/longer/config.yaml'), 'utf8')).toMatch(/^steps: 6$/m);
  });

  it.skipIf(process.platform === 'win32')(
    'a full disk ends it with one sentence, and it goes on when there is room',
    async () => {
      expect(agoge('train', 'rl.yaml', 'run=full', 'steps=2').status).toBe(0);
      const command = `ulimit -f 64; exec "${process.execPath}" "${cli}" train --resume outputs/full steps=4`;
      const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: folder });
      expect(stderr).toMatch(
        /^agoge: \S+full can no longer be written to, the disk is full: .*agoge train --resume \S+full .*\n$/,
      );
      expect(status).toBe(1);
      expect(JSON.parse(await readFile(join(folder, 'outputs/full/run.json'), 'utf8'))).toMatchObject({
        status: 'failed',
        step: 3,
      });
      expect(readdirSync(join(folder, 'outputs/full/checkpoints')).filter((name) => name.includes('step_'))).toEqual([
        'step_000002',
      ]);
      expect(agoge('train', '--resume', 'outputs/full').status).toBe(0);
      expect(await weights('full', 4)).toBe(await weights('whole', 4));
    },
  );

  it('ends with the same bits when its gym server is killed and started again', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    let server = await serve(port);
    const lost: number[] = [];
    const broken = async (after: number): Promise<void> => {
      while (!has('served', `episodes/${stepName(after)}.jsonl.gz`)) await pause(2);
      const sessions = async (): Promise<number> =>
        ((await (await fetch(`${url}/healthz`)).json()) as { sessions: number }).sessions;
      let open = await sessions();
      for (; open === 0 && !has('served', 'episodes/step_000006.jsonl.gz'); open = await sessions()) await pause(1);
      lost.push(open);
      server.kill('SIGKILL');
      await pause(100); // refused meanwhile
      server = await serve(port);
    };
    const task = `tasks=[{env: textcraft, split: generated-short, url: '${url}'}]`;
    const training = killed(['train', 'rl.yaml', 'run=served', task], () => false);
    try {
      for (const step of [1, 3, 4]) await broken(step);
      expect(await training).toMatchObject({ code: 0, stderr: '' });
    } finally {
      server.kill('SIGKILL');
    }
    expect(Math.max(...lost)).toBeGreaterThan(0); // sessions were lost in mid-episode
    expect(await weights('served', 6)).toBe(await weights('whole', 6));
    expect(await episodes('served')).toEqual(await episodes('whole'));
  });

  it('two that start the same run at once: one trains, the other says who does', async () => {
    const both = [1, 2].map(() => spawn(process.execPath, [cli, 'train', 'rl.yaml', 'run=same', 'steps=2'], { cwd: folder }));
    const ended = await Promise.all(
      both.map(async (child) => {
        let stderr = '';
        child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
        const [code] = (await once(child, 'close')) as [number];
        return { code, stderr };
      }),
    );
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(ended.map(({ stderr }) => stderr).join('')).toMatch(/is being written by process \d+|holds a run already/);
    const lines = (await readFile(join(folder, 'outputs/same/metrics/training_metrics.jsonl'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual([1, 2]);
  });

  it('explains itself and refuses what it does not know', () => {
    const dry = agoge('train', 'rl.yaml', 'rollout.groups=7', '--dry-run');
    expect(dry.stdout).toMatch(/groups: 7/);
    expect(dry.stdout).toMatch(/6 steps of 28 episodes/);
    expect(agoge('train', 'rl.yaml', 'algorithm.lambda=0.9', '--dry-run').stdout).toMatch(/algorithm\.lambda has no effect/);
    const typo = agoge('train', 'rl.yaml', 'rollout.group=7');
    expect(typo.status).toBe(2);
    expect(typo.stderr).toMatch(/did you mean "rollout\.groups"/);
    expect(agoge('train', 'rl.yaml').stderr).toMatch(/holds a run already/);
    expect(agoge('train', 'none.yaml').status).toBe(2);
  });
});

describe('agoge sft', () => {
  it('resumes to the same bits after a kill', async () => {
    await killed(['sft', 'sft.yaml', 'run=again'], () => has('again', 'checkpoints/step_000004'));
    expect(agoge('sft', '--resume', 'outputs/again').status).toBe(0);
    expect(await weights('again', 12)).toBe(await weights('start', 12));
  });

  it('streams 100,000 rows through a heap that could not hold them, and starts with none that is bad', async () => {
    const said = { role: 'user', content: 'Crafting commands:\n'.concat('craft 4 oak planks using 1 oak logs\n'.repeat(20)) };
    const row = `${JSON.stringify({ messages: [said, { role: 'assistant', content: 'get 1 oak logs' }] })}\n`;
    const path = join(folder, 'rows.jsonl');
    for (let i = 0; i < 100; i++) await appendFile(path, row.repeat(1000));
    const recipe =
      "policy: 'run:outputs/start'\ndata: { train: rows.jsonl, shuffle: 256 }\nbatch_tokens: 512\nsteps: 2\nevaluate: { at_end: false }\n";
    await writeFile(join(folder, 'files.yaml'), `run: files\n${recipe}`);
    const small = { NODE_OPTIONS: '--max-old-space-size=80' };
    await appendFile(path, '{"messages": 7}\n');
    const bad = agogeWith(small, 'sft', 'files.yaml');
    expect(bad.stderr).toMatch(/rows\.jsonl: row 100001 /);
    expect(has('files', 'checkpoints')).toBe(false);
    await truncate(path, (await stat(path)).size - '{"messages": 7}\n'.length);
    const good = agogeWith(small, 'sft', 'files.yaml');
    expect(good.stderr).toBe('');
    expect(has('files', 'checkpoints/step_000002')).toBe(true);
  });
});

describe('agoge demo', () => {
  it('goes on after Ctrl-C, and ends with the summary it owed', async () => {
    const args = ['demo', '--seconds', '2', '--json', '--output', 'demos'];
    const run = (): string => (existsSync(join(folder, 'demos')) ? (readdirSync(join(folder, 'demos'))[0] ?? '') : '');
    const trained = (): boolean => existsSync(join(folder, 'demos', run(), 'metrics/training_metrics.jsonl'));
    const { code, stderr, hit } = await killed(args, trained, 'SIGINT');
    expect(hit).toBe(true);
    expect(code).toBe(130);
    const resume = /agoge (demo --resume demos\/demo)\b/.exec(stderr)?.[1] ?? stderr;
    const { status, stdout } = agoge(...resume.split(' '), '--json');
    expect(status).toBe(0);
    const summary = JSON.parse(stdout) as Record<string, number>;
    expect(summary).toMatchObject({ env: 'textcraft', policy: 'reader', seed: 1, seconds: 2, n: 256 });
    for (const key of ['before', 'after', 'p']) expect(summary[key], key).toBeGreaterThan(0);
    const other = agoge(...resume.split(' '), '--seed', '2'); // would be passed over
    expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('leave --seed out') as string });
    const again = agoge(...resume.split(' '), '--json'); // all of it is done: nothing is trained or played again
    expect(JSON.parse(again.stdout)).toMatchObject({ ...summary, wall: expect.any(Number) as number });
  });
});

it('sweeps over a grid: every run once, one table, and nothing left to do the second time', async () => {
  const sweep = [
    'sweep',
    'rl.yaml',
    'steps=1',
    'evaluate={tasks: 2, max_turns: 2}',
    'algorithm.name=grpo',
    '--over',
    'optimizer.lr=1e-4,3e-4',
  ];
  const first = agoge(...sweep);
  expect(first.stderr).toMatch(/2 runs in outputs.whole-sweep/);
  expect(first.status, first.stderr).toBe(0);
  expect(first.stdout).toMatch(/\| 1e-4 \| \d\.\d{3} \[.*\] \| – \| 1\/1 \|/);
  const runs = ['1e-4', '3e-4'].map((lr) => join(folder, 'outputs/whole-sweep', `optimizer.lr=${lr}`, 'run.json'));
  const before = await Promise.all(runs.map((path) => readFile(path, 'utf8')));
  expect(agoge(...sweep).status).toBe(0);
  expect(await Promise.all(runs.map((path) => readFile(path, 'utf8')))).toEqual(before);
  const other = agoge(...sweep, 'steps=2');
  expect([other.status, other.stderr]).toEqual([2, expect.stringMatching(/own --name/)]);
});
