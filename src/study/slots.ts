/**
 * So many runs at once, and only as many as there is memory for; of those that wait, the one with the lowest number goes first, so that what
 * was begun is ended first. A free place is given a moment later: those that come together are ranked together, and what a run leaves to be
 * done next is there before another run begins.
 */
const moment = 250;

interface Waiting {
  readonly rank: number;
  readonly memory: number;
  readonly go: () => void;
}

export class Slots {
  private taken = 0;
  private readonly waiting: Waiting[] = [];
  private giving = false;

  constructor(
    private readonly size: number,
    /** What all together may take, in the unit of `use`. */
    private memory = Infinity,
  ) {}

  /** Does the work when a place and its memory are free; throws the signal's reason without doing it once that has fired. */
  async use<T>(rank: number, signal: AbortSignal, work: () => Promise<T>, memory = 0): Promise<T> {
    await new Promise<void>((go) => {
      this.waiting.push({ rank, memory, go });
      this.give();
    });
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.taken--;
      this.memory += memory;
      this.give();
    }
  }

  /** Free places to those that wait by then; those of equal rank go as they came, and none overtakes one that waits for memory. */
  private give(): void {
    if (this.giving) return;
    this.giving = true;
    setTimeout(() => {
      this.giving = false;
      this.waiting.sort((a, b) => a.rank - b.rank);
      for (;;) {
        const [first] = this.waiting;
        if (!first || this.taken === this.size) return;
        // One that is larger than all there is goes alone: it says itself what it lacks.
        if (first.memory > this.memory && this.taken > 0) return;
        this.waiting.shift();
        this.taken++;
        this.memory -= first.memory;
        first.go();
      }
    }, moment);
  }
}
