/**
 * So many runs at once; of those that wait, the one with the lowest number goes first, so that what was begun is ended first. A free place is
 * given a moment later: those that come together are ranked together, and what a run leaves to be done next is there before another run begins.
 */
const moment = 250;

export class Slots {
  private free: number;
  private readonly waiting: { readonly rank: number; readonly go: () => void }[] = [];
  private giving = false;

  constructor(size: number) {
    this.free = size;
  }

  /** Does the work when a place is free; throws the signal's reason without doing it once that has fired. */
  async use<T>(rank: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.waiting.push({ rank, go });
      this.give();
    });
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.free++;
      this.give();
    }
  }

  /** Free places to those that wait by then; those of equal rank go as they came. */
  private give(): void {
    if (this.giving) return;
    this.giving = true;
    setTimeout(() => {
      this.giving = false;
      this.waiting.sort((a, b) => a.rank - b.rank);
      for (const { go } of this.waiting.splice(0, this.free)) {
        this.free--;
        go();
      }
    }, moment);
  }
}
