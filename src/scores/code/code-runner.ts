/** The contract of who runs programs for their tests. */
import type { ProgramRun } from '../../sandbox/run-result.ts';

export type { ProgramRun };

export interface CodeRunner {
  /** Once for each input; rejects with SANDBOX_TIME, _MEMORY, _OUTPUT or _CRASHED where the program was ended. */
  run(code: string, inputs: readonly string[], functionName?: string): Promise<readonly ProgramRun[]>;
}
