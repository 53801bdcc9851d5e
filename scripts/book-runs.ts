/**
 * Makes docs/runs.json.gz, the runs that the book shows: two minutes of the demo, and three policies on three environments.
 *   npx tsx scripts/book-runs.ts        (needs `npm run build`)
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runsFile, shippedRuns } from '../src/dashboard/docs/docs-runs.ts';
import type { ReportBundle } from '../src/dashboard/together-model.ts';
import { RunLibrary } from '../src/dashboard/runs/library.ts';
import { bundleOf } from '../src/dashboard/server/single-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'agoge-book-'));
const outputs = join(work, 'outputs');
const agoge = (line: string): void => {
  const command = [join(root, 'dist/cli/main.js'), ...line.split(' ')];
  const { status } = spawnSync(process.execPath, command, { cwd: work, stdio: 'inherit' });
  if (status !== 0) throw new Error(`agoge ${line} failed: run \`npm run build\` first`);
};
try {
  agoge('demo --seconds 120 --no-view');
  const [demo = ''] = await readdir(outputs);
  await rename(join(outputs, demo), join(outputs, shippedRuns.demo));
  const policies = ['base', 'expert', 'random'].map((name) => `--policy ${name}`).join(' ');
  const out = `outputs/${shippedRuns.evaluation}`;
  agoge(`eval textcraft babyai webshop ${policies} --tasks 0-15 --baseline random --out ${out} --no-view`);
  const made = await bundleOf(new RunLibrary(outputs), Object.values(shippedRuns), { episodes: 120 });
  if (made.unreadable > 0) throw new Error(`an episode cannot be read: ${made.because ?? ''}`);
  const bundle: ReportBundle = { ...made.bundle, book: { en: 'index.html', zh: 'README.zh-CN.html' } };
  await writeFile(join(root, runsFile), gzipSync(JSON.stringify(bundle), { level: 9 }));
} finally {
  await rm(work, { recursive: true, force: true });
}
