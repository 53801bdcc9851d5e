// Builds what a user runs: dist/ from src/ (tsc), and the dashboard from web/ (vite). The new dist/ replaces the old one at
// the end, so that a failed build leaves a working one behind. With --once nothing is done where it is newer than its sources.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fresh = `${root}.dist-${process.pid}`;
const old = `${fresh}-old`;

const newest = (path) => {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'node_modules' && !name.endsWith('.test.ts'));
  return Math.max(0, ...names.map((name) => newest(join(path, name))));
};
const sources = ['src', 'web', 'tsconfig.build.json', 'scripts/build.mjs'].map((path) => `${root}${path}`);
if (process.argv.includes('--once') && existsSync(`${root}dist/cli/main.js`)) {
  if (Math.max(...sources.map(newest)) <= statSync(`${root}dist/cli/main.js`).mtimeMs) process.exit(0);
}

const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
};

// tsc leaves the extension of a dynamic import as it is in functions that use `await using` (TypeScript 6.0.3).
const finishImports = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const finished = text.replace(/\bimport\((['"])(\.{1,2}\/[^'"]*)\.ts\1\)/g, 'import($1$2.js$1)');
    if (finished !== text) writeFileSync(path, finished);
  }
};

run('typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', fresh);
finishImports(fresh);
run('vite/bin/vite.js', 'build', 'web', '--outDir', `${fresh}/web`, '--logLevel', 'warn');
chmodSync(`${fresh}/cli/main.js`, 0o755);
if (existsSync(`${root}dist`)) renameSync(`${root}dist`, old);
renameSync(fresh, `${root}dist`);
rmSync(old, { recursive: true, force: true });
run('../scripts/native.mjs', '--own');
