/**
 * ALFWorld against the original: alfworld 0.4.2 on TextWorld 1.7.0 with Fast Downward. Official games where they are at hand, homes of
 * our own, both wordings; random and expert walks of 50 steps. Every text, score, end and list of commands is equal.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startPeer, type Peer } from '../../../bench/environments/python-peer.ts';
import { Random } from '../../../src/core/random/random.ts';
import { HouseholdExpert } from '../../../src/envs/alfworld/expert.ts';
import { readGames } from '../../../src/envs/alfworld/files.ts';
import { openGame, type GameText } from '../../../src/envs/alfworld/games.ts';
import { kitchen } from '../../../src/envs/alfworld/home.fixture.ts';
import { generateGame } from '../../../src/envs/alfworld/homes/generate.ts';
import { taskKinds } from '../../../src/envs/alfworld/homes/task.ts';
import { Knowledge } from '../../../src/envs/alfworld/knowledge.ts';
import type { Edition } from '../../../src/envs/alfworld/world/wording.ts';
import { World } from '../../../src/envs/alfworld/world/world.ts';
import { originalAlfWorld } from './alfworld-original.ts';
import { peersMissing, python } from '../python.ts';

const STEPS = 50;
const games = Number(process.env['AGOGE_ALFWORLD_GAMES'] ?? 100);
const shared = fileURLToPath(new URL('../../../../shared/data/alfworld/games_valid.jsonl.gz', import.meta.url));
if (!existsSync(shared)) console.log(`${shared} is not there: homes of our own are compared instead of official games`);

const site = peersMissing() === undefined ? originalAlfWorld() : undefined;
if (site === undefined) console.log('skipped: alfworld and textworld cannot be installed here');

type Seen = [text: string, score: number, done: boolean, commands: readonly string[]];

/** Plays until 50 steps are done, also past the end; `choose` is given the last text and what can be done. */
function walk(world: World, choose: (told: string) => string): { commands: string[]; seen: Seen[] } {
  const commands: string[] = [];
  const seen: Seen[] = [[world.intro, 0, false, world.commands]];
  for (let step = 1; step <= STEPS; step++) {
    const command = choose(seen.at(-1)?.[0] ?? '');
    const told = world.step(command.trim());
    commands.push(command);
    seen.push([told, world.won ? 1 : 0, world.won || step >= STEPS, world.commands]);
  }
  return { commands, seen };
}

/** Mostly what can be done, with a liking for what changes something; now and then what cannot. */
function randomly(world: World, random: Random): (told: string) => string {
  return () => {
    const { commands } = world;
    if (random.below(20) === 0) return random.pick(['', 'dance', 'go to moon 1', 'take mug 1', ' look ', 'examine mug 1']);
    const active = commands.filter((command) => !command.startsWith('go to'));
    return random.pick(random.below(3) === 0 ? commands : active);
  };
}

function byExpert(world: World, edition: Edition, random: Random): (told: string) => string {
  const expert = new HouseholdExpert(world.game.aim, new Knowledge(), edition);
  const wander = randomly(world, random);
  return (told) => (world.won ? wander(told) : (expert.next(told) ?? wander(told)));
}

describe.skipIf(site === undefined)('ALFWorld 0.4.2 on TextWorld 1.7.0', () => {
  const peers: Peer[] = site === undefined ? [] : [1, 2].map(() => startPeer(python, 'alfworld-peer.py', [site, '--cached']));
  afterAll(() => Promise.all(peers.map((peer) => peer.close())));

  const compare = async (text: GameText, edition: Edition, peer: Peer, random: Random): Promise<number> => {
    const game = openGame(text);
    const [one, other] = [new World(game, edition), new World(game, edition)];
    const walks = [walk(one, randomly(one, random)), walk(other, byExpert(other, edition, random))];
    const { problem, sentence } = text;
    const theirs = await peer.ask({ problem, sentence, edition, play: walks.map(({ commands }) => commands) });
    expect(
      walks.map(({ seen }) => seen),
      `${text.task}/${text.trial} in ${edition}`,
    ).toEqual(theirs);
    return walks.reduce((sum, { seen }) => sum + seen.length, 0);
  };

  /** Both peers take games from one list. */
  const compareAll = async (texts: readonly (readonly [GameText, Edition])[]): Promise<number> => {
    const waiting = [...texts.entries()];
    const work = async (peer: Peer): Promise<number> => {
      let seen = 0;
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [number, [text, edition]] = next;
        seen += await compare(text, edition, peer, Random.of(4, 'alfworld peer', number));
      }
      return seen;
    };
    return (await Promise.all(peers.map(work))).reduce((a, b) => a + b, 0);
  };

  it(`${games} games agree at each of ${STEPS} random and ${STEPS} expert steps`, async () => {
    const own = taskKinds.flatMap((kind, number) => [
      generateGame({ seed: 3, difficulty: [0.2, 1] }, { use: 'test', kind, name: `peer_${number}` }).text,
    ]);
    const slices: GameText = { split: '', task: 'slices', trial: 'own', sentence: 'put.', problem: kitchen() };
    const official = existsSync(shared) ? Random.of(4, 'games').shuffle(await readGames(shared)) : [];
    const more = Array.from({ length: Math.max(0, games - own.length - 1 - official.length) }, (_, number) => {
      const kind = taskKinds[number % taskKinds.length] ?? 'pick';
      return generateGame({ seed: 3, difficulty: [0.2, 1] }, { use: 'test', kind, name: `more_${number}` }).text;
    });
    const chosen = [slices, ...own, ...official, ...more].slice(0, games);
    const compared = await compareAll(chosen.map((text, number) => [text, number % 4 === 0 ? '0.3' : '0.4'] as const));
    console.log(`${chosen.length} games, ${compared} states compared`);
    expect(compared).toBe(chosen.length * 2 * (STEPS + 1));
  });
});
