/**
 * Servers that go on without a terminal: `agoge serve … --background`, `agoge serve status`, `agoge serve stop`. Each has a small
 * record in the user's state folder (what it serves, where, its process, its log), which is removed when it has ended.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { sleep } from '../../../core/deadline.ts';
import { AgogeError } from '../../../core/error.ts';
import { englishChild } from '../../terminal/language.ts';

const recordSchema = z.object({
  pid: z.int().positive(),
  url: z.string(),
  serves: z.array(z.string()),
  log: z.string(),
  started: z.string(),
});
export type ServerRecord = z.infer<typeof recordSchema>;

/** Milliseconds a server may take to listen, and to end after it was asked to. */
const startPatience = 120_000;
const stopPatience = 15_000;

/** Where the records lie. */
function stateFolder(): string {
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'agoge', 'servers');
}

/** Starts the same command in the background and returns when it listens; throws with the end of its log where it does not. */
export async function startInBackground(args: readonly string[]): Promise<ServerRecord> {
  const folder = stateFolder();
  await mkdir(folder, { recursive: true });
  const log = join(folder, `serve_${new Date().toISOString().replace(/[:.]/g, '')}_${process.pid}.log`);
  const out = openSync(log, 'a');
  const main = process.argv[1] ?? '';
  const child = spawn(process.execPath, [...process.execArgv, main, ...args, '--json'], {
    detached: true,
    stdio: ['ignore', out, out],
    env: englishChild(),
  });
  closeSync(out);
  const state = { ended: false };
  child.once('exit', () => (state.ended = true));
  child.unref();
  const until = Date.now() + startPatience;
  for (;;) {
    const said = await readFile(log, 'utf8');
    const listening = said.split('\n').find((line) => line.includes('"listening"'));
    if (listening !== undefined && child.pid !== undefined) {
      const facts = JSON.parse(listening) as { url: string; environments?: string[]; model?: string };
      const serves = facts.environments ?? [facts.model ?? 'a model'];
      const record = { pid: child.pid, url: facts.url, serves, log, started: new Date().toISOString() };
      await writeFile(join(folder, `${child.pid}.json`), JSON.stringify(record));
      return record;
    }
    if (state.ended || Date.now() > until) {
      if (!state.ended) child.kill('SIGKILL');
      throw new AgogeError('CLI_BACKGROUND', `the server did not start: ${said.trim().slice(-500)} (its log is ${log})`);
    }
    await sleep(100);
  }
}

/** The servers that run in the background; records of those that have ended are removed. */
export async function runningServers(): Promise<ServerRecord[]> {
  const folder = stateFolder();
  const found: ServerRecord[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const path = join(folder, name);
    const read = recordSchema.safeParse(
      await readFile(path, 'utf8').then(
        (text) => JSON.parse(text) as unknown,
        () => undefined,
      ),
    );
    if (read.success && (await isOurs(read.data))) found.push(read.data);
    else await rm(path, { force: true });
  }
  return found.sort((a, b) => a.url.localeCompare(b.url));
}

/** Asks servers to end and waits until they have: all of them, or those on a port. */
export async function stopServers(port: string | undefined): Promise<ServerRecord[]> {
  const running = await runningServers();
  const chosen = port === undefined ? running : running.filter(({ url }) => new URL(url).port === port);
  if (chosen.length === 0) {
    const ports = running.map(({ url }) => new URL(url).port).join(', ') || 'none';
    throw new AgogeError(
      'CLI_NO_SERVER',
      `no server runs in the background${port === undefined ? '' : ` on port ${port}`}: running on ${ports}`,
    );
  }
  for (const record of chosen) {
    process.kill(record.pid, 'SIGTERM');
    const until = Date.now() + stopPatience;
    while ((await isAlive(record.pid)) && Date.now() < until) await sleep(50);
    if (await isAlive(record.pid)) process.kill(record.pid, 'SIGKILL');
    await rm(join(stateFolder(), `${record.pid}.json`), { force: true });
  }
  return chosen;
}

/** Whether the process is alive and answers where it said: a number may have gone to another process since. */
async function isOurs({ pid, url }: ServerRecord): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  return fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000) }).then(
    () => true,
    () => false,
  );
}

/** Whether a process runs; one that has ended and whom nobody has asked about yet does not. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(state);
}
