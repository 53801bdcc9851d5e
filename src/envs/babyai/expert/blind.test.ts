import { describe, expect, it } from 'vitest';
import { babyAI } from '../babyai.ts';
import { levelNamed } from '../tasks.ts';
import { TextGame } from '../text/game.ts';
import { Thing } from '../world/things.ts';
import { Belief } from './belief.ts';
import { BlindExpert } from './blind.ts';

const env = babyAI({ expert: 'blind', ending: 'first' });
const start = (level: string, seed: number): TextGame => new TextGame(levelNamed(level), seed, env.options);

/** The turns the expert takes, or 0 where it does not get there in twenty. */
function turnsOf(split: string, index: number): number {
  const task = { env: 'babyai', split, index };
  const episode = env.open(task);
  const expert = env.expert(task);
  for (let turn = 1; turn <= 20; turn++) {
    const action = expert.next('');
    if (action === null) return 0;
    expect(episode.actions).toContain(action);
    const step = episode.step(action);
    if (step.done) return step.success === true ? turn : 0;
  }
  return 0;
}

/** Plays along and tells after each turn which cells were shown so far. */
function shownBy(game: TextGame, actions: readonly string[]): Set<number> {
  const belief = new Belief(game);
  for (const action of actions) {
    game.step(action);
    belief.see();
  }
  return new Set([...game.world.maze.grid.cells.keys()].filter((cell) => belief.knows(cell)));
}

describe('the blind expert', () => {
  it.each([
    ['FindObjS7', 1_000_001],
    ['GoToObjMazeS7', 1_000_002],
    ['SynthLoc', 1_000_003],
    ['OneRoomS20', 1_000_004],
    ['GoToImpUnlock', 1_000_005],
  ])('does the same whatever lies where it has not looked: %s', (level, seed) => {
    const expert = new BlindExpert(start(level, seed));
    const played: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const advised = expert.next('');
      if (advised === null) break;
      const shown = shownBy(start(level, seed), played);
      for (const other of [null, new Thing('wall', 'grey'), new Thing('ball', 'red')]) {
        const game = start(level, seed);
        const { grid } = game.world.maze;
        for (const cell of grid.cells.keys()) if (!shown.has(cell)) grid.cells[cell] = other;
        game.world.verifier.lookAgain(game.world.maze);
        const blind = new BlindExpert(game);
        let said = blind.next('');
        for (const action of played) said = blind.next('', action);
        expect(said, `turn ${turn}`).toBe(advised);
      }
      played.push(advised);
    }
    expect(played.length).toBeGreaterThan(0);
  });

  it('takes the action on offer that does what is asked', () => {
    expect(env.expert(env.taskOfItem(0)).next('')).toBe('go to red ball 1');
  });

  it('looks around to its left where nothing tells one side from the other', () => {
    expect(new BlindExpert(start('OneRoomS20', 1_000_004)).next('')).toBe('turn left');
  });

  it('solves nearly all of AgentGym’s training tasks within twenty turns', () => {
    const turns = Array.from({ length: 90 }, (_, k) => turnsOf('train', k * 9));
    expect(turns.filter((count) => count > 0).length).toBeGreaterThanOrEqual(86);
  });

  it('advises from wherever another player went', () => {
    const task = { env: 'babyai', split: 'train', index: 0 };
    const episode = env.open(task);
    const expert = env.expert(task);
    expert.next('');
    for (const detour of ['turn right', 'nonsense', 'turn right', 'check available actions', 'move forward']) {
      episode.step(detour);
      expect(episode.actions).toContain(expert.next('', detour));
    }
    let action = expert.next('', 'turn left');
    episode.step('turn left');
    let done = false;
    for (let turn = 0; turn < 20 && action !== null && !done; turn++) {
      done = episode.step(action).success === true;
      action = expert.next('');
    }
    expect(done).toBe(true);
  });
});
