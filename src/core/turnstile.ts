/** Lets a bounded number of things happen at once, first come first served. Waiting ends early when the signal aborts. */
export class Turnstile {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  /** Runs `work` when there is a place. */
  async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(signal?: AbortSignal): Promise<void> | undefined {
    if (this.free > 0) {
      this.free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const enter = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped waiting'));
      };
      this.line.push(enter);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  private leave(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free++;
  }
}
