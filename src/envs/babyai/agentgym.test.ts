import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { babyAI } from './babyai.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';

describe('BabyAI over AgentGym’s wire', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [babyAI()] });
  });
  afterAll(() => server.close());

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    return (await fetch(server.url + path, path.includes('?') ? {} : post)).json();
  };

  it('creates, resets, steps, draws and closes', async () => {
    expect(await call('/create')).toEqual({ id: 0 });
    expect(await call('/observation?id=0')).toEqual({
      observation: 'Environment not initialized',
      reward: 0,
      score: 0,
      done: false,
      deleted: false,
    });
    const first = (await call('/reset', { id: 0, data_idx: 0 })) as { observation: string };
    expect(first).toMatchObject({ reward: 0, score: 0, deleted: false, done: false });
    expect(await call('/observation?id=0')).toMatchObject({ observation: first.observation, deleted: false });
    expect(await call('/render', { id: 0 })).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await call('/step', { id: 0, action: 'go to red ball 1' })).toMatchObject({
      reward: 0.8875,
      score: 0.8875,
      done: true,
    });
    const finished = { error: 'The task with environment 0 has finished.' };
    expect(await call('/step', { id: 0, action: 'turn left' })).toEqual(finished);
    expect(await call('/observation?id=0')).toEqual(finished);
    expect(await call('/reset', { id: 0, data_idx: 1 })).toMatchObject({ done: false });
    expect(await call('/close', { id: 0 })).toBe(true);
    expect(await call('/close', { id: 0 })).toBe(false);
    expect(await call('/step', { id: 0, action: 'turn left' })).toEqual({ error: 'The id 0 is not valid.' });
  });

  it('answers bad input with an error and goes on', async () => {
    const { id } = (await call('/create')) as { id: number };
    expect(await call('/step', { id, action: 'turn left' })).toEqual({ error: String(id) });
    expect(await call('/reset', { id, data_idx: -1 })).toMatchObject({ error: expect.stringContaining('no task -1') as string });
    expect(await call('/reset', { id, data_idx: 1e300 })).toMatchObject({ error: expect.stringContaining('no task') as string });
    expect(await call('/reset', { id })).toMatchObject({ detail: [{ loc: ['body', 'data_idx'] }] });
    expect(await call('/reset', { id, data_idx: Number.MAX_SAFE_INTEGER })).toMatchObject({ done: false });
    expect(await call('/step', { id, action: 'x'.repeat(100_000) })).toMatchObject({ done: false, reward: 0 });
  });
});
