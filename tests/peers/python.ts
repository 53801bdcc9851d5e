/**
 * Global set-up of the peer tests: a Python virtual environment with requirements.txt installed, kept in the user's cache under the
 * hash of that file, so that clones share it; `.venv` beside this file leads there. Where Python or the registry is missing the tests
 * are skipped with the reason in AGOGE_PEERS_MISSING.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const link = join(here, '.venv');

/** The interpreter of the peers' environment. */
export const python = join(link, 'bin/python');

/** Why the Python peers cannot run here, or undefined when they can. */
export const peersMissing = (): string | undefined => process.env['AGOGE_PEERS_MISSING'] || undefined;

export default function installPeers(): void {
  const requirements = join(here, 'requirements.txt');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const venv = join(cache, 'agoge-peers', wanted.slice(0, 16));
  const stamp = join(venv, 'installed');
  const problem = alone(`${venv}.installing`, () => {
    if (existsSync(stamp)) return undefined;
    const failed = install(venv, requirements);
    if (failed === undefined) writeFileSync(stamp, wanted);
    return failed;
  });
  if (problem !== undefined) {
    process.env['AGOGE_PEERS_MISSING'] = problem;
    return;
  }
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  symlinkSync(venv, link);
}

/** Does the work while no other process does it: two that install into one environment at a time break it. */
function alone<T>(lock: string, work: () => T): T {
  mkdirSync(dirname(lock), { recursive: true });
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  while (!claimed(own, lock)) Atomics.wait(pause, 0, 0, 1000);
  rmSync(own);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the lock is ours now. One whose owner has ended is taken away. */
function claimed(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch {
    if (existsSync(lock) && !isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
    return false;
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Makes the environment; gives what went wrong, or undefined. */
function install(venv: string, requirements: string): string | undefined {
  mkdirSync(dirname(venv), { recursive: true });
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', venv]],
    [join(venv, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]],
  ];
  for (const [command, args] of steps) {
    const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) return `${args.slice(0, 3).join(' ')} failed: ${error?.message ?? `exit ${String(status)}`}`;
  }
  return undefined;
}
