/**
 * What every sub-command shares: how errors are printed, which exit codes mean what, and how Ctrl-C ends a command.
 * Exit codes: 0 done, 1 the work failed, 2 bad usage, 130 interrupted (resumable).
 */
import { CommanderError, type Command } from '@commander-js/extra-typings';
import { AgogeError } from '../core/error.ts';

/** Parses the arguments, runs the chosen command and ends the process with the right code. */
export async function runProgram(program: Command): Promise<void> {
  const options = program.option('--verbose', 'print the stack of an error, not only its sentence').exitOverride();
  for (const command of program.commands) command.exitOverride();
  endWithReader();
  try {
    await program.parseAsync();
  } catch (thrown) {
    if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? 0 : 2;
    else process.exitCode = report(thrown, options.opts().verbose === true);
  }
}

/** A signal that aborts on the first Ctrl-C or SIGTERM; a second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new AgogeError('CLI_INTERRUPTED', `interrupted by ${signal}; send it again to end at once`));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

/** Nobody reads on (`agoge eval … | head`): ends as Ctrl-C would, so that a run is saved, and without a stack. */
function endWithReader(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => undefined);
    if (error.code !== 'EPIPE') throw error;
    process.kill(process.pid, 'SIGINT');
  });
}

function report(thrown: unknown, verbose: boolean): number {
  const error = AgogeError.from(thrown, 'CLI_UNEXPECTED', 'unexpected error (run again with --verbose for the stack)');
  process.stderr.write(`agoge: ${error.message} [${error.code}]\n`);
  if (verbose)
    process.stderr.write(`${error.stack ?? ''}\n${error.cause instanceof Error ? `caused by ${error.cause.stack ?? ''}\n` : ''}`);
  if (error.code === 'CLI_INTERRUPTED') return 130;
  return error.code.startsWith('CLI_USAGE') || error.code.startsWith('CONFIG_') ? 2 : 1;
}
