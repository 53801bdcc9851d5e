/** What a sampler has done, in counts, and how long it was idle with requests in hand. */

/** Counts since the sampler was opened. */
export interface SamplerStatistics {
  steps: number;
  /** Rows of all steps, and those among them that did work. */
  rows: number;
  usedRows: number;
  /** Prompt tokens that were computed, and those that were found in memory. */
  prefilledTokens: number;
  reusedTokens: number;
  sampledTokens: number;
  requests: number;
  sessions: number;
  /** Milliseconds with requests in hand, and of these in which no lane was computing. */
  openTime: number;
  idleTime: number;
}

export function emptyStatistics(): SamplerStatistics {
  return {
    steps: 0,
    rows: 0,
    usedRows: 0,
    prefilledTokens: 0,
    reusedTokens: 0,
    sampledTokens: 0,
    requests: 0,
    sessions: 0,
    openTime: 0,
    idleTime: 0,
  };
}

/** Keeps the account of busy and idle time. */
export class TimeAccount {
  /** Native calls that are running. */
  computing = 0;
  private mark = 0;

  constructor(
    private readonly statistics: SamplerStatistics,
    private readonly hasRequests: () => boolean,
  ) {}

  /** Runs native work. */
  async timed(work: () => Promise<void>): Promise<void> {
    this.note();
    this.computing++;
    try {
      await work();
    } finally {
      this.note();
      this.computing--;
    }
  }

  /** To be called before the number of requests changes from or to nothing. */
  note(): void {
    const now = performance.now();
    if (this.computing > 0 || this.hasRequests()) {
      this.statistics.openTime += now - this.mark;
      if (this.computing === 0) this.statistics.idleTime += now - this.mark;
    }
    this.mark = now;
  }
}
