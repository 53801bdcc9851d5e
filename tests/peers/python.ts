/**
 * Global set-up of the peer tests: a Python virtual environment beside this file with requirements.txt installed.
 * Where Python or the registry is missing the tests are skipped with the reason in AGOGE_PEERS_MISSING.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const venv = join(here, '.venv');

/** The interpreter of the peers' environment. */
export const python = join(venv, 'bin/python');

/** Why the Python peers cannot run here, or undefined when they can. */
export const peersMissing = (): string | undefined => process.env['AGOGE_PEERS_MISSING'] || undefined;

export default function installPeers(): void {
  const requirements = readFileSync(join(here, 'requirements.txt'));
  const stamp = join(venv, 'installed');
  const wanted = createHash('sha256').update(requirements).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', venv]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', join(here, 'requirements.txt')]],
  ];
  for (const [command, args] of steps) {
    const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status === 0) continue;
    process.env['AGOGE_PEERS_MISSING'] =
      `${command} ${args.slice(0, 3).join(' ')} failed: ${error?.message ?? `exit ${String(status)}`}`;
    return;
  }
  writeFileSync(stamp, wanted);
}
