/**
 * How fast the shipped sites are played without a browser, and how that compares with Chromium on the same tasks: steps per second of
 * processor time, in turns. Usage: npx tsx bench/environments/webarena.ts [tasks] [--no-browser]
 */
import { parseArgs } from 'node:util';
import { formatTask } from '../../src/core/task.ts';
import { webArena, type WebArena } from '../../src/envs/webarena/webarena.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'no-browser': { type: 'boolean' } } });
const count = Number(positionals[0] ?? 40);

interface Measured {
  readonly steps: number;
  readonly seconds: number;
  readonly wall: number;
  readonly solved: number;
}

/** The expert plays the first tasks of the test split. */
async function measure(environment: WebArena, tasks: number): Promise<Measured> {
  const before = process.cpuUsage();
  const start = performance.now();
  let steps = 0;
  let solved = 0;
  for (let index = 0; index < tasks; index++) {
    const task = { env: 'webarena', split: 'test', index };
    const expert = environment.expert(task);
    await using episode = await environment.open(task);
    let { observation } = episode;
    for (let action = expert.next(observation); action !== null; action = expert.next(observation)) {
      const step = await episode.step(action);
      steps++;
      ({ observation } = step);
      if (!step.done) continue;
      if (step.success !== true) throw new Error(`${formatTask(task)} was not solved`);
      solved++;
      break;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { steps, solved, seconds: (user + system) / 1e6, wall: (performance.now() - start) / 1000 };
}

const told = (name: string, { steps, seconds, wall, solved }: Measured): string =>
  `${name.padEnd(16)} ${(steps / seconds).toFixed(0)} steps per processor second, ${(steps / wall).toFixed(0)} per second here, ${String(solved)} solved`;

const opened: WebArena[] = [];
async function open(settings: Readonly<Record<string, string>>): Promise<WebArena> {
  const environment = await webArena(settings);
  opened.push(environment);
  return environment;
}

const fast = await open({});
await measure(fast, count);
const full = await measure(fast, count);
const short = await measure(await open({ text: 'short' }), count);
console.log(told('fast lane', full));
console.log(told('fast lane, short', short));
if (values['no-browser'] !== true) {
  // What Chromium's own processes use is not counted: the ratio is that of waiting time.
  const browser = await measure(await open({ lane: 'browser' }), Math.min(count, 10));
  console.log(told('Chromium', browser));
  console.log(
    `the fast lane plays ${((full.steps / full.wall / browser.steps) * browser.wall).toFixed(0)} steps for one of Chromium`,
  );
}
for (const environment of opened) await environment.close();
