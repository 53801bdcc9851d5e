/**
 * ScienceWorld against the original, alternating: steps per second of processor time against the bare JVM (SCIENCEWORLD_CLASSPATH, see
 * tests/peers/sciworld) and against its Python API (a Python with `scienceworld` in SCIENCEWORLD_PYTHON); then opening a variation, and
 * the memory of sessions.
 *   node --expose-gc --import tsx bench/environments/sciworld.ts
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from '../../src/envs/sciworld/catalogue.ts';
import { solve } from '../../src/envs/sciworld/expert/expert.ts';
import { sciWorld } from '../../src/envs/sciworld/sciworld.ts';
import { Simulation } from '../../src/envs/sciworld/simulation.ts';
import { originalMissing, startOriginal } from '../../tests/peers/sciworld/original.ts';

const ROUNDS = 3;

interface Script {
  readonly task: string;
  readonly variation: number;
  readonly actions: readonly string[];
}

/** What the expert does, and looking around between: the same for everybody. */
function scripts(round: number): readonly Script[] {
  return CATALOGUE.map(({ name, size }) => {
    const variation = round % size;
    const actions = solve(name, new Simulation(name, variation)).flatMap((action) => [action, 'look around']);
    return { task: name, variation, actions: ['look around', ...actions] };
  });
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const count = (all: readonly Script[]): number => all.reduce((sum, { actions }) => sum + actions.length, 0);

function ours(all: readonly Script[], listing: boolean): number {
  let seconds = 0;
  for (const { task, variation, actions } of all) {
    const simulation = new Simulation(task, variation);
    const start = processorSeconds();
    for (const action of actions) {
      simulation.step(action);
      if (listing) simulation.validTexts();
    }
    seconds += processorSeconds() - start;
  }
  return count(all) / seconds;
}

async function bareJvm(): Promise<void> {
  const missing = originalMissing();
  if (missing !== undefined) {
    console.log(`bare JVM: skipped, ${missing}`);
    return;
  }
  const original = startOriginal();
  for (let round = 0; round <= ROUNDS; round++) {
    const all = scripts(round);
    let seconds = 0;
    for (const { task, variation, actions } of all) {
      await original.load(task, variation);
      const start = await original.cpu();
      for (const action of actions) await original.step(action);
      seconds += (await original.cpu()) - start;
    }
    report('bare JVM', round, ours(all, false), count(all) / seconds);
  }
  original.close();
}

function pythonApi(): void {
  const python = process.env['SCIENCEWORLD_PYTHON'];
  if (python === undefined) {
    console.log('Python API: skipped, SCIENCEWORLD_PYTHON does not name a Python with scienceworld');
    return;
  }
  const peer = fileURLToPath(new URL('./sciworld-peer.py', import.meta.url));
  for (let round = 0; round <= ROUNDS; round++) {
    const all = scripts(round).filter((_, i) => i % 3 === 0);
    const { stdout } = spawnSync(python, [peer], { input: JSON.stringify(all), encoding: 'utf8', maxBuffer: 1e8 });
    const { seconds } = JSON.parse(stdout.trim().split('\n').pop() ?? '{}') as { seconds: number };
    report('Python API', round, ours(all, false), count(all) / seconds);
    console.log(`  with every valid action listed at each step, as the Python API does: ${ours(all, true).toFixed(0)} steps/s`);
  }
}

function report(against: string, round: number, us: number, them: number): void {
  const warm = round === 0 ? ' (warm-up)' : '';
  const ratio = (us / them).toFixed(1);
  console.log(`${against}${warm}: ours ${us.toFixed(0)} steps/s, theirs ${them.toFixed(0)} steps/s, ${ratio} times`);
}

function sessions(): void {
  const env = sciWorld();
  env.open({ env: 'sciworld', split: 'all', index: 0 });
  const start = processorSeconds();
  const before = memory();
  const held = Array.from({ length: 500 }, (_, i) => env.open({ env: 'sciworld', split: 'all', index: i * 14 }));
  const opened = ((processorSeconds() - start) / held.length) * 1000;
  const each = (memory() - before) / held.length / 1024;
  for (const episode of held) episode.step('wait1');
  console.log(`500 sessions: ${opened.toFixed(1)} ms of processor time to open one, ${each.toFixed(0)} KiB held by each`);
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

await bareJvm();
pythonApi();
sessions();
