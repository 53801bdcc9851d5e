// Builds what a user runs: dist/ from src/ (tsc), and the dashboard from web/ (vite) where it exists.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

rmSync(`${root}dist`, { recursive: true, force: true });
run('typescript/bin/tsc', '-p', 'tsconfig.build.json');
chmodSync(`${root}dist/cli/main.js`, 0o755);
if (existsSync(`${root}web/vite.config.ts`)) run('vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn');
