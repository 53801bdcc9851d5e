import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sequence } from './sequence.ts';

/** Runs numbered work and keeps the order in which it ran. */
function recorder(sequence: Sequence): { ran: number[]; send: (number: number) => Promise<number> } {
  const ran: number[] = [];
  const send = (number: number): Promise<number> =>
    sequence.take(number, async () => {
      ran.push(number);
      return number;
    });
  return { ran, send };
}

describe('calls of one model', () => {
  it('run by their numbers, whatever order they come in', async () => {
    const { ran, send } = recorder(new Sequence());
    expect(await Promise.all([3, 2, 4, 1].map(send))).toEqual([3, 2, 4, 1]);
    expect(ran).toEqual([1, 2, 3, 4]);
  });
  it('run one after the other', async () => {
    const sequence = new Sequence();
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      await Promise.resolve();
      running--;
    };
    await Promise.all([1, 2, 3, 0, 0].map((number) => sequence.take(number, work)));
    expect(most).toBe(1);
  });
  it('go on after one that failed', async () => {
    const sequence = new Sequence();
    const failing = sequence.take(1, () => Promise.reject(new Error('no')));
    const next = sequence.take(2, async () => 'fine');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('fine');
  });
  it('without a number come after those that are here', async () => {
    const { ran, send } = recorder(new Sequence());
    await Promise.all([send(1), send(0), send(2)]);
    expect(ran).toEqual([1, 0, 2]);
  });
});

describe('a call that is sent again', () => {
  it('gets the answer of the first time', () => {
    const sequence = new Sequence();
    expect(sequence.before(1, 'content')).toBeUndefined();
    sequence.remember(1, 'content', 'future-1');
    expect(sequence.before(1, 'content')).toBe('future-1');
  });
  it('is refused where it says something else now', () => {
    const sequence = new Sequence();
    sequence.remember(1, 'content', 'future-1');
    expect(() => sequence.before(1, 'other')).toThrow(/call 1 of this model was another one/);
  });
  it('is refused where its number passed long ago', async () => {
    const sequence = new Sequence();
    await sequence.take(1, async () => undefined);
    expect(() => sequence.before(1, 'content')).toThrow(/call 1 of this model was another one/);
  });
  it('is never recognised without a number', () => {
    const sequence = new Sequence();
    sequence.remember(0, 'content', 'future-1');
    expect(sequence.before(0, 'content')).toBeUndefined();
  });
  it('is remembered for the last ten thousand', () => {
    const sequence = new Sequence();
    for (let number = 1; number <= 10_002; number++) sequence.remember(number, 'content', `future-${number}`);
    expect(sequence.before(2, 'content')).toBeUndefined();
    expect(sequence.before(10_002, 'content')).toBe('future-10002');
  });
});

describe('a number that never comes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  it('fails those behind it, and no others', async () => {
    const { ran, send } = recorder(new Sequence(1000));
    await send(1);
    const behind = Promise.allSettled([send(3), send(4)]);
    await vi.advanceTimersByTimeAsync(1000);
    for (const end of await behind)
      expect(end).toMatchObject({
        status: 'rejected',
        reason: { code: 'ENGINE_TINKER_GAP', message: /call 2 of this model never came/ },
      });
    expect(await send(2)).toBe(2);
    expect(ran).toEqual([1, 2]);
  });
  it('is waited for anew after each that came', async () => {
    const { ran, send } = recorder(new Sequence(1000));
    const third = send(3);
    await vi.advanceTimersByTimeAsync(900);
    await send(1);
    await vi.advanceTimersByTimeAsync(900);
    await send(2);
    expect(await third).toBe(3);
    expect(ran).toEqual([1, 2, 3]);
  });
  it('fails at once where the model is closed', async () => {
    const sequence = new Sequence(1000);
    const waiting = sequence.take(5, async () => undefined);
    sequence.close();
    await expect(waiting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });
});
