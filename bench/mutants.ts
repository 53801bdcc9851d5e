/**
 * `npm run test:mutants [room …]`: are the tests awake? Each change of the list is made alone, in a copy of the sources, and the unit tests
 * of its file are run, then those of its room that it is related to, then the others. A change that no test notices survives and is named.
 * `run:12` begins with the twelfth change of a room; `--room` leaves the tests of other rooms out; `--check` only looks whether the list fits.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agent } from './mutants/agent.ts';
import type { Change } from './mutants/change.ts';
import { data } from './mutants/data.ts';
import { evaluation } from './mutants/eval.ts';
import { gym } from './mutants/gym.ts';
import { rewards } from './mutants/rewards.ts';
import { run } from './mutants/run.ts';
import { train } from './mutants/train.ts';

const rooms: Readonly<Record<string, readonly Change[]>> = { agent, train, run, eval: evaluation, gym, rewards, data };
/** A test that goes on for so long has noticed that something is wrong. */
const patience = 150_000;

const project = new URL('..', import.meta.url).pathname;
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const copy = await mkdtemp(join(tmpdir(), 'agoge-mutants-'));
try {
  await prepare();
  const table: string[] = [];
  let [noticed, all] = [0, 0];
  for (const [room, whole] of Object.entries(rooms)) {
    const wanted = asked.map((word) => word.split(':')).find(([name]) => name === room);
    if (asked.length > 0 && !wanted) continue;
    const list = whole.slice(Number(wanted?.[1] ?? 1) - 1);
    let here = 0;
    for (const change of list) {
      const by = await noticedBy(room, change);
      if (by !== undefined) here++;
      else console.log(`survives: ${change.file}: ${change.says} (${change.from} → ${change.to || 'nothing'})`);
      console.error(`${room} ${change.file}: ${change.says}: ${by ?? 'SURVIVES'}`);
    }
    table.push(`| ${room} | ${list.length} | ${here} | ${(here / list.length).toFixed(2)} |`);
    [noticed, all] = [noticed + here, all + list.length];
  }
  console.log(['| room | changes | noticed | share |', '|---|---|---|---|', ...table].join('\n'));
  console.log(`noticed ${noticed} of ${all}: ${(noticed / all).toFixed(3)}`);
} finally {
  await rm(copy, { recursive: true, force: true });
}

/** Sources and tests are copied, since they are changed or lie beside what is; everything else is linked. */
async function prepare(): Promise<void> {
  for (const name of await readdir(project)) {
    if (['.git', 'dist', 'outputs'].includes(name)) continue;
    if (['src', 'tests', 'vitest.config.ts', 'package.json', 'tsconfig.json'].includes(name))
      await cp(join(project, name), join(copy, name), { recursive: true });
    else await symlink(join(project, name), join(copy, name));
  }
}

/** Which tests noticed the change; undefined where none did. Throws where the list no longer fits the sources. */
async function noticedBy(room: string, { file, from, to }: Change): Promise<string | undefined> {
  const path = join(copy, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2)
    throw new Error(`${file} has ${String(text.split(from).length - 1)} times ${JSON.stringify(from)}: mend bench/mutants`);
  if (process.argv.includes('--check')) return 'not run';
  try {
    await writeFile(
      path,
      text.replace(from, () => to),
    );
    const own = file.replace(/\.ts$/, '.test.ts');
    if (existsSync(join(copy, own)) && (await fails(['run', own]))) return own;
    if (await fails(['related', file, '--run', '--dir', `src/${room}`])) return `tests of ${room}`;
    if (process.argv.includes('--room')) return undefined;
    return (await fails(['related', file, '--run'])) ? 'related tests' : undefined;
  } finally {
    await writeFile(path, text);
  }
}

function fails(what: readonly string[]): Promise<boolean> {
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const usual = ['--project', 'unit', '--bail', '1', '--maxWorkers', '1', '--passWithNoTests', '--reporter', 'dot'];
  const child = spawn(process.execPath, [vitest, ...what, ...usual], { cwd: copy, stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    const end = (failed: boolean): void => {
      clearTimeout(timer);
      resolve(failed);
    };
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      end(true);
    }, patience);
    child.once('exit', (code) => end(code !== 0));
  });
}
