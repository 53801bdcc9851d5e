/** Signals that follow their owners, time that is over, and errors that only happen after an abort. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgogeError } from './error.ts';
import { deadline, isAbortOf, limited, linked, sleep, within } from './deadline.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a linked signal', () => {
  it('follows its owner with the same reason, at once where that has aborted already', () => {
    const owner = new AbortController();
    const before = linked(owner.signal);
    const reason = new Error('enough');
    owner.abort(reason);
    expect(before.signal.reason).toBe(reason);
    expect(linked(owner.signal).signal.reason).toBe(reason);
  });
  it('aborts alone without touching its owner, and lets go of it when disposed', () => {
    const owner = new AbortController();
    const one = linked(owner.signal);
    const other = linked(owner.signal);
    one.abort('mine');
    expect([one.signal.reason, owner.signal.aborted, other.signal.aborted]).toEqual(['mine', false, false]);
    one[Symbol.dispose]();
    other[Symbol.dispose]();
    expect(getEventListeners(owner.signal, 'abort')).toEqual([]);
    owner.abort();
    expect(other.signal.aborted).toBe(false);
  });
  it('needs no owner', () => {
    const alone = linked();
    alone.abort('done');
    expect(alone.signal.reason).toBe('done');
    alone[Symbol.dispose]();
  });
});

describe('a deadline', () => {
  it('aborts when the time is over, and not after it was disposed', async () => {
    using late = deadline(50);
    const early = deadline(50);
    early[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(49);
    expect(late.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError', message: '50 ms are over' });
    expect(early.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('gives what the work gives, and says by its code that it took too long', async () => {
    await expect(limited(10, () => 'soon', 'ENV_SLOW', 'a step')).resolves.toBe('soon');
    let told: AbortSignal | undefined;
    const slow = limited(10, (signal) => new Promise(() => (told = signal)), 'ENV_SLOW', 'a step');
    const refused = expect(slow).rejects.toMatchObject({ code: 'ENV_SLOW', message: 'a step was stopped: its deadline passed' });
    await vi.advanceTimersByTimeAsync(10);
    await refused;
    expect(told?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
  it("keeps the work's own error", async () => {
    await expect(limited(10, () => Promise.reject(new Error('broken')), 'ENV_SLOW', 'a step')).rejects.toThrow('broken');
  });
});

describe('waiting within a signal', () => {
  it('ends with the reason of the one who stopped it, and leaves no listener', async () => {
    const owner = new AbortController();
    const waiting = within(new Promise(() => undefined), owner.signal, 'GYM_STOPPED', 'the call');
    owner.abort(new Error('the run ends'));
    await expect(waiting).rejects.toMatchObject({ code: 'GYM_STOPPED', message: 'the call was stopped: the run ends' });
    await expect(within(Promise.resolve(1), owner.signal, 'GYM_STOPPED', 'the call')).rejects.toThrow('the run ends');
    const quiet = new AbortController();
    await within(Promise.resolve(1), quiet.signal, 'GYM_STOPPED', 'the call');
    expect(getEventListeners(quiet.signal, 'abort')).toEqual([]);
  });
  it('sleeps, or wakes with the reason', async () => {
    const owner = new AbortController();
    const long = sleep(1000, owner.signal);
    const short = sleep(10, owner.signal);
    await vi.advanceTimersByTimeAsync(10);
    await expect(short).resolves.toBeUndefined();
    const woken = expect(long).rejects.toThrow('up');
    owner.abort(new Error('up'));
    await woken;
    await expect(sleep(10, owner.signal)).rejects.toThrow('up');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('whether an error is the abort', () => {
  it('is so for the reason itself and for what it caused, and for nothing else that breaks afterwards', () => {
    const owner = new AbortController();
    const reason = new Error('Ctrl-C');
    const caused = new AgogeError('GYM_STOPPED', 'stopped', { cause: new Error('call', { cause: reason }) });
    expect(isAbortOf(owner.signal, reason)).toBe(false);
    owner.abort(reason);
    expect([isAbortOf(owner.signal, reason), isAbortOf(owner.signal, caused)]).toEqual([true, true]);
    expect(isAbortOf(owner.signal, new Error('Ctrl-C'))).toBe(false);
    expect(isAbortOf(owner.signal, undefined)).toBe(false);
  });
  it('comes to an end where causes go in a circle', () => {
    const owner = new AbortController();
    owner.abort(new Error('stop'));
    const [one, two] = [new Error('one'), new Error('two')];
    one.cause = two;
    two.cause = one;
    expect(isAbortOf(owner.signal, one)).toBe(false);
  });
});
