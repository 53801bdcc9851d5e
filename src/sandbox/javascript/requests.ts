/** What passes between us and the process that runs JavaScript. */
import type { ProgramRun } from '../run-result.ts';

export interface JavaScriptData {
  /** Addresses of QuickJS' entry and of its WebAssembly. */
  readonly core: string;
  readonly variant: string;
}

export interface JavaScriptRequest {
  readonly code: string;
  /** What the program reads, for each run; with a function its arguments, one JSON value a line. */
  readonly inputs: readonly string[];
  readonly functionName?: string | undefined;
  /** For each run. */
  readonly milliseconds: number;
  /** Characters that a run may print. */
  readonly output: number;
  /** Bytes that the guest may hold. */
  readonly memory: number;
}

export interface JavaScriptAnswer {
  /** Fewer than there were inputs where one took too long. */
  readonly runs: readonly ProgramRun[];
  /** Told by our clock, never by the program's words. */
  readonly late?: boolean;
}
