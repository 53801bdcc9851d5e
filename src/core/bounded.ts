/**
 * Synchronous work of somebody else (a chat template or a pattern of a downloaded model, a reward) that may never end: it is stopped after
 * a while, and by Ctrl-C. Nothing else could: while it runs no timer fires and no other signal is heard.
 */
import { createContext, Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { AgogeError, type ErrorCode } from './error.ts';

const script = new Script('work()');
/** One for all calls: a context takes longer to make than most work takes. */
const box: { work?: () => unknown } = {};
let context: object | undefined;

/** On a busy machine the time may be over before the work had a share of it; then it is tried again, so many times in all. */
const tries = 4;

/** Runs `work` for at most `milliseconds`, then throws `code`. */
export function bounded<T>(milliseconds: number, work: () => T, code: ErrorCode, what: string): T {
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    const outer = box.work;
    box.work = work;
    try {
      return script.runInContext((context ??= createContext(box)), {
        timeout: Math.ceil(milliseconds),
        breakOnSigint: isMainThread,
      }) as T;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
        process.emit('SIGINT', 'SIGINT'); // whoever listens was kept from hearing it
        throw new AgogeError('CLI_INTERRUPTED', `${what} was interrupted`, { cause: thrown });
      }
      if ((thrown as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
      const { user, system } = process.cpuUsage(before);
      if (attempt < tries && (user + system) / 1000 < milliseconds / 2) continue;
      throw new AgogeError(code, `${what} did not end within ${milliseconds} ms: give another one`, { cause: thrown });
    } finally {
      if (outer) box.work = outer;
      else delete box.work;
    }
  }
}
