import { afterAll, describe, expect, it } from 'vitest';
import { FrameReader, frame } from './frames.ts';
import { Sandbox } from './sandbox.ts';

const program = new URL('./trouble.fixture.ts', import.meta.url).href;
const limits = { milliseconds: 800, memory: 500 * 2 ** 20, output: 100_000 };
const sandbox = new Sandbox({ program, limits, workers: 2 });

afterAll(() => sandbox[Symbol.asyncDispose]());

describe('Sandbox', () => {
  it('answers, by workers that are kept and know nothing of the owner', async () => {
    const first = (await sandbox.run({ do: 'tell', text: 'ü\u2028"' })) as { pid: number };
    const again = await sandbox.run({ do: 'tell', text: 'ü\u2028"' });
    expect(first).toMatchObject({ request: { text: 'ü\u2028"' } });
    expect(again).toEqual(first);
    expect(first.pid).not.toBe(process.pid);
  });

  it.each([
    ['an endless loop', { do: 'loop' }, 'SANDBOX_TIME'],
    ['a promise that is never kept', { do: 'sleep', with: 3_600_000 }, 'SANDBOX_TIME'],
    ['all the memory there is', { do: 'hog' }, 'SANDBOX_MEMORY'],
    ['an answer that is too long', { do: 'say', with: 200_000 }, 'SANDBOX_OUTPUT'],
    ['a message past the protocol', { do: 'cheat', with: 1000 }, 'SANDBOX_OUTPUT'],
    ['an exit', { do: 'exit' }, 'SANDBOX_CRASHED'],
    ['an error', { do: 'throw' }, 'SANDBOX_THREW'],
  ])('%s costs an error, and the next request works', async (_, request, code) => {
    const milliseconds = request.do === 'hog' ? 60_000 : limits.milliseconds;
    await expect(sandbox.run(request, { milliseconds })).rejects.toMatchObject({ code });
    expect(await sandbox.run({ do: 'say', with: 3 })).toBe('xxx');
  });

  it('runs as many at once as there are workers, the others in turn', async () => {
    const pids = await Promise.all(Array.from({ length: 6 }, () => sandbox.run({ do: 'sleep', with: 20 })));
    expect(new Set(pids).size).toBe(2);
  });

  it('replaces a worker that holds on to memory', async () => {
    await using own = new Sandbox({ program, limits });
    const before = (await own.run({ do: 'tell' })) as { pid: number };
    await own.run({ do: 'keep', with: 330 * 2 ** 20 }, { milliseconds: 60_000 });
    const after = (await own.run({ do: 'tell' })) as { pid: number };
    expect(after.pid).not.toBe(before.pid);
  });

  it('lets go of what is cancelled or waits when it is closed', async () => {
    const own = new Sandbox({ program, limits });
    const controller = new AbortController();
    const running = own.run({ do: 'sleep', with: 60_000 }, { signal: controller.signal });
    const waiting = own.run({ do: 'tell' }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    for (const end of await Promise.allSettled([running, waiting])) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'SANDBOX_CANCELLED' } });
    }
    const both = Promise.allSettled([own.run({ do: 'sleep', with: 60_000 }), own.run({ do: 'tell' })]);
    await own[Symbol.asyncDispose]();
    for (const end of await both) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'SANDBOX_CLOSED' } });
    await expect(own.run({ do: 'tell' })).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  });

  it('says when a program cannot start', async () => {
    await using broken = new Sandbox({ program, data: 'broken', limits });
    await expect(broken.run({})).rejects.toMatchObject({ code: 'SANDBOX_BAD_PROGRAM', message: /broken on purpose/ });
  });
});

describe('FrameReader', () => {
  it('puts messages together however they are cut', () => {
    const bytes = Buffer.concat([{ a: 1 }, 'ü', [null]].map(frame));
    for (const size of [1, 3, 7, 100]) {
      const reader = new FrameReader(100);
      const read: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.add(bytes.subarray(at, at + size)));
      expect(read).toEqual([{ a: 1 }, 'ü', [null]]);
    }
  });
});
