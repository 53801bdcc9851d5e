/**
 * BabyAI against MiniGrid 2.3.1 in one run, alternating: primitive steps per second (each with its 7×7 view) and resets per
 * second over all forty levels; then actions in words over HTTP, and a thousand sessions at once with the memory they hold.
 * Seconds are of the processor, so that other work on the machine does not decide the ratio.
 *   node --expose-gc --import tsx bench/babyai.ts
 */
import { setTimeout as pause } from 'node:timers/promises';
import { babyAI } from '../src/envs/babyai/babyai.ts';
import { levels } from '../src/envs/babyai/world/levels/index.ts';
import { World } from '../src/envs/babyai/world/world.ts';
import type { Move } from '../src/envs/babyai/world/grid.ts';
import { startGym } from '../src/gym/server.ts';
import { python } from '../tests/peers/python.ts';
import { startPeer } from './babyai-peer.ts';

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

async function overHttp(sessions: number, turns: number): Promise<void> {
  await using server = await startGym({ environments: [babyAI()] });
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as T;
  };
  const memory = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const ids = Array.from({ length: sessions }, () => post<{ id: number }>('/create', {}).then(({ id }) => id));
  const open = await Promise.all(ids);
  await Promise.all(open.map((id) => post('/reset', { id, data_idx: id })));
  await pause(100);
  const held = memory();
  const start = performance.now();
  let done = 0;
  for (let turn = 0; turn < turns; turn++) {
    const action = ['turn left', 'move forward', 'check available actions', 'go to red ball 1'][turn % 4];
    await Promise.all(
      open.map(async (id) => {
        await post('/step', { id, action });
        done++;
      }),
    );
    if (turn === 1 || turn === turns - 1)
      console.log(`  heap after ${done} actions: ${memory().toFixed(1)} MiB (${held.toFixed(1)} before)`);
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${sessions} sessions at once over HTTP: ${(done / seconds).toFixed(0)} actions per second, client in the same process`,
  );
}

await compare();
await overHttp(1000, 12);
