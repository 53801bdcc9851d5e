/**
 * Compresses pages for a file: small ones here, large ones on a thread of their own, so that reading goes on meanwhile. The thread
 * starts with the first large page and keeps the process alive only while something is asked of it.
 */
import type { Worker } from 'node:worker_threads';
import { AgogeError } from '../../core/error.ts';
import { startThread } from '../../core/thread.ts';
import { snappyCompress } from './snappy.ts';

const LARGE = 1 << 16;

interface Waiting {
  resolve(packed: Uint8Array): void;
  reject(error: AgogeError): void;
}

export class Compressor implements Disposable {
  private thread: Worker | undefined;
  private readonly waiting: Waiting[] = [];

  /** Takes the page away where it is given to the thread. */
  compress(page: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (page.length < LARGE || !(page.buffer instanceof ArrayBuffer)) return snappyCompress(page);
    const { buffer } = page;
    const thread = (this.thread ??= this.start());
    thread.ref();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      thread.postMessage(page, [buffer]);
    });
  }

  [Symbol.dispose](): void {
    void this.thread?.terminate();
  }

  private start(): Worker {
    const thread = startThread('./compress-thread', import.meta.url, { name: 'agoge-compress' });
    thread.on('message', (packed: Uint8Array) => {
      this.waiting.shift()?.resolve(packed);
      if (this.waiting.length === 0) thread.unref();
    });
    const end = (thrown: unknown): void => {
      const error = AgogeError.from(thrown, 'DATA_CANNOT_WRITE', 'the thread that compresses ended; run again');
      for (const one of this.waiting.splice(0)) one.reject(error);
      this.thread = undefined;
    };
    thread.on('error', end);
    thread.on('exit', (code) => {
      end(new Error(`exit code ${code}`));
    });
    return thread;
  }
}
