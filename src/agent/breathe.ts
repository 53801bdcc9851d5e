/**
 * Lets the event loop turn. Episodes of policies and environments that answer at once are one endless chain of microtasks: without
 * this no signal is heard, no file is written and no timer fires until all of them are over.
 */
const interval = 20;
let last = performance.now();
let turning: Promise<void> | undefined;

/** Nothing while the loop has turned of late, else a promise of its next turn. */
export function breathe(): Promise<void> | undefined {
  if (turning || performance.now() - last < interval) return turning;
  turning = new Promise((resolve) => {
    setImmediate(() => {
      last = performance.now();
      turning = undefined;
      resolve();
    });
  });
  return turning;
}
