/** How this program was started, for commands that start it again. */
import type { Program } from '../../train/run/child.ts';

export function thisProgram(): Program {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}
