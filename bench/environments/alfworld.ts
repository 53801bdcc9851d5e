/**
 * ALFWorld against the original (alfworld 0.4.2, TextWorld 1.7.0, Fast Downward) in one run, alternating: games opened and steps
 * taken per second of the processor, each step with its list of commands; then a thousand games open at once and the memory they
 * hold. Official games where they are at hand, homes of our own elsewhere. The original must be installed (npm run test:peers).
 *   node --expose-gc --import tsx bench/environments/alfworld.ts
 */
import { existsSync } from 'node:fs';
import { Random } from '../../src/core/random/random.ts';
import { readGames } from '../../src/envs/alfworld/files.ts';
import { openGame, type GameText } from '../../src/envs/alfworld/games.ts';
import { generateGame } from '../../src/envs/alfworld/homes/generate.ts';
import { taskKinds } from '../../src/envs/alfworld/homes/task.ts';
import { World } from '../../src/envs/alfworld/world/world.ts';
import { originalAlfWorld } from '../../tests/peers/environments/alfworld-original.ts';
import { python } from '../../tests/peers/python.ts';
import { startPeer, type Peer } from './python-peer.ts';
import { inProject } from '../root.ts';

interface Measured {
  readonly seconds: number;
  readonly done: number;
}

const ROUNDS = 4;
const STEPS = 12;
const rate = ({ seconds, done }: Measured): number => done / seconds;
const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function gamesAtHand(): Promise<readonly GameText[]> {
  const shared = inProject('../shared/data/alfworld/games_valid.jsonl.gz');
  if (existsSync(shared)) return Random.of(1, 'bench').shuffle(await readGames(shared));
  return Array.from({ length: 400 }, (_, number) => {
    const kind = taskKinds[number % taskKinds.length] ?? 'pick';
    return generateGame({ seed: 1, difficulty: [1, 1] }, { use: 'train', kind, name: `bench_${number}` }).text;
  });
}

function opens(games: readonly GameText[]): Measured {
  const start = processorSeconds();
  let commands = 0;
  for (const game of games) commands += new World(openGame(game), '0.4').commands.length;
  if (commands === 0) throw new Error('no game can be played');
  return { seconds: processorSeconds() - start, done: games.length };
}

function steps(games: readonly GameText[], count: number): Measured {
  const worlds = games.map((game) => new World(openGame(game), '0.4'));
  const start = processorSeconds();
  for (const world of worlds) {
    for (let turn = 0; turn < count; turn++) {
      const { commands } = world;
      world.step(commands[(turn * 7919) % commands.length] ?? '');
    }
  }
  return { seconds: processorSeconds() - start, done: games.length * count };
}

async function compare(peer: Peer, games: readonly GameText[]): Promise<void> {
  const asked = (part: readonly GameText[]) => part.map(({ problem, sentence }) => ({ problem, sentence, edition: '0.4' }));
  for (const [what, theirs, ours] of [
    ['opens', 2, (part: readonly GameText[]) => opens(part)],
    ['steps', 2, (part: readonly GameText[]) => steps(part, 500)],
  ] as const) {
    const rates: [number, number][] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const some = games.slice(round * theirs, (round + 1) * theirs);
      const them = (await peer.ask({ time: what, games: asked(some), count: STEPS })) as Measured;
      const us = ours(games.slice(round * 60, (round + 1) * 60));
      if (round > 0) rates.push([rate(us), rate(them)]); // the first round warms both up
    }
    const [us, them] = [middle(rates.map(([one]) => one)), middle(rates.map(([, one]) => one))];
    const ratio = middle(rates.map(([one, other]) => one / other));
    console.log(`${what}: ours ${us.toFixed(0)} per second, the original ${them.toFixed(2)}: ${ratio.toFixed(0)}×`);
  }
}

function memory(games: readonly GameText[]): void {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const open = Array.from({ length: 1000 }, (_, number) => {
    const world = new World(openGame(games[number % games.length] as GameText), '0.3');
    for (let turn = 0; turn < 10; turn++) world.step(world.commands[(turn * 31) % world.commands.length] ?? '');
    return world;
  });
  globalThis.gc?.();
  const grown = process.memoryUsage().rss - before;
  const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
  console.log(`${open.length} games open: ${mebibytes(grown)} MiB more, ${mebibytes(process.memoryUsage().rss)} MiB in all`);
}

const games = await gamesAtHand();
memory(games);
const site = existsSync(python) ? originalAlfWorld() : undefined;
if (site === undefined) console.log('the original is not installed here: run npm run test:peers once');
else {
  const peer = startPeer(python, 'alfworld-peer.py', [site]);
  await compare(peer, games);
  await peer.close();
}
