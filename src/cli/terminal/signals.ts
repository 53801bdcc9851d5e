/**
 * Ctrl-C and SIGTERM from the first moment on, imported before anything else. A command that can be stopped takes `interruption()`
 * and ends by itself; before that, and in commands that never take it, the process ends at once with a sentence. The second signal is
 * left to the system, which ends the process whatever it is busy with. Where the first one is not answered, a watch ends it (busy-watch.ts).
 */
import { AgogeError } from '../../core/error.ts';
import { watchForBusy } from './busy-watch.ts';
import { say } from './language.ts';

const controller = new AbortController();
let taken = false;
let answered = false;
let leave: () => void = () => undefined;
let endWatch: () => void = () => undefined;

/** Why a command was stopped. */
export class Interruption extends AgogeError {
  constructor(readonly signal: NodeJS.Signals) {
    super('CLI_INTERRUPTED', `interrupted by ${signal}`);
  }
}

/** Aborts on the first Ctrl-C or SIGTERM. */
export function interruption(): AbortSignal {
  if (!taken) endWatch = watchForBusy();
  taken = true;
  return controller.signal;
}

/** Whether a signal has come, and what is thrown after it may be its doing. */
export function interrupted(): boolean {
  return controller.signal.aborted && !answered;
}

/** Work that answers for itself: it ends well when it is interrupted, so what it throws is an error of its own, whenever it comes. */
export async function answering<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    answered = true;
    throw thrown;
  }
}

/** Calls back on the first signal, if a command was taken by it. */
export function onInterruption(work: () => void): void {
  controller.signal.addEventListener('abort', work, { once: true });
}

/** Called before the process is ended by a signal: puts the terminal in order. */
export function beforeLeaving(work: () => void): void {
  leave = work;
}

function stop(signal: NodeJS.Signals): void {
  if (taken) {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    endWatch();
    // Nobody could show the cursor again after the next one.
    if (process.stderr.isTTY) process.stderr.write('\u001b[?25h');
    controller.abort(new Interruption(signal));
    return;
  }
  leave();
  process.stderr.write(`${say(`agoge: interrupted by ${signal}; nothing was begun [CLI_INTERRUPTED]`)}\n`);
  process.exit(130);
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
