import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

const never = new AbortController().signal;

it('gives the first places to the lowest numbers as well, in whatever order they come', async () => {
  const slots = new Slots(2);
  const order: number[] = [];
  await Promise.all(
    [6, 2, 4, 0].map(async (rank, i) => {
      await sleep(i);
      await slots.use(rank, never, async () => void order.push(rank));
    }),
  );
  expect(order).toEqual([0, 2, 4, 6]);
});

it('lets what a run leaves to be done go before another run', async () => {
  const slots = new Slots(1);
  const order: string[] = [];
  const run = async (name: string, rank: number): Promise<void> => {
    await slots.use(rank, never, async () => void order.push(name));
    await sleep(5);
    await slots.use(rank - 1, never, async () => void order.push(`${name} evaluated`));
  };
  await Promise.all([run('a', 0), run('b', 2)]);
  expect(order).toEqual(['a', 'a evaluated', 'b', 'b evaluated']);
});

it('works for so many at once, and a failed one leaves its place', async () => {
  const slots = new Slots(3);
  let now = 0;
  let most = 0;
  const works = Array.from({ length: 7 }, (_, i) =>
    slots.use(i, never, async () => {
      most = Math.max(most, ++now);
      await sleep(2);
      now--;
      if (i % 2 === 0) throw new Error('failed');
    }),
  );
  const ends = await Promise.allSettled(works);
  expect(ends.map(({ status }) => status === 'rejected')).toEqual([true, false, true, false, true, false, true]);
  expect(most).toBe(3);
});

it('begins no more than there is memory for, the largest alone', async () => {
  const slots = new Slots(9, 10);
  let now = 0;
  let most = 0;
  const order: number[] = [];
  const ends = [4, 4, 4, 12, 1].map((memory, rank) =>
    slots.use(
      rank,
      never,
      async () => {
        order.push(rank);
        now += memory;
        if (memory === 12) expect(now).toBe(12);
        else most = Math.max(most, now);
        await sleep(2);
        now -= memory;
      },
      memory,
    ),
  );
  await Promise.all(ends);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(8);
});

it('begins nothing once it is ended', async () => {
  const slots = new Slots(1);
  const ending = new AbortController();
  const first = slots.use(0, ending.signal, async () => ending.abort(new Error('ended')));
  const second = slots.use(1, ending.signal, () => expect.unreachable());
  await first;
  await expect(second).rejects.toThrow('ended');
});
