/**
 * The shipped sites in Chromium under load: experts play many episodes at once, one browser is killed on the way, and its episodes are
 * replayed by the pool. At the end every task must be solved, and no context, process or memory may be left.
 *   npx tsx bench/webarena-soak.ts [episodes] [at once] [--minutes 25] [--browsers 2] [--from 0]      default 2,000 and 32
 * Tasks follow each other with their templates mixed, so a run that its minutes end has played a sample of all; `--from` goes on where
 * an earlier one ended. Every page is compared with the fast lane's.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFormat } from '../src/agent/formats/index.ts';
import { defaultLimits } from '../src/agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../src/agent/pool.ts';
import { formatTask, type TaskRef } from '../src/core/task.ts';
import type { Trajectory } from '../src/core/trajectory.ts';
import { findChromium } from '../src/envs/webarena/browser/find.ts';
import { BrowserLane } from '../src/envs/webarena/browser/lane.ts';
import { heldMemory } from '../src/envs/laws/memory.ts';
import { SiteServer } from '../src/envs/webarena/sites/server.ts';
import { loginCookies } from '../src/envs/webarena/sites/session.ts';
import { siteBook } from '../src/envs/webarena/sites/tasks/book.ts';
import { SITES, toPublic } from '../src/envs/webarena/tasks/sites.ts';
import { webArena, WebArena } from '../src/envs/webarena/webarena.ts';
import { ExpertPolicy } from '../src/policy/expert.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '25' },
    browsers: { type: 'string', default: '2' },
    from: { type: 'string', default: '0' },
  },
});
const episodes = Number(positionals[0] ?? 2000);
const atOnce = Number(positionals[1] ?? 32);
const until = performance.now() + Number(values.minutes) * 60_000;

const server = await SiteServer.start();
const { addresses } = server;
const lane = await BrowserLane.open({
  chromium: await findChromium(),
  addresses,
  own: {
    forget: (episode) => {
      server.forget(episode);
    },
    cookies: (sites) => loginCookies(SITES.filter((site) => sites.includes(site))),
  },
  observation: 'plain',
  browsers: Number(values.browsers),
  episodes: atOnce,
});
const fast = await webArena();
const environment = new WebArena({ book: siteBook(addresses), lane, addresses, variant: 'shipped' });

const all: readonly TaskRef[] = environment.splits.flatMap((split) =>
  Array.from({ length: environment.tasks(split).size }, (_, index) => ({ env: 'webarena', split, index })),
);
/** A stride that has no divisor with the number of tasks visits all of them, splits mixed. */
const STRIDE = 701;

function* jobs(): Generator<EpisodeJob> {
  const shared = { environment, policy: new ExpertPolicy(), format: createFormat('direct'), limits: defaultLimits };
  for (let at = Number(values.from); at < episodes + Number(values.from) && performance.now() < until; at++) {
    const task = all[(at * STRIDE) % all.length];
    if (task) yield { ...shared, task, seed: at };
  }
}

/** Pages of an episode on which the fast lane, playing the same actions, reads otherwise. */
async function otherwise(task: TaskRef, { observation, turns }: Trajectory): Promise<number> {
  await using episode = await fast.open(task);
  let count = episode.observation === observation ? 0 : 1;
  for (const { action, observation: seen } of turns) {
    if (action === null) continue;
    const step = await episode.step(toPublic(action, addresses));
    if (step.observation !== seen) count++;
  }
  return count;
}

/** Processes below ours, and what they hold; empty where there is no /proc. */
function descendants(): readonly { readonly pid: number; readonly bytes: number }[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, rest = ''] = /^\d+ \(.*\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      const [state, parent = ''] = rest.split(' ');
      if (state !== 'Z') parents.set(Number(name), Number(parent));
    } catch {
      // It ended while we looked.
    }
  }
  const below = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || below(parent));
  };
  return [...parents.keys()].filter(below).map((pid) => ({ pid, bytes: residentBytes(pid) }));
}

function residentBytes(pid: number): number {
  try {
    // Shared pages are counted once: Pss, not Rss.
    const text = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) * 1024;
  } catch {
    return 0;
  }
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const started = performance.now();
let played = 0;
let steps = 0;
let killed = 0;
let pages = 0;
let different = 0;
const retried: string[] = [];
const unsolved: string[] = [];
const templates = new Set<number | undefined>();
// In the middle: all places are taken, and many episodes are still to come.
const killAt = Math.min(Math.ceil(episodes / 3), 2 * atOnce);
for await (const { job, trajectory, failures } of new EpisodePool({ concurrency: atOnce, retries: 4 }).run(jobs())) {
  played++;
  retried.push(...failures.map(({ error }) => error.code));
  steps += trajectory.turns.length;
  pages += 1 + trajectory.turns.length;
  const differing = trajectory.outcome.kind === 'finished' ? await otherwise(job.task, trajectory) : 0;
  different += differing;
  if (differing > 0) unsolved.push(`${formatTask(job.task)}: ${String(differing)} pages read otherwise in the fast lane`);
  templates.add(environment.task(job.task).intent_template_id);
  const { outcome } = trajectory;
  if (outcome.kind !== 'finished' || !outcome.success)
    unsolved.push(`${formatTask(job.task)}: ${outcome.kind === 'failed' ? outcome.error.message : outcome.kind}`);
  if (played === killAt) {
    const [pid] = await lane.browsers.pids();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    killed += pid === undefined ? 0 : 1;
  }
  if (played % 50 === 0) {
    const below = descendants();
    const chromium = mebibytes(below.reduce((sum, { bytes }) => sum + bytes, 0));
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${String(played)} episodes, ${seconds} s: ${mebibytes(heldMemory())} held here, ${chromium} by ${String(below.length)} processes, ${String((await lane.browsers.pids()).length)} browsers, ${String(await lane.browsers.contexts())} contexts, ${String(retried.length)} replayed`,
    );
  }
}
const left = await lane.browsers.contexts();
await environment.close();
await server[Symbol.asyncDispose]();
// Chromium's helpers end a moment after it.
for (let wait = 0; wait < 50 && descendants().some(({ pid }) => isChromium(pid)); wait++)
  await new Promise((resolve) => setTimeout(resolve, 100));
const orphans = descendants().filter(({ pid }) => isChromium(pid)).length;
console.log(
  `${String(played)} episodes of ${String(templates.size)} templates, ${String(steps)} steps, ${((performance.now() - started) / 60_000).toFixed(1)} minutes; ${String(killed)} browser killed, ${String(retried.length)} tries replayed (${[...new Set(retried)].join(', ')}); ${String(different)} of ${String(pages)} pages otherwise than in the fast lane; ${String(unsolved.length)} unsolved or different, ${String(left)} contexts and ${String(orphans)} processes left`,
);
for (const line of unsolved.slice(0, 20)) console.log(`  ${line}`);
if (unsolved.length > 0 || left > 0 || orphans > 0) process.exitCode = 1;

function isChromium(pid: number): boolean {
  try {
    return /chrom/i.test(readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
