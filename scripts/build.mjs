// Builds what a user runs: dist/ from src/ (tsc), and the dashboard from web/ (vite). The new dist/ replaces the old one at
// the end, so that a failed build leaves a working one behind.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fresh = `${root}.dist-${process.pid}`;
const old = `${fresh}-old`;

const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
};

run('typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', fresh);
run('vite/bin/vite.js', 'build', 'web', '--outDir', `${fresh}/web`, '--logLevel', 'warn');
chmodSync(`${fresh}/cli/main.js`, 0o755);
if (existsSync(`${root}dist`)) renameSync(`${root}dist`, old);
renameSync(fresh, `${root}dist`);
rmSync(old, { recursive: true, force: true });
