/**
 * Synchronous work of somebody else (a chat template or a pattern of a downloaded model, a reward) that may never end: it is stopped after
 * a while. Nothing else could: while it runs no timer fires and no signal is heard. (Node's own `breakOnSigint` takes the listeners of
 * SIGINT away for the time: a Ctrl-C in between ends the process where it stands, its terminal included.)
 */
import { createContext, Script } from 'node:vm';
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
      }) as T;
    } catch (thrown) {
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
