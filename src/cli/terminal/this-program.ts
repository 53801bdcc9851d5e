/** How this program was started, for commands that start it again. */
import { shellWord } from '../../core/shell-word.ts';
import type { Program } from '../../train/run/child.ts';

export function thisProgram(): Program {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}

/** The command as it was given, to be typed again. */
export function thisCommand(given: readonly string[] = process.argv.slice(2)): string {
  return ['agoge', ...given.map(shellWord)].join(' ');
}

/** What many runs that were ended early leave, and how to go on with them. */
export function restText(left: number, all: number): string {
  return left === 0 ? `all ${all} runs had finished` : `${left} of ${all} runs are left; go on with: ${thisCommand()}`;
}
