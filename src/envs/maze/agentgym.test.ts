import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mazeEnvironment } from './opened.fixture.ts';
import { wordle } from '../wordle/wordle.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';

describe('Maze and Wordle over AgentGym’s wire, in one process', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [mazeEnvironment(), wordle()] });
  });
  afterAll(() => server.close());

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    return (await fetch(server.url + path, body === undefined && !path.endsWith('create') ? {} : post)).json();
  };

  it('plays a maze', async () => {
    expect(await call('/maze/create')).toEqual({ id: 0 });
    expect(await call('/maze/available_actions')).toEqual(['move left', 'move right', 'move up', 'move down']);
    expect(await call('/maze/detail?id=0')).toEqual({ error: "'goal_position'" });
    expect(await call('/maze/reset', { id: 0, game: 18 })).toEqual({
      observation:
        'The goal is at position 8, 6. Your current position is at position 7, 6. There are walls to your right, to your left.',
    });
    expect(await call('/maze/reset', { id: 0, game: 26 })).toEqual({ error: 'The game 26 is not valid.' });
    expect(await call('/maze/step', { id: 0, action: 'move down' })).toEqual({ observation: 'Success\n', reward: 1, done: true });
    expect(await call('/maze/step', { id: 0, action: 'move up' })).toEqual({
      error: 'The task with environment 0 has finished.',
    });
  });
  it('plays Wordle', async () => {
    expect(await call('/wordle/create')).toEqual({ id: 0 });
    expect(await call('/wordle/filtered_vocab?id=0')).toHaveLength(40);
    expect(await call('/wordle/reset', { id: 0, seed: 0 })).toEqual({ id: 0, observation: "Let's start Wordle!" });
    expect(await call('/wordle/step', { id: 0, action: 's h i r e' })).toEqual({
      observation: 'b b b y g\n',
      reward: 0,
      done: false,
    });
    expect(await call('/wordle/step', { id: 0, action: 'nonsense' })).toEqual({
      observation: 'invalid word',
      reward: 0,
      done: false,
    });
  });
});
