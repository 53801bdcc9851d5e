import { describe, expect, it, vi } from 'vitest';
import type { Episode } from '../../envs/environment.ts';
import type { Play } from '../../envs/agentgym/dialect.ts';
import { Capacity, Leases } from './sessions.ts';

function table(max = 10, idleTimeout = 1000) {
  const clock = { now: 0 };
  const capacity = new Capacity(max);
  const leases = new Leases<Play>('counter', { capacity, idleTimeout, now: () => clock.now });
  return { clock, capacity, leases };
}

function episode(closed: string[], name: string): Episode {
  return {
    observation: '',
    step: () => ({ observation: '', reward: 0, done: false }),
    async [Symbol.asyncDispose]() {
      closed.push(name);
    },
  };
}

describe('Leases', () => {
  it('do not end when the clock of the machine is set', async () => {
    const leases = new Leases<Play>('counter', { capacity: new Capacity(10), idleTimeout: 60_000 });
    await leases.open(() => ({}));
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7 * 24 * 3_600_000);
    expect(await leases.reap()).toBe(0);
    clock.mockRestore();
  });

  it('counts ids from 0 and never uses one again', async () => {
    const { leases } = table();
    await leases.open(() => ({}));
    await leases.close(0);
    expect((await leases.open(() => ({}))).id).toBe(1);
    expect(await leases.close(7)).toBe(false);
  });

  it('reaps what was not used, renewed by use, and closes its episode', async () => {
    const { leases, clock, capacity } = table();
    const closed: string[] = [];
    await leases.open(() => ({ episode: episode(closed, 'a') }));
    await leases.open(() => ({ episode: episode(closed, 'b') }));
    clock.now = 900;
    leases.use(1, () => 0);
    clock.now = 1000;
    expect(await leases.reap()).toBe(1);
    expect(closed).toEqual(['a']);
    expect(leases.ids()).toEqual([1]);
    expect(capacity).toMatchObject({ open: 1, opened: 2, closed: 1, reaped: 1 });
  });

  it('refuses at its limit and takes again after a close; a failed start gives its place back', async () => {
    const { leases, capacity } = table(1);
    await expect(leases.open(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(capacity.open).toBe(0);
    const { id } = await leases.open(() => ({}));
    await expect(leases.open(() => ({}))).rejects.toMatchObject({ code: 'GYM_FULL' });
    await leases.close(id);
    await leases.open(() => ({}));
    expect(capacity).toMatchObject({ open: 1, refused: 1 });
  });

  it('runs the calls of one session one after the other, in order, also after one that fails', async () => {
    const { leases, clock } = table();
    const { id } = await leases.open(() => ({}));
    const order: string[] = [];
    const slow =
      (name: string, fails = false) =>
      () =>
        new Promise<string>((resolve, reject) => {
          order.push(`start ${name}`);
          setTimeout(() => {
            order.push(`end ${name}`);
            if (fails) reject(new Error(name));
            else resolve(name);
          }, 5);
        });
    const first = leases.use(id, slow('a', true))?.value;
    const second = leases.use(id, slow('b'))?.value;
    clock.now = 5000;
    expect(await leases.reap()).toBe(0); // a session with a running call is in use
    const third = leases.use(id, () => 'c')?.value;
    await expect(first).rejects.toThrow('a');
    expect(await second).toBe('b');
    expect(await third).toBe('c');
    expect(order).toEqual(['start a', 'end a', 'start b', 'end b']);
  });

  it('closes after the running call, and calls that waited learn that the session is lost', async () => {
    const { leases } = table();
    const closed: string[] = [];
    const { id } = await leases.open(() => ({ episode: episode(closed, 'a') }));
    let finish: (() => void) | undefined;
    const running = leases.use(id, () => new Promise<void>((resolve) => (finish = resolve)))?.value;
    const waiting = leases.use(id, () => 1)?.value as Promise<number>;
    const lost = expect(waiting).rejects.toMatchObject({ code: 'GYM_SESSION_LOST' });
    const closing = leases.close(id);
    expect(closed).toEqual([]);
    finish?.();
    await running;
    expect(await closing).toBe(true);
    await lost;
    expect(closed).toEqual(['a']);
    expect(leases.use(id, () => 1)).toBeUndefined();
  });

  it('reaps a session whose call has ended like any other', async () => {
    const { leases, clock } = table();
    const { id } = await leases.open(() => ({}));
    await leases.use(id, () => Promise.resolve())?.value;
    await Promise.resolve(); // what follows a call is done after it
    clock.now = 1000;
    expect(await leases.reap()).toBe(1);
  });

  it('opens nothing while the server shuts down, whatever room there is', async () => {
    const { leases, capacity } = table();
    capacity.draining = true;
    await expect(leases.open(() => ({}))).rejects.toMatchObject({ code: 'GYM_DRAINING' });
    expect(capacity).toMatchObject({ open: 0, opened: 0, refused: 1 });
  });

  it('hands out random ids where the original does', async () => {
    const leases = new Leases<Play>({ randomBelow: 3 }, { capacity: new Capacity(10), idleTimeout: 1 });
    const ids = [await leases.open(() => ({})), await leases.open(() => ({})), await leases.open(() => ({}))].map((s) => s.id);
    expect(ids.sort()).toEqual([0, 1, 2]);
  });
});
