/** So many runs at once; of those that wait, the one with the lowest number goes first, so that what was begun is ended first. */
export class Slots {
  private free: number;
  private readonly waiting: { readonly rank: number; readonly go: () => void }[] = [];

  constructor(size: number) {
    this.free = size;
  }

  /** Does the work when a place is free; throws the signal's reason without doing it once that has fired. */
  async use<T>(rank: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((go) => this.waiting.push({ rank, go }));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.leave();
    }
  }

  /** The place goes to the next one; those of equal rank go as they came. */
  private leave(): void {
    const next = this.waiting.reduce<number>(
      (best, one, at) => (one.rank < (this.waiting[best]?.rank ?? Infinity) ? at : best),
      0,
    );
    const [first] = this.waiting.splice(next, 1);
    if (first) first.go();
    else this.free++;
  }
}
