import { expect, it } from 'vitest';
import { eachOf } from '../core/each-of.ts';
import { within } from './work.ts';

const never = (): Promise<number> => new Promise(() => undefined);

it('what never comes is ended by its time, or at once by its owner', async () => {
  await expect(within(20, 'slow', never)).rejects.toMatchObject({ code: 'REWARD_TIMEOUT' });
  const controller = new AbortController();
  const waiting = within(3_600_000, 'slow', never, controller.signal);
  controller.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toMatchObject({ code: 'AGENT_CANCELLED', cause: controller.signal.reason as unknown });
  await expect(within(3_600_000, 'slow', never, controller.signal)).rejects.toThrow('Ctrl-C');
});

it('many at once may be waited for by one owner, without a word about listeners', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      within(
        1000,
        'x',
        async () => {
          await new Promise(setImmediate);
          return i;
        },
        signal,
      ),
    ),
  );
  await new Promise(setImmediate);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('what does not give the thread back is stopped after the same time', async () => {
  const spins = (): number => {
    for (;;) continue;
  };
  await expect(within(50, 'spins', spins)).rejects.toMatchObject({ code: 'REWARD_TIMEOUT' });
});

it('a value comes back at once or later, and an error as it was thrown', async () => {
  expect([await within(1000, 'x', () => 1), await within(1000, 'x', async () => 2)]).toEqual([1, 2]);
  await expect(within(1000, 'x', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
});

it('results are in order, and no more are under way than allowed', async () => {
  let [now, most] = [0, 0];
  const work = async (n: number): Promise<number> => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5 - n));
    now--;
    return n * 10;
  };
  expect(await eachOf([1, 2, 3, 4], 2, work)).toEqual([10, 20, 30, 40]);
  expect(most).toBe(2);
});
