/** One recipe on two engines: in this process, and on `agoge serve --model base --tinker` in another, which is killed on the way. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-tinker-e2e-'));
let server: ChildProcess | undefined;
afterAll(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const recipes = {
  sft: `
policy: base
data:
  source: experts
  experts: [{ env: textcraft, generated: true }]
  max_tokens: 256
batch_tokens: 256
optimizer: { lr: 1e-3 }
steps: 5
evaluate: { at_end: false }
validate: { every: 0 }
log: { every: 1 }
`,
  train: `
policy: base
tasks: [{ env: textcraft, split: fit }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 4 }
algorithm: { name: grpo, clip: [0.2, 0.28], truncation_penalty: -0.1, kl: { in: loss, estimator: k3, coefficient: 0.05 } }
optimizer: { lr: 1e-3, clip_norm: 1.0 }
steps: 5
evaluate: { at_end: false }
checkpoint: { every: 2 }
`,
};

function serve(port: number): Promise<{ child: ChildProcess; url: string; port: number }> {
  const child = spawn(process.execPath, [cli, 'serve', '--model', 'base', '--tinker', '--json', '--port', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
      if (!text.includes('\n')) return;
      const { url } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { url: string };
      child.removeAllListeners('exit');
      resolve({ child, url, port: Number(new URL(url).port) });
    });
  });
}

async function metrics(run: string): Promise<Record<string, number>[]> {
  const text = await readFile(join(folder, 'outputs', run, 'metrics/training_metrics.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: Record<string, number> }).data);
}

function same(mine: readonly Record<string, number>[], other: readonly Record<string, number>[], keys: readonly string[]): void {
  expect(mine).toHaveLength(other.length);
  mine.forEach((line, step) => {
    for (const key of keys) {
      expect(line[key], `${key} of step ${step}`).toBeTypeOf('number');
      expect(Math.abs((line[key] ?? NaN) - (other[step]?.[key] ?? NaN)), `${key} of step ${step}`).toBeLessThan(1e-3);
    }
  });
}

it('SFT and GRPO: the same losses over five steps, through a kill -9 of the server', { timeout: 240_000 }, async () => {
  const first = await serve(0);
  server = first.child;
  for (const [command, recipe] of Object.entries(recipes)) {
    await writeFile(join(folder, `${command}.yaml`), recipe);
    const here = spawnSync(process.execPath, [cli, command, `${command}.yaml`, `run=${command}-here`, '--no-view'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(here.status, here.stderr).toBe(0);
    const there = spawn(
      process.execPath,
      [cli, command, `${command}.yaml`, `run=${command}-there`, `engine.tinker=${first.url}`, 'engine.model=base', '--no-view'],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let said = '';
    for (const stream of [there.stdout, there.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
    const ended = once(there, 'exit');
    if (command === 'train') {
      // Killed in the middle, started anew on the same port: the run goes on.
      const log = join(folder, 'outputs/train-there/metrics/training_metrics.jsonl');
      for (let tries = 0; tries < 600; tries++) {
        if ((await readFile(log, 'utf8').catch(() => '')).split('\n').length > 3) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      server.kill('SIGKILL');
      await once(server, 'exit');
      server = (await serve(first.port)).child;
    }
    const [status] = (await ended) as [number];
    expect(status, said).toBe(0);
  }
  const logs = join(folder, 'outputs/train-there/logs');
  const log = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
  expect(log.join('')).toContain('the Tinker server was started anew');
  same(await metrics('sft-there'), await metrics('sft-here'), ['train/loss', 'train/grad_norm']);
  same(await metrics('train-there'), await metrics('train-here'), ['actor/pg_loss', 'actor/grad_norm', 'critic/score/mean']);
});
