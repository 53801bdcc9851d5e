/** Evaluations as a user runs them, for tests: commands, a server of ours that dies on request, an endpoint that is not ours, what was written. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach } from 'vitest';

export const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
export const folder = await mkdtemp(join(tmpdir(), 'agoge-eval-e2e-'));
const children = new Set<ChildProcess>();
const closers: (() => void)[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const close of closers.splice(0)) close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...process.env, OPENAI_API_KEY: 'test' } });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status) => {
      children.delete(child);
      resolve({ status, stdout, stderr });
    }),
  );
  return { child, ended };
}

export const agoge = (...args: string[]): Promise<Ended> => start(args).ended;

/** Starts `agoge serve` and waits for its address. */
export async function serve(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const { child, ended } = start(['serve', ...args, '--json']);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /"url":"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, url };
}

/** A gym server that dies at the given request, behind a door of its own: no machine is too fast to see it die. */
export async function mortal(life: number): Promise<{ url: string; dead: Promise<void>; revive: () => Promise<void> }> {
  let inner = await serve('textcraft', '--port', '0');
  let requests = 0;
  let die: () => void = () => undefined;
  const dead = new Promise<void>((resolve) => (die = resolve));
  const door = createServer((asked, response) => {
    if (++requests === life) {
      inner.child.kill('SIGKILL');
      door.close();
      door.closeAllConnections();
      die();
      return;
    }
    const { method, url, headers } = asked;
    const forwarded = request(new URL(url ?? '/', inner.url), { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    asked.pipe(forwarded);
  });
  const open = (port: number): Promise<void> => new Promise((resolve) => door.listen(port, '127.0.0.1', resolve));
  await open(0);
  closers.push(() => {
    door.close();
    door.closeAllConnections();
  });
  const { port } = door.address() as AddressInfo;
  const revive = async (): Promise<void> => {
    inner = await serve('textcraft', '--port', '0');
    await open(port);
  };
  return { url: `http://127.0.0.1:${port}`, dead, revive };
}

interface Episode {
  readonly task: string;
  readonly sample: number;
  readonly turns: {
    readonly reply: string;
    readonly action: string | null;
    readonly observation: string;
    readonly reward: number;
  }[];
  readonly outcome: { readonly kind: string };
}

/** What was said and what came of it, without clocks; in the order of the tasks. */
export async function episodes(out: string): Promise<Pick<Episode, 'task' | 'sample' | 'turns' | 'outcome'>[]> {
  const text = gunzipSync(await readFile(join(folder, out, 'episodes.jsonl.gz'))).toString();
  const all = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Episode);
  const essence = all.map(({ task, sample, turns, outcome }) => ({
    task,
    sample,
    turns: turns.map(({ reply, action, observation, reward }) => ({ reply, action, observation, reward })),
    outcome,
  }));
  return essence.sort((a, b) => a.task.localeCompare(b.task) || a.sample - b.sample);
}

interface Results {
  readonly scores: {
    policy: string;
    scored: number;
    episodes: number;
    success: { mean: number };
    retried: Record<string, number>;
    failures: Record<string, number>;
  }[];
}
export const results = async (out: string): Promise<Results> =>
  JSON.parse(await readFile(join(folder, out, 'eval.json'), 'utf8')) as Results;

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A chat endpoint that is not ours. */
export async function chat(handle: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    // It does not say what it serves.
    request.on('end', () => (request.method === 'GET' ? response.writeHead(404).end() : handle(response)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

export function answer(response: ServerResponse, content: string): void {
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
}
