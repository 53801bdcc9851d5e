/**
 * The gym server with real TextCraft steps against a FastAPI + uvicorn handler that does nothing: one worker each, the
 * same client, in turns. Then 2,000 sessions at once, 100,000 episodes in a row with the server's resident memory, and
 * the rate in process. Rates are given per second, and per second of the server's processor time, which other load on the
 * machine hardly changes.
 *
 *   npx tsx bench/servers/gym.ts [rounds=7] [steps=60000] [episodes=100000]
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { textCraft } from '../../src/envs/textcraft/textcraft.ts';
import { load, serve, started, type Server } from './gym-server.ts';
import { inProject } from '../root.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((argument) => argument.startsWith(`${name}=`))?.slice(name.length + 1) ?? otherwise);
const rounds = option('rounds', 7);
const steps = option('steps', 60_000);
const episodes = option('episodes', 100_000);

async function metric(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

function inProcess(): number {
  const environment = textCraft();
  const actions = ['inventory', 'get 1 oak log', 'craft 4 oak planks using 1 oak log', 'get 2 cobblestone', 'look around'];
  const play = (steps: number): void => {
    for (let done = 0; done < steps; done += 50) {
      const episode = environment.open({ env: 'textcraft', split: 'all', index: done % 544 });
      for (let turn = 0; turn < 50; turn++) void episode.step(actions[turn % actions.length]!);
    }
  };
  play(100_000);
  const before = process.cpuUsage();
  play(1_000_000);
  const { user, system } = process.cpuUsage(before);
  return 1_000_000 / ((user + system) / 1e6);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (rate: number): string => Math.round(rate).toLocaleString('en');

/** Resident memory of the server after a tenth of the episodes and after all of them. */
async function longRun(server: Server): Promise<void> {
  await load(server, 'episodes', 16, episodes / 10);
  const before = await metric(server, 'process_resident_memory_bytes');
  const long = await load(server, 'episodes', 16, episodes - episodes / 10);
  const after = await metric(server, 'process_resident_memory_bytes');
  const growth = (100 * (after - before)) / before;
  const left = await metric(server, 'agoge_sessions_open');
  say(
    `${show(episodes)} episodes: ${(before / 2 ** 20).toFixed(1)} MiB after a tenth, ${(after / 2 ** 20).toFixed(1)} MiB at the end (${growth.toFixed(1)} %), ` +
      `${left} sessions left, none failed, ${show(long.perProcessorSecond)} requests per second of processor time`,
  );
}

const servers: Server[] = [];
try {
  const ours = await serve(36981, 'textcraft');
  servers.push(ours);
  const peer = await started(
    spawn(inProject('tests/peers/.venv/bin/python'), [path('gym-peer.py'), '36982'], { stdio: 'ignore' }),
    36982,
  );
  servers.push(peer);
  say(`load of the machine before: ${loadavg()[0]?.toFixed(1) ?? '?'}`);

  await load(ours, 'steps', 64, steps);
  await load(peer, 'steps', 64, steps / 6);
  const rates: Record<'ours' | 'peer' | 'oursCpu' | 'peerCpu', number[]> = { ours: [], peer: [], oursCpu: [], peerCpu: [] };
  for (let round = 0; round < rounds; round++) {
    const mine = await load(ours, 'steps', 64, steps);
    const theirs = await load(peer, 'steps', 64, steps / 6);
    rates.ours.push(mine.perSecond);
    rates.peer.push(theirs.perSecond);
    rates.oursCpu.push(mine.perProcessorSecond);
    rates.peerCpu.push(theirs.perProcessorSecond);
    say(
      `round ${round + 1}: ours ${show(mine.perSecond)}/s, FastAPI ${show(theirs.perSecond)}/s, ratio ${(mine.perSecond / theirs.perSecond).toFixed(1)}; ` +
        `per second of processor time ${show(mine.perProcessorSecond)} and ${show(theirs.perProcessorSecond)}`,
    );
  }
  const [a, b, c, d] = [median(rates.ours), median(rates.peer), median(rates.oursCpu), median(rates.peerCpu)];
  say(`steps over HTTP: ours ${show(a)}/s, FastAPI ${show(b)}/s, ratio ${(a / b).toFixed(1)} (median of ${rounds})`);
  say(`per second of processor time: ours ${show(c)}, FastAPI ${show(d)}, ratio ${(c / d).toFixed(1)}`);

  await load(ours, 'sessions', 64, 2000);
  say('2,000 sessions at once: all apart, none failed');

  if (episodes > 0) await longRun(ours);

  const direct = inProcess();
  say(`in process: ${show(direct)} steps per second of processor time, ${(direct / c).toFixed(0)} times the HTTP rate`);
  say(`load of the machine after: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
} finally {
  for (const { child } of servers) child.kill();
}
