// Builds what a user runs: dist/ from src/ (tsc of TypeScript 7; the linter's parser still needs 6), and the dashboard from web/ (vite). The new dist/ replaces the old one at
// the end, so that a failed build leaves a working one behind. With --once nothing is done where it is newer than its sources.
// npm links the commands of dependencies but not a package's own, so `npx agoge` is linked here: it then works in every folder of a clone.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fresh = `${root}.dist-${process.pid}`;
const old = `${fresh}-old`;

const linkCommand = () => {
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  if (process.platform === 'win32') writeFileSync(join(bin, 'agoge.cmd'), '@node "%~dp0..\\..\\dist\\cli\\main.js" %*\r\n');
  else if (!readdirSync(bin).includes('agoge')) symlinkSync('../../dist/cli/main.js', join(bin, 'agoge'));
};
linkCommand();

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

// The compiler collects its garbage seldom: it ends soon, and collecting takes a third of its time.
const env = { GOGC: '400', ...process.env };
const run = (script, ...args) => {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
};

// One thread: several look at the same types anew, which takes twice the processor time and no less on two cores.
run('typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--singleThreaded', '--outDir', fresh);
run('vite/bin/vite.js', 'build', 'web', '--outDir', `${fresh}/web`, '--logLevel', 'warn');
chmodSync(`${fresh}/cli/main.js`, 0o755);
if (existsSync(`${root}dist`)) renameSync(`${root}dist`, old);
renameSync(fresh, `${root}dist`);
rmSync(old, { recursive: true, force: true });
run('../scripts/native.mjs');
