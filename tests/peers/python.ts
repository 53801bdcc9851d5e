/**
 * Global set-up of the peer tests: a Python virtual environment with requirements.txt installed, kept in the user's cache under the
 * hash of that file, so that clones share it; `.venv` beside this file leads there. Where Python or the registry is missing the tests
 * are skipped with the reason in AGOGE_PEERS_MISSING.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const { venv, problem } = environmentOf(join(here, 'requirements.txt'));
  if (problem !== undefined) {
    process.env['AGOGE_PEERS_MISSING'] = problem;
    return;
  }
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  symlinkSync(venv, link);
}

/** The virtual environment with these requirements installed (`overrides`: against what they ask for), or why there is none. */
export function environmentOf(requirements: string, overrides?: string): { readonly venv: string; readonly problem?: string } {
  const files = overrides === undefined ? [requirements] : [requirements, overrides];
  const wanted = createHash('sha256')
    .update(Buffer.concat(files.map((file) => readFileSync(file))))
    .digest('hex');
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const venv = join(cache, 'agoge-peers', wanted.slice(0, 16));
  const stamp = join(venv, 'installed');
  if (existsSync(stamp)) return { venv };
  const problem = install(venv, ['-r', requirements, ...(overrides === undefined ? [] : ['--override', overrides])]);
  if (problem !== undefined) return { venv, problem };
  writeFileSync(stamp, wanted);
  return { venv };
}

/** Makes the environment; gives what went wrong, or undefined. */
function install(venv: string, what: readonly string[]): string | undefined {
  mkdirSync(dirname(venv), { recursive: true });
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', venv]],
    [join(venv, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.7']],
    // uv fetches side by side and compiles nothing ahead: minutes less than pip for the same wheels.
    [join(venv, 'bin/uv'), ['pip', 'install', '--quiet', '--python', join(venv, 'bin/python'), ...what]],
  ];
  for (const [command, args] of steps) {
    const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) return `${args.slice(0, 3).join(' ')} failed: ${error?.message ?? `exit ${String(status)}`}`;
  }
  return undefined;
}
