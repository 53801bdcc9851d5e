/**
 * Synchronous work of somebody else (a chat template of a downloaded model) that may never end: it is stopped after a while. Nothing
 * else could: while it runs no timer fires and no signal is heard.
 */
import { createContext, Script } from 'node:vm';
import { AgogeError, type ErrorCode } from './error.ts';

const script = new Script('work()');

/** Runs `work` for at most `milliseconds`, then throws `code`. */
export function bounded<T>(milliseconds: number, work: () => T, code: ErrorCode, what: string): T {
  try {
    return script.runInContext(createContext({ work }), { timeout: milliseconds }) as T;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    throw new AgogeError(code, `${what} did not end within ${milliseconds} ms: give another one`, { cause: thrown });
  }
}
