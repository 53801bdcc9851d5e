import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mazeEnvironment } from './opened.fixture.ts';
import { doubleT, MazeWorld, starts, type MazeStep } from './world.ts';

const recordings = new URL('../../../../shared/data/agentgym/AgentTraj-L/lmrlgym_maze_train.json', import.meta.url);

interface Recording {
  readonly item_id: string;
  readonly conversations: readonly { readonly from: string; readonly value: string }[];
}

describe('the maze', () => {
  it('tells where one is and which walls are near, and ends as the original does', () => {
    const world = new MazeWorld(doubleT, [7, 6]);
    expect(world.describe()).toBe(
      'The goal is at position 8, 6. Your current position is at position 7, 6. There are walls to your right, to your left.',
    );
    expect(world.step('move left').observation).toBe(world.describe());
    expect(world.step('move down')).toEqual({ observation: 'Success\n', reward: 1, done: true });
    const lost = new MazeWorld(doubleT, [1, 1]);
    const steps = Array.from({ length: 51 }, (): MazeStep => lost.step('dance'));
    expect(steps[49]).toMatchObject({ reward: 0, done: false });
    expect(steps[50]).toEqual({ observation: 'Failure\n', reward: -1, done: true });
  });
  it('opens AgentGym’s games, counts from the end, and refuses the one that starts on the goal', () => {
    const env = mazeEnvironment();
    expect(env.openGame(-2).observation).toContain('position 2, 9');
    expect(() => env.openGame(25)).toThrow(/starts on the goal/);
    expect(() => env.openGame(26)).toThrow('The game 26 is not valid.');
    expect(starts).toHaveLength(26);
  });
  it('is left by its expert on the shortest way, generated mazes too', () => {
    const env = mazeEnvironment();
    for (const split of ['test', 'generated', 'generated-test']) {
      for (let index = 0; index < 25; index++) {
        const task = { env: 'maze', split, index };
        const expert = env.expert(task);
        const episode = env.open(task);
        const far = Number(/(\d+) moves/.exec(env.tasks(split).info(index).title ?? '')?.[1]);
        let solved = false;
        for (let turn = 0; turn < far; turn++) solved = episode.step(expert.next('') ?? '').success === true;
        expect(solved, `${split} ${index}`).toBe(true);
      }
    }
  });
  it('is left by the blind expert too, which moves by what it has seen alone', () => {
    const env = mazeEnvironment({ expert: 'blind' });
    const solved = (split: string): number => {
      let count = 0;
      for (let index = 0; index < 25; index++) {
        const task = { env: 'maze', split, index };
        const expert = env.expert(task);
        const episode = env.open(task);
        let step = episode.step(expert.next('') ?? '');
        while (!step.done) step = episode.step(expert.next('') ?? '');
        if (step.success) count++;
      }
      return count;
    };
    expect(solved('test')).toBe(25);
    // Of the others a few take more than the fifty moves that the game allows.
    expect(solved('generated-test')).toBe(22);
  });
  it('gives the blind expert’s advice from wherever another player went', () => {
    const expert = mazeEnvironment({ expert: 'blind' }).expert({ env: 'maze', split: 'test', index: 4 });
    // Game 4 starts in a dead end at 1, 5; the only way is left.
    expect(expert.next('')).toBe('move left');
    // The player bumps into a wall instead: nothing has changed.
    expect(expert.next('', 'move up')).toBe('move left');
    // Past the branch at 1, 3 into the other dead end: back, then down where the goal is.
    for (const move of ['move left', 'move left', 'move left']) expert.next('', move);
    expect(expert.next('', 'move left')).toBe('move right');
    expect(expert.next('', 'move right')).toBe('move right');
    expect(expert.next('', 'move right')).toBe('move down');
  });
  it.skipIf(!existsSync(recordings))('replays the recordings of AgentTraj-L', () => {
    const all = JSON.parse(readFileSync(recordings, 'utf8')) as Recording[];
    let observations = 0;
    for (const { item_id: item, conversations } of all) {
      const world = new MazeWorld(doubleT, starts[Number(item.split('_').at(-1))] ?? [0, 0]);
      let told = world.describe();
      for (const { from, value } of conversations.slice(2)) {
        if (from === 'gpt') told = world.step(value.split('Action:').at(-1)?.trim() ?? '').observation;
        else {
          // The first message has the rules before it; old servers ended each with a line break.
          expect(value.trimEnd().endsWith(told), `${item}: ${value.slice(-120)}`).toBe(true);
          observations++;
        }
      }
    }
    expect(all.length).toBeGreaterThan(100);
    expect(observations).toBeGreaterThan(500);
  });
});
