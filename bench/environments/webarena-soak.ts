/**
 * The shipped sites in Chromium under load: experts play many episodes at once, one browser is killed on the way, and its episodes are
 * replayed by the pool. At the end every task must be solved, and no context, process or memory may be left.
 *   npx tsx bench/environments/webarena-soak.ts [episodes] [at once] [--minutes 25] [--browsers 2] [--from 0] [--json file]    default 2,000 and 32
 * Tasks follow each other with their templates mixed, so a run that its minutes end has played a sample of all, and 1,927 episodes are every
 * task once; `--from` goes on where an earlier one ended. Every page is compared with the fast backend's. The figures so far are written to
 * the file after every 50 episodes.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFormat } from '../../src/agent/formats/index.ts';
import { defaultLimits } from '../../src/agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../../src/agent/pool.ts';
import { formatTask, type TaskRef } from '../../src/core/task.ts';
import type { Trajectory } from '../../src/core/trajectory.ts';
import { findChromium, type Chromium } from '../../src/envs/webarena/browser/find.ts';
import { BrowserBackend } from '../../src/envs/webarena/browser/backend.ts';
import { heldMemory } from '../../src/lint/memory.ts';
import { SiteServer } from '../../src/envs/webarena/sites/server.ts';
import { loginCookies } from '../../src/envs/webarena/sites/session.ts';
import { siteBook } from '../../src/envs/webarena/sites/tasks/book.ts';
import { SITES, toPublic } from '../../src/envs/webarena/tasks/sites.ts';
import { webArena, WebArena } from '../../src/envs/webarena/webarena.ts';
import { ExpertPolicy } from '../../src/policy/expert.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '25' },
    browsers: { type: 'string', default: '2' },
    from: { type: 'string', default: '0' },
    json: { type: 'string' },
    chromium: { type: 'string' },
  },
});
const episodes = Number(positionals[0] ?? 2000);
const atOnce = Number(positionals[1] ?? 32);
const until = performance.now() + Number(values.minutes) * 60_000;

/** The one that is found, or a packed one at a path, which needs what the package gives it. */
async function chromium(): Promise<Chromium> {
  const found = await findChromium(values.chromium);
  return values.chromium === undefined
    ? found
    : { ...found, args: ['--disable-gpu', '--font-render-hinting=none'], sandbox: false };
}

const server = await SiteServer.start();
const { addresses } = server;
const backend = await BrowserBackend.open({
  chromium: await chromium(),
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
const environment = new WebArena({ book: siteBook(addresses), backend, addresses, variant: 'shipped' });

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

/** Pages of an episode on which the fast backend, playing the same actions, reads otherwise. */
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
const tally = { played: 0, solved: 0, steps: 0, pages: 0, different: 0, killed: 0 };
const tasks = new Set<string>();
const templates = new Set<number | undefined>();
const retried: string[] = [];
const wrong: string[] = [];
const memory: {
  readonly played: number;
  readonly seconds: number;
  readonly here: number;
  readonly chromium: number;
  readonly processes: number;
}[] = [];
// In the middle: all places are taken, and many episodes are still to come.
const killAt = Math.min(Math.ceil(episodes / 3), 2 * atOnce);

const seconds = (): number => Math.round((performance.now() - started) / 1000);

function keep(rest: object = {}): void {
  if (values.json === undefined) return;
  const cpu = process.cpuUsage();
  const figures = {
    ...tally,
    tasks: tasks.size,
    templates: templates.size,
    atOnce,
    browsers: Number(values.browsers),
    next: Number(values.from) + tally.played,
    seconds: seconds(),
    processorSeconds: Math.round((cpu.user + cpu.system) / 1e6),
    replayed: Object.fromEntries([...new Set(retried)].map((code) => [code, retried.filter((one) => one === code).length])),
    wrong,
    memory,
    ...rest,
  };
  writeFileSync(values.json, `${JSON.stringify(figures, undefined, 1)}\n`);
}

for await (const { job, trajectory, failures } of new EpisodePool({ concurrency: atOnce, retries: 4 }).run(jobs())) {
  const { outcome, turns } = trajectory;
  const name = formatTask(job.task);
  retried.push(...failures.map(({ error }) => error.code));
  tally.played++;
  tally.steps += turns.length;
  tally.pages += 1 + turns.length;
  tasks.add(name);
  templates.add(environment.task(job.task).intent_template_id);
  const differing = outcome.kind === 'finished' ? await otherwise(job.task, trajectory) : 0;
  tally.different += differing;
  if (differing > 0) wrong.push(`${name}: ${String(differing)} pages read otherwise in the fast backend`);
  if (outcome.kind === 'finished' && outcome.success) tally.solved++;
  else wrong.push(`${name}: ${outcome.kind === 'failed' ? outcome.error.message : outcome.kind}`);
  if (tally.played === killAt) {
    const [pid] = await backend.browsers.pids();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    tally.killed += pid === undefined ? 0 : 1;
  }
  if (tally.played % 10 === 0) keep();
  if (tally.played % 50 === 0) {
    const below = descendants();
    const held = {
      played: tally.played,
      seconds: seconds(),
      here: heldMemory(),
      chromium: below.reduce((sum, { bytes }) => sum + bytes, 0),
    };
    memory.push({ ...held, processes: below.length });
    keep();
    console.log(
      `${String(tally.played)} episodes, ${String(held.seconds)} s: ${mebibytes(held.here)} held here, ${mebibytes(held.chromium)} by ${String(below.length)} processes, ${String((await backend.browsers.pids()).length)} browsers, ${String(await backend.browsers.contexts())} contexts, ${String(retried.length)} replayed, ${String(wrong.length)} unsolved or different`,
    );
  }
}
const contexts = await backend.browsers.contexts();
await environment.close();
await server[Symbol.asyncDispose]();
// Chromium's helpers end a moment after it.
for (let wait = 0; wait < 50 && ofChromium().length > 0; wait++) await new Promise((resolve) => setTimeout(resolve, 100));
const orphans = ofChromium().length;
keep({ ended: true, contexts, orphans });
console.log(
  `${String(tally.played)} episodes of ${String(tasks.size)} tasks and ${String(templates.size)} templates, ${String(tally.solved)} solved, ${String(tally.steps)} steps, ${(seconds() / 60).toFixed(1)} minutes; ${String(tally.killed)} browser killed, ${String(retried.length)} tries replayed (${[...new Set(retried)].join(', ')}); ${String(tally.different)} of ${String(tally.pages)} pages otherwise than in the fast backend; ${String(contexts)} contexts and ${String(orphans)} processes left; go on with --from ${String(Number(values.from) + tally.played)}`,
);
for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
if (wrong.length > 0 || contexts > 0 || orphans > 0) process.exitCode = 1;

/** Chromium's processes below ours; with a path of its own (`--chromium`) also those that lost their parent. */
function ofChromium(): readonly number[] {
  const own = values.chromium === undefined ? undefined : realpathSync(values.chromium);
  const everyone =
    own === undefined ? descendants().map(({ pid }) => pid) : readdirSync('/proc').map(Number).filter(Number.isInteger);
  return everyone.filter((pid) => {
    try {
      const program = readlinkSync(`/proc/${String(pid)}/exe`);
      return own === undefined ? /chrom|headless/i.test(program) : program === own;
    } catch {
      return false;
    }
  });
}
