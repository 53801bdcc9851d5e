/** A program that misbehaves in the way it is asked to. */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answerer } from './protocol.ts';

export async function start(data: unknown): Promise<Answerer> {
  if (data === 'broken') throw new Error('broken on purpose');
  const kept: unknown[] = [];
  return async (request) => {
    const { do: what, with: given } = request as { do: string; with?: number };
    switch (what) {
      case 'loop':
        for (;;) kept.length = 0;
      case 'hog':
        for (;;) kept.push(new Uint8Array(8 * 2 ** 20).fill(1));
      case 'keep':
        kept.push(new Uint8Array(given ?? 0).fill(1));
        return kept.length;
      case 'say':
        return 'x'.repeat(given ?? 0);
      case 'throw':
        throw new Error('thrown on purpose');
      case 'exit':
        return process.exit(3);
      case 'cheat': {
        // Writes a message of its own, far longer than allowed, past the protocol.
        const head = Buffer.alloc(4);
        head.writeUInt32LE(2 ** 31);
        writeSync(3, head);
        return sleep(given ?? 0);
      }
      case 'sleep':
        return sleep(given ?? 0, process.pid);
      default:
        return { pid: process.pid, env: Object.keys(process.env).length, request };
    }
  };
}
