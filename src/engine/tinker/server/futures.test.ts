import { describe, expect, it } from 'vitest';
import { Futures, type Result } from './futures.ts';

const open = new AbortController().signal;
const body = (value: number): Result => ({ kind: 'json', body: { value } });
const sample = (tokens: number): Result => ({
  kind: 'sample',
  output: { sequences: [{ stop: 'length', tokens: new Int32Array(tokens) }], cachedTokens: 0 },
});
/** Results take a turn of the queue to arrive. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a future', () => {
  it('is pending until its work is done, then the same for everybody who asks', async () => {
    const futures = new Futures();
    let finish: (result: Result) => void = () => undefined;
    const id = futures.add(new Promise<Result>((resolve) => (finish = resolve)));
    expect(await futures.wait(id, 0, open)).toBe('pending');
    const asked = futures.wait(id, 60_000, open);
    finish(body(1));
    expect(await asked).toEqual(body(1));
    expect(await futures.wait(id, 0, open)).toEqual(body(1));
  });
  it('that nobody gave is unknown', async () => {
    expect(await new Futures().wait('x', 0, open)).toBe('unknown');
    expect(new Futures().has('x')).toBe(false);
  });
  it('is let go of when the server closes', async () => {
    const closing = new AbortController();
    const futures = new Futures();
    const asked = futures.wait(futures.add(new Promise<Result>(() => undefined)), 3_600_000, closing.signal);
    closing.abort();
    expect(await asked).toBe('pending');
  });
  it('leaves no listener behind, however often it is asked for', async () => {
    const futures = new Futures();
    const id = futures.add(Promise.resolve(body(1)));
    let listeners = 0;
    const signal = {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    } as unknown as AbortSignal;
    for (let i = 0; i < 20; i++) await futures.wait(id, 1000, signal);
    expect(listeners).toBe(0);
  });
});

describe('what is kept', () => {
  it('is bounded in bytes: what was handed out goes first, oldest first, and is gone, not unknown', async () => {
    const futures = new Futures(3 * 1400);
    const ids = [1, 2, 3].map(() => futures.add(Promise.resolve(sample(100))));
    await settled();
    const [first = '', second = '', third = ''] = ids;
    await futures.wait(second, 0, open);
    const fourth = futures.add(Promise.resolve(sample(100)));
    await settled();
    expect(await futures.wait(second, 0, open)).toBe('gone');
    for (const id of [first, third, fourth]) expect(futures.has(id)).toBe(true);
    await futures.wait(third, 0, open);
    futures.add(Promise.resolve(sample(100)));
    await settled();
    expect(await futures.wait(third, 0, open)).toBe('gone');
  });
  it('loses what nobody asked for only where nothing else is left', async () => {
    const futures = new Futures(1400);
    const first = futures.add(Promise.resolve(sample(100)));
    await settled();
    const second = futures.add(Promise.resolve(sample(100)));
    await settled();
    expect(await futures.wait(first, 0, open)).toBe('gone');
    expect(await futures.wait(second, 0, open)).toEqual(sample(100));
  });
  it('never loses work that is still running', async () => {
    const futures = new Futures(100);
    let finish: (result: Result) => void = () => undefined;
    const running = futures.add(new Promise<Result>((resolve) => (finish = resolve)));
    for (let i = 0; i < 5; i++) futures.add(Promise.resolve(sample(100)));
    await settled();
    const asked = futures.wait(running, 60_000, open);
    finish(body(2));
    expect(await asked).toEqual(body(2));
  });
});
