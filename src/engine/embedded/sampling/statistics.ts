/** What sampling has done, in counts that lanes write into shared memory and the sampler adds up. */
import { at } from '../../../core/at.ts';

/** Counts since the sampler was opened. */
export interface SamplerStatistics {
  /** Lanes that were opened. */
  lanes: number;
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
  /** Milliseconds with requests in hand, and milliseconds that lanes spent in native calls, all together. */
  openTime: number;
  busyTime: number;
}

const counts = ['steps', 'rows', 'usedRows', 'prefilledTokens', 'reusedTokens', 'sampledTokens', 'busyTime'] as const;
type Count = (typeof counts)[number];

/** The counts of one lane; written by it alone. */
export class LaneStatistics {
  private readonly values: Float64Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8 * counts.length)) {
    this.values = new Float64Array(memory);
  }

  add(count: Count, amount: number): void {
    const place = counts.indexOf(count);
    this.values[place] = at(this.values, place) + amount;
  }

  /** Adds these counts to a sum. */
  addTo(sum: SamplerStatistics): void {
    counts.forEach((count, place) => (sum[count] += at(this.values, place)));
  }
}

export function emptyStatistics(): SamplerStatistics {
  return {
    lanes: 0,
    steps: 0,
    rows: 0,
    usedRows: 0,
    prefilledTokens: 0,
    reusedTokens: 0,
    sampledTokens: 0,
    requests: 0,
    sessions: 0,
    openTime: 0,
    busyTime: 0,
  };
}
