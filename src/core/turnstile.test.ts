import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

/** Work that ends when it is told to. */
function held(): { readonly work: () => Promise<void>; readonly end: () => void; readonly began: () => boolean } {
  let begun = false;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const work = (): Promise<void> => {
    begun = true;
    return over;
  };
  return { work, end: () => end(), began: () => begun };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets so many pass at once, the others in the order in which they came', async () => {
  const turnstile = new Turnstile(2);
  const all = Array.from({ length: 4 }, held);
  const passes = all.map(({ work }) => turnstile.pass(work));
  await settled();
  expect(all.map(({ began }) => began())).toEqual([true, true, false, false]);
  all[1]?.end();
  await settled();
  expect(all.map(({ began }) => began())).toEqual([true, true, true, false]);
  for (const { end } of all) end();
  await Promise.all(passes);
});

it('gives its place back when the work throws', async () => {
  const turnstile = new Turnstile(1);
  await expect(turnstile.pass(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(turnstile.pass(() => Promise.resolve('next'))).resolves.toBe('next');
});

it('leaves the line when its signal aborts, and those behind move up', async () => {
  const turnstile = new Turnstile(1);
  const [first, second, third] = [held(), held(), held()];
  const owner = new AbortController();
  const passes = [
    turnstile.pass(first.work),
    turnstile.pass(second.work, owner.signal).catch((thrown: unknown) => thrown),
    turnstile.pass(third.work),
  ];
  owner.abort(new Error('not wanted any more'));
  expect(await passes[1]).toMatchObject({ message: 'not wanted any more' });
  first.end();
  await settled();
  expect([second.began(), third.began()]).toEqual([false, true]);
  third.end();
  await Promise.all(passes);
  expect(getEventListeners(owner.signal, 'abort')).toEqual([]);
});

it('does not stand in line for one who has given up already', async () => {
  const turnstile = new Turnstile(1);
  const first = held();
  const passing = turnstile.pass(first.work);
  await expect(turnstile.pass(() => Promise.resolve(), AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  first.end();
  await passing;
});
