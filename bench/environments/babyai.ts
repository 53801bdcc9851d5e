/**
 * BabyAI against MiniGrid 2.3.1 in one run, alternating: primitive steps per second (each with its 7×7 view) and resets per
 * second over all forty levels; then actions in words, in process and over HTTP, a thousand sessions at once.
 * Seconds are of the processor, so that other work on the machine does not decide the ratio.
 *   npx tsx bench/environments/babyai.ts [http]     `http` leaves MiniGrid out
 */
import { babyAI } from '../../src/envs/babyai/babyai.ts';
import { levels } from '../../src/envs/babyai/world/levels/index.ts';
import { World } from '../../src/envs/babyai/world/world.ts';
import type { Move } from '../../src/envs/babyai/world/grid.ts';
import { python } from '../../tests/peers/python.ts';
import { startPeer } from './python-peer.ts';
import { load, serve } from '../servers/gym-server.ts';

interface Measured {
  readonly seconds: number;
  readonly done: number;
}

const names = levels.map(({ name }) => name);
const rate = ({ seconds, done }: Measured): number => done / seconds;
const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function ours(what: 'steps' | 'resets', count: number, from: number): Measured {
  let seconds = 0;
  levels.forEach((level, number) => {
    const world = new World(level, number);
    const start = processorSeconds();
    for (let turn = 0; turn < count; turn++) {
      if (what === 'steps') world.step(((turn * 7919 + number) % 6) as Move);
      else new World(level, from + turn);
    }
    seconds += processorSeconds() - start;
  });
  return { seconds, done: count * levels.length };
}

async function compare(): Promise<void> {
  const peer = startPeer(python);
  for (const [what, theirs, mine] of [
    ['steps', 150, 5000],
    ['resets', 4, 60],
  ] as const) {
    const ratios: number[] = [];
    const rates: [number, number][] = [];
    for (let round = 0; round < 5; round++) {
      const them = (await peer.ask({ time: what, levels: names, count: theirs, from: round * 100 })) as Measured;
      const us = ours(what, mine, round * 100);
      if (round === 0) continue; // warm-up of both
      rates.push([rate(us), rate(them)]);
      ratios.push(rate(us) / rate(them));
    }
    const [us, them] = [middle(rates.map(([r]) => r)), middle(rates.map(([, r]) => r))];
    console.log(
      `${what} per second: agoge ${us.toFixed(0)}, minigrid ${them.toFixed(0)}, ratio ${middle(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})`,
    );
  }
  await peer.close();
}

/** Actions in words over HTTP: server and clients are processes of their own, raw sockets, so that the server is what is measured. */
async function overHttp(sessions: number, actions: number): Promise<void> {
  for (const processes of [1, 2]) {
    using server = await serve(36983, 'babyai', '--processes', String(processes));
    const { perSecond, perProcessorSecond } = await load(server, 'play', 64, actions, 'babyai', sessions);
    console.log(
      `${sessions} sessions at once over HTTP, ${processes} playing: ${perSecond.toFixed(0)} actions per second, ${perProcessorSecond.toFixed(0)} per second of the server's processor time`,
    );
  }
}

/** The same actions in process: what HTTP is measured against. */
function inProcess(sessions: number, actions: number): void {
  const environment = babyAI();
  const words = ['turn left', 'move forward', 'check available actions', 'go to red ball 1'];
  const open = Array.from({ length: sessions }, (_, index) => environment.open({ env: 'babyai', split: 'all', index }));
  const play = (count: number): void => {
    for (let n = 0; n < count; n++) open[n % sessions]?.step(words[Math.floor(n / sessions) % words.length] ?? '');
  };
  play(sessions * 4);
  const start = processorSeconds();
  play(actions);
  console.log(`in process: ${(actions / (processorSeconds() - start)).toFixed(0)} actions per second of processor time`);
}

if (!process.argv.includes('http')) await compare();
inProcess(1000, 20_000);
await overHttp(1000, 40_000);
