/** What passes between us and the process that runs Python. */
import type { ProgramRun } from '../run-result.ts';

export interface PythonData {
  /** Address of Pyodide's entry. */
  readonly module: string;
}

export interface PythonRequest {
  readonly code: string;
  /** Standard input of each run; with a function its arguments, one JSON value a line. */
  readonly inputs: readonly string[];
  readonly functionName?: string | undefined;
  /** For each run. */
  readonly milliseconds: number;
  /** Characters that a run may print. */
  readonly output: number;
}

export interface PythonAnswer {
  readonly runs: readonly ProgramRun[];
}
