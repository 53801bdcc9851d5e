/**
 * docs/machines.md as it is written, on one machine: environment servers of several processes, samplers, a trainer's server and a dashboard,
 * each in processes of its own. They are killed one by one; the run and the evaluation end with the numbers of one process without servers.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-machines-'));
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

interface Command {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

function start(...args: readonly string[]): Command {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  const ended = once(child, 'close').then(([code]) => (children.delete(child), code as number | null));
  return { child, said: () => text, ended };
}

/** A server of ours that can be killed and started again on its port. */
class Machine {
  private running: Command;

  private constructor(
    private readonly args: readonly string[],
    running: Command,
    readonly url: string,
  ) {
    this.running = running;
  }

  static async start(...args: readonly string[]): Promise<Machine> {
    const running = start('serve', ...args, '--port', '0', '--json');
    return new Machine(args, running, await listening(running));
  }

  get pid(): number {
    return this.running.child.pid ?? Number.NaN;
  }

  async kill(): Promise<void> {
    this.running.child.kill('SIGKILL');
    await this.running.ended;
  }

  async restart(): Promise<void> {
    this.running = start('serve', ...this.args, '--port', new URL(this.url).port, '--json');
    await listening(this.running);
  }
}

async function listening(command: Command): Promise<string> {
  await until(() => /"url":"/.test(command.said()) || command.child.exitCode !== null);
  const url = /"url":"([^"]+)"/.exec(command.said())?.[1];
  if (url === undefined) throw new Error(command.said());
  return url;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const lines = async (path: string): Promise<string[]> =>
  (await readFile(join(folder, path), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** What a run's steps were, without clocks. */
async function steps(run: string): Promise<Record<string, number>[]> {
  return (await lines(`outputs/${run}/metrics/training_metrics.jsonl`)).map(
    (line) => (JSON.parse(line) as { data: Record<string, number> }).data,
  );
}

/** What was said and done in an evaluation, in the order of its tasks. */
async function episodes(out: string): Promise<unknown[]> {
  type Turn = { readonly reply: string; readonly observation: string; readonly reward: number };
  type Episode = { readonly task: string; readonly turns: readonly Turn[] };
  const text = gunzipSync(await readFile(join(folder, out, 'episodes.jsonl.gz'))).toString();
  const all = text.trim().split('\n');
  return all
    .map((line) => JSON.parse(line) as Episode)
    .sort((a, b) => a.task.localeCompare(b.task, 'en', { numeric: true }))
    .map(({ task, turns }) => ({ task, turns: turns.map(({ reply, observation, reward }) => [reply, observation, reward]) }));
}

const recipe = `
policy: base
tasks: [{ env: textcraft, split: fit }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 4 }
algorithm: { name: grpo, truncation_penalty: -0.1 }
optimizer: { lr: 1e-3 }
steps: 12
evaluate: { at_end: false }
checkpoint: { every: 4 }
`;
const environments = await Promise.all([1, 2].map(() => Machine.start('textcraft', '--processes', '2')));
const [first, second] = environments as [Machine, Machine];
const urls = environments.map(({ url }) => url);

it('a run over several machines: each is killed once, and the run has the numbers of one process', async () => {
  await writeFile(join(folder, 'run.yaml'), recipe);
  await writeFile(join(folder, 'far.yaml'), recipe.replace('split: fit', `split: fit, url: [${urls.join(', ')}]`));
  const alone = start('train', 'run.yaml', 'run=alone', '--no-view');
  expect(await alone.ended, alone.said()).toBe(0);
  const trainer = await Machine.start('--model', 'base', '--tinker');
  const run = start('train', 'far.yaml', 'run=far', `engine.tinker=${trainer.url}`, 'engine.model=base', '--no-view');
  const after = (step: number): Promise<void> =>
    until(async () => run.child.exitCode !== null || (await steps('far')).length >= step);

  // A whole server, then one of the processes behind the other one, then the trainer's.
  await after(1);
  await first.kill();
  await after(3);
  await first.restart();
  const [player] = childrenOf(second.pid);
  if (player === undefined) console.log('no process of a server is killed: pgrep is not here');
  else process.kill(player, 'SIGKILL');
  await after(5);
  await trainer.kill();
  await trainer.restart();
  expect(run.child.exitCode, 'the run is under way when its last machine is killed').toBeNull();
  await second.kill();
  const dashboard = start('view', 'outputs', '--port', '0');
  expect(await run.ended, run.said()).toBe(0);
  await second.restart();

  const [here, there] = [await steps('alone'), await steps('far')];
  expect(there).toHaveLength(12);
  for (const key of ['critic/score/mean', 'actor/pg_loss', 'actor/grad_norm'])
    there.forEach((line, at) => expect(line[key], `${key} of step ${at + 1}`).toBeCloseTo(here[at]?.[key] ?? Number.NaN, 3));
  const logs = await Promise.all(
    (await readdir(join(folder, 'outputs/far/logs'))).map((name) => readFile(join(folder, 'outputs/far/logs', name), 'utf8')),
  );
  expect(logs.join('')).toContain('the Tinker server was started anew');
  expect(run.said() + logs.join('')).toContain(`${first.url} does not answer`);

  // One dashboard over all of it: it reads the run's folder, wherever the work was done.
  await until(() => /http:\/\/\S+/.test(dashboard.said()) || dashboard.child.exitCode !== null);
  const [address = ''] = /http:\/\/\S+/.exec(dashboard.said()) ?? [];
  expect(await (await fetch(new URL('/api/runs', address))).text()).toMatch(/"far"/);
  dashboard.child.kill('SIGTERM');
});

it('an evaluation over several samplers and environment servers: one of each is killed, no episode differs', async () => {
  const samplers = await Promise.all([1, 2].map(() => Machine.start('--model', 'base')));
  const common = ['--format', 'direct', '--tasks', '0-19', '--max-turns', '6', '--no-view'];
  const alone = start('eval', 'textcraft', '--policy', 'base', ...common, '-o', 'here');
  expect(await alone.ended, alone.said()).toBe(0);
  const bases = samplers.map(({ url }) => url);
  const policy = ['--policy', `openai:base@${bases.join(',')}`, '--tokenizer', 'base'];
  const far = start('eval', `textcraft@${urls.join(',')}`, ...policy, ...common, '--concurrency', '4', '-o', 'there');
  await until(async () => far.child.exitCode !== null || (await lines('there/episodes.jsonl')).length >= 3);
  await samplers[0]?.kill();
  await first.kill();
  expect(await far.ended, far.said()).toBe(0);
  await first.restart();
  expect(await episodes('there')).toEqual(await episodes('here'));

  // The same under --chaos: connections break, and the command itself is killed.
  await samplers[0]?.restart();
  const small = ['--format', 'direct', '--tasks', '0-3', '--max-turns', '4', '-t', '0', '--json'];
  const chaos = start('eval', `textcraft@${urls.join(',')}`, ...policy, ...small, '--chaos', '7:servers,kill-step:2');
  expect(await chaos.ended, chaos.said()).toBe(0);
  expect(chaos.said()).toContain('"holds":true');
});

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const { error, stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return (error ? '' : stdout).split('\n').filter(Boolean).map(Number);
}
