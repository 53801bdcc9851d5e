/** BabyAI against MiniGrid 2.3.1: random levels, seeds and moves; the whole grid, the view, the mission and the reward agree. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPeer, type Peer } from '../../../bench/environments/python-peer.ts';
import { Random } from '../../../src/core/random/random.ts';
import { Move } from '../../../src/envs/babyai/world/grid.ts';
import { levels } from '../../../src/envs/babyai/world/levels/index.ts';
import { TextGame } from '../../../src/envs/babyai/text/game.ts';
import { World } from '../../../src/envs/babyai/world/world.ts';
import { peersMissing, python } from '../python.ts';

const episodesPerLevel = Number(process.env['AGOGE_BABYAI_EPISODES'] ?? 24);
const movesPerEpisode = 30;
// Walking and touching more often than the rest, so that doors open and things change hands.
const moves = [Move.left, Move.right, Move.forward, Move.forward, Move.forward, Move.pickup, Move.drop, Move.toggle, Move.toggle];

function played(world: World, sequence: readonly Move[]) {
  const hex = (view: Uint16Array): string => Array.from(view, (code) => code.toString(16).padStart(3, '0')).join('');
  const state = (reward: number, terminated: boolean, truncated: boolean) => {
    const { maze, carrying, view } = world;
    const hand = carrying && `${carrying.colour} ${carrying.kind}`;
    return [maze.grid.encode(), maze.x, maze.y, maze.direction, hand, hex(view), reward, terminated, truncated];
  };
  const states = [state(0, false, false)];
  for (const move of sequence) {
    const { reward, terminated, truncated } = world.step(move);
    states.push(state(reward, terminated, truncated));
  }
  return { mission: world.sentence, maxSteps: world.maxSteps, states };
}

const forgetful = levels.filter(({ family, name }) => family.startsWith('Synth') && !name.includes('Boss'));

describe.skipIf(peersMissing())('MiniGrid 2.3.1', () => {
  let peer: Peer;
  beforeAll(() => {
    peer = startPeer(python);
  });
  afterAll(() => peer.close());

  it.each(levels)(`$name: ${episodesPerLevel} random episodes agree at each step`, async (level) => {
    const random = Random.of(2, level.name);
    for (let episode = 0; episode < episodesPerLevel; episode++) {
      const seed = random.below(episode % 4 === 0 ? 2 ** 32 : 5000);
      const sequence = Array.from({ length: movesPerEpisode }, () => random.pick(moves));
      const theirs = await peer.ask({ level: level.name, seed, moves: sequence });
      expect(played(new World(level, seed), sequence)).toEqual(theirs);
    }
  });

  it.each(forgetful)('$name: a second reset in the same object remembers what ours remembers', async (level) => {
    let differ = 0;
    for (let seed = 0; seed < 120; seed++) {
      const theirs = await peer.ask({ level: level.name, seed, moves: [], resets: 2 });
      const { world } = new TextGame(level, seed);
      expect(played(world, [])).toEqual(theirs);
      if (world.sentence !== new World(level, seed).sentence) differ++;
    }
    console.log(`${level.name}: ${differ} of 120 missions differ after the second reset`);
  });
});
