import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sciWorld } from './sciworld.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';

describe('ScienceWorld over AgentGym’s wire', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [sciWorld()] });
  });
  afterAll(() => server.close());

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    return (await fetch(server.url + path, path.includes('?') ? {} : post)).json();
  };

  it('creates, resets, steps and closes', async () => {
    expect(await call('/create')).toEqual({ id: 0 });
    const first = (await call('/reset', { id: 0, data_idx: 3236 })) as { observation: string };
    expect(first).toMatchObject({
      task_name: 'find-non-living-thing',
      var_num: 0,
      reward: 0,
      score: 0,
      deleted: false,
      done: false,
    });
    expect(first.observation).toMatch(/you see: \n\tthe agent/);
    expect(await call('/observation?id=0')).toBe(first.observation);
    const looked = (await call('/step', { id: 0, action: 'focus on orange' })) as { reward: number; score: number };
    expect(looked).toMatchObject({ observation: 'You focus on the orange.', done: false });
    expect(looked.score).toBe(looked.reward);
    expect(Number.isInteger(looked.score)).toBe(true);
    expect(await call('/detail?id=0')).toMatchObject({ task_name: 'find-non-living-thing', score: looked.score });
    expect(await call('/goals?id=0')).toMatchObject({ goals: expect.stringContaining('Sequential Subgoals:') as string });
    expect(await call('/state?id=0')).toMatchObject({ current_moves: 1, inventory: expect.stringContaining('orange') as string });
    expect(await call('/object_tree?id=0')).toMatchObject({ object_tree: { name: 'universe' } });
    expect(await call('/step_visual', { id: 0, action: 'Thought: look\nAction: look around</s>' })).toMatchObject({
      moves: 1,
      object_tree: { name: 'universe' },
    });
    expect(await call('/close', { id: 0 })).toBe(true);
    expect(await call('/close', { id: 0 })).toBe(false);
  });

  it('ends on a failed task and answers with an error until it is reset', async () => {
    const { id } = (await call('/create')) as { id: number };
    await call('/reset', { id, data_idx: 2936 });
    expect(await call('/step', { id, action: 'focus on agent' })).toMatchObject({ score: -100, done: true });
    const finished = { error: `The task with environment ${id} has finished.` };
    expect(await call('/step', { id, action: 'look around' })).toEqual(finished);
    expect(await call(`/observation?id=${id}`)).toEqual(finished);
    expect(await call('/reset', { id, data_idx: 0 })).toMatchObject({ done: false });
    expect(await call('/reset', { id, data_idx: 100_000 })).toMatchObject({
      error: expect.stringContaining('no item 100000') as string,
    });
  });
});
