/**
 * The thread beside a worker's program that ends the process when its request takes too long, when it holds too much memory, or
 * when its parent is gone. It runs however busy the program is, so that no loop, in JavaScript or WebAssembly, escapes it. Its few
 * lines are plain JavaScript in a text: a thread needs no file then, and no reader of TypeScript.
 */
import { Worker } from 'node:worker_threads';
import { MEMORY_IS_FULL, TIME_IS_UP } from './protocol.ts';

export class Watchdog {
  private readonly deadline = new Float64Array(new SharedArrayBuffer(8));

  /** `memory`: bytes that the process may hold. */
  constructor(memory: number) {
    const workerData = { memory, deadline: this.deadline, parent: process.ppid };
    new Worker(code, { eval: true, workerData }).unref();
  }

  /** When to end the process, in milliseconds since 1970; 0 while nothing runs. */
  until(deadline: number): void {
    this.deadline[0] = deadline;
  }
}

const code = `
const { writeSync } = require('node:fs');
const { memory, deadline, parent } = require('node:worker_threads').workerData;
function end(reason) {
  try { writeSync(2, reason); } catch {}
  process.kill(process.pid, 'SIGKILL');
}
setInterval(() => {
  // Read once: the program may be done between two looks.
  const until = deadline[0];
  if (until > 0 && Date.now() > until) end('${TIME_IS_UP}');
  if (process.memoryUsage.rss() > memory) end('${MEMORY_IS_FULL}');
  if (process.ppid !== parent) end('');
}, 20);
`;
