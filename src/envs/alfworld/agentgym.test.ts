import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alfWorld } from './opened.fixture.ts';
import { openEnvironment } from '../../gym/client/connect.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';
import '../builtin.ts';

interface Reset {
  readonly id: number;
  readonly observation: string;
  readonly available_actions: readonly string[];
  readonly task_type: string;
}

describe('ALFWorld over AgentGym’s wire', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [await alfWorld({ generated: true })] });
  });
  afterAll(() => server.close());

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    return (await fetch(server.url + path, path.includes('?') ? {} : post)).json();
  };
  const reset = async (id: number, game: number): Promise<Reset> =>
    (await call('/reset', { id, game, world_type: 'Text' })) as Reset;

  it('creates, resets, steps, ends and closes', async () => {
    expect(await (await fetch(server.url)).json()).toBe('This is environment AlfWorld.');
    expect(await call('/create')).toEqual({ id: 0 });
    expect(await call('/detail?id=0')).toEqual({ done: false, reward: 0, deleted: false });
    const first = await reset(0, 0);
    const environment = await alfWorld();
    const episode = environment.open({ env: 'alfworld', split: 'train', index: 0 });
    const expert = environment.expert({ env: 'alfworld', split: 'train', index: 0 });
    expect(first).toEqual({
      id: 0,
      observation: episode.opening,
      available_actions: episode.actions,
      task_type: expect.stringMatching(/^look_at_obj_in_light-.*\/train_0$/) as string,
    });
    expect(await call('/observation?id=0')).toBe(episode.opening);
    expect(await call('/available_actions?id=0')).toEqual(first.available_actions);
    let told = episode.observation;
    for (let done = false; !done;) {
      const action = expert.next(told) ?? '';
      const step = episode.step(action);
      ({ observation: told, done } = step);
      expect(await call('/step', { id: 0, action })).toEqual({
        observation: told,
        reward: step.reward,
        available_actions: episode.actions,
        done,
      });
    }
    const finished = { error: 'The task with environment 0 has finished.' };
    expect(await call('/step', { id: 0, action: 'look' })).toEqual(finished);
    expect(await call('/observation?id=0')).toEqual(finished);
    expect(await call('/detail?id=0')).toEqual(finished);
    expect(await reset(0, 1)).toMatchObject({ id: 0 });
    expect(await call('/detail?id=0')).toMatchObject({ world_type: 'Text', game: 1, done: false, reward: 0, deleted: false });
    expect(await call('/close', { id: 0 })).toBe(true);
    expect(await call('/step', { id: 0, action: 'look' })).toEqual({ error: 'The id 0 is not valid.' });
  });

  it('ends after 50 steps, those that did nothing among them', async () => {
    const { id } = (await call('/create')) as { id: number };
    await reset(id, 5);
    for (let step = 1; step <= 50; step++) {
      const answer = await call('/step', { id, action: step % 2 === 0 ? 'look' : 'fly to the moon' });
      expect(answer).toMatchObject({ done: step === 50, reward: 0, ...(step % 2 === 1 && { observation: 'Nothing happens.' }) });
    }
    expect(await call('/step', { id, action: 'look' })).toMatchObject({
      error: expect.stringContaining('has finished') as string,
    });
  });

  it('answers bad input with an error and goes on', async () => {
    const { id } = (await call('/create')) as { id: number };
    expect(await call('/step', { id, action: 'look' })).toEqual({ error: String(id) });
    expect(await call(`/observation?id=${id}`)).toEqual({ error: "'observation'" });
    expect(await call('/reset', { id, game: 0, world_type: 'Real' })).toEqual({
      error: 'world_type must be one of "Text", "Embody" and "Hybrid"',
    });
    expect(await call('/reset', { id, game: 0 })).toMatchObject({ detail: [{ loc: ['body', 'world_type'] }] });
    const outside = { error: 'list index out of range: choose a game from 0 to 2619' };
    for (const game of [2620, -2621, 1e300]) expect(await reset(id, game)).toEqual(outside);
    expect((await reset(id, -1)).observation).toBe((await reset(id, 2619)).observation);
    expect(await call('/step', { id, action: 'x'.repeat(100_000) })).toMatchObject({
      observation: 'Nothing happens.',
      done: false,
    });
  });

  it('is understood by our client of AgentGym’s servers', async () => {
    const remote = await openEnvironment(`alfworld@agentgym+${server.url}`);
    expect(remote.splits).toEqual(['train', 'test']);
    const task = { env: 'alfworld', split: 'test', index: 3 };
    await using episode = await remote.open(task);
    const here = (await alfWorld()).open(task);
    expect([episode.observation, episode.actions]).toEqual([here.observation, here.actions]);
    expect(await episode.step('look')).toEqual(here.step('look'));
    await remote.close?.();
  });
});
