/** What a supervisor tells the process that it starts under chaos, in one variable of its environment. */
import type { FaultName } from './kinds.ts';

export const ordersVariable = 'AGOGE_CHAOS';

/** How many turns, writes and milliseconds a quiet run has: kills and disk faults are drawn among them. */
export interface Events {
  readonly turns: number;
  readonly writes: number;
  readonly renames: number;
  readonly milliseconds: number;
}

export interface Orders {
  readonly seed: number;
  /** None: nothing is broken, events are counted. */
  readonly kinds: readonly FaultName[];
  /** The first start is 0; what strikes differs from start to start. */
  readonly start: number;
  /** `complete`: a lost episode is played by a further start; `bits`: none may be lost; `serve`: sessions of a server. */
  readonly promise: 'complete' | 'bits' | 'serve';
  /** A file that every fault is noted in. */
  readonly ledger: string;
  /** Writes below these are counted and may fail. */
  readonly folders: readonly string[];
  /** What this start ends with, or meets on its disk. */
  readonly ending?: Ending | undefined;
}

export interface Ending {
  readonly kind: FaultName;
  /** The turn, write, renaming or millisecond it strikes at. */
  readonly at: number;
}

/** A line of the ledger. */
export type LedgerLine =
  | { readonly start: number; readonly fault: FaultName; readonly where: string }
  | { readonly start: number; readonly events: Events; readonly opened: number; readonly closed: number };
