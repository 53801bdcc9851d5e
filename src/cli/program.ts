/**
 * What every sub-command shares: how errors are printed, which exit codes mean what, and how a command ends: with its terminal as it
 * was, within a second of its last word, whatever is still open.
 * Exit codes: 0 done, 1 the work failed, 2 bad usage (a file that is not there too), 130 interrupted (resumable).
 */
import { CommanderError, type Command } from '@commander-js/extra-typings';
import { AgogeError } from '../core/error.ts';
import { onProgress } from '../core/progress.ts';
import { clearBars, printAbove } from './terminal/bar.ts';
import { useProxies } from './options/proxy.ts';
import { withRemedy } from './terminal/remedy.ts';
import { beforeLeaving, interrupted, Interruption, onInterruption } from './terminal/signals.ts';
import { wrapHelp } from './terminal/help-text.ts';
import { useErrors, useLanguage } from './terminal/language.ts';
import { tell } from './terminal/print.ts';
import { workProgress } from './terminal/work-progress.ts';

/** Parses the arguments, runs the chosen command and ends the process with the right code. */
export async function runProgram(program: Command): Promise<void> {
  await useLanguage();
  const options = program.option('--verbose', 'print the stack of an error, not only its sentence').exitOverride();
  for (const command of program.commands) command.exitOverride();
  wrapHelp(program);
  const verbose = (): boolean => options.opts().verbose === true;
  endWithReader();
  beforeLeaving(clearBars);
  onProgress(workProgress());
  onInterruption(() => {
    const patience = `still saving what is done; Ctrl-C again ends at once, without it`;
    setTimeout(() => printAbove(patience), 1500).unref();
  });
  process.once('exit', clearBars);
  process.once('beforeExit', notStuck);
  program.hook('preAction', useErrors);
  try {
    await useProxies();
    await program.parseAsync();
  } catch (thrown) {
    clearBars();
    if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? 0 : 2;
    else process.exitCode = await report(thrown, verbose());
  } finally {
    process.removeListener('beforeExit', notStuck);
    clearBars();
  }
  // The work is over. What still holds the process (a connection that is kept, a timer) has nothing left to say.
  setTimeout(() => process.exit(), 1000).unref();
}

/** The exit code of a server that was ended on purpose: by hand 130, by whoever supervises it 0. */
export function endServer(stop: AbortSignal): void {
  if (stop.reason instanceof Interruption && stop.reason.signal === 'SIGINT') process.exitCode = 130;
}

/** Nothing is left that could wake the command, and it has not ended: it waits for something that will never come. */
function notStuck(): void {
  const stuck = new AgogeError(
    'CLI_STUCK',
    'the command waits for something that never comes (a promise that nobody resolves): look for a step or a reply of your own code that does not end',
  );
  void report(stuck, false).then((code) => process.exit(code));
}

/** Nobody reads on (`agoge eval … | head`): ends as Ctrl-C would, so that a run is saved, and without a stack. */
function endWithReader(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => undefined);
    if (error.code !== 'EPIPE') throw error;
    process.kill(process.pid, 'SIGINT');
  });
}

async function report(thrown: unknown, verbose: boolean): Promise<number> {
  await useErrors();
  const error = errorOf(thrown);
  tell(`agoge: ${error.message} [${error.code}]`);
  if (verbose) tell(`${error.stack ?? ''}${error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? ''}` : ''}`);
  if (error.code === 'CLI_INTERRUPTED') return 130;
  return isUsage(error) ? 2 : 1;
}

const usage = ['CLI_USAGE', 'CONFIG_', 'ENV_UNKNOWN', 'EVAL_TASKS', 'EVAL_WHICH_POLICY', 'POLICY_NO_KEY', 'POLICY_NO_CHECKPOINT'];

/** What the words of the command decide. A file that is not there is one of them, whoever looked for it. */
function isUsage({ code, cause }: AgogeError): boolean {
  if (usage.some((kind) => code.startsWith(kind)) || /_(NO_FILE|NOT_FOUND)$/.test(code)) return true;
  return cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'ENOENT';
}

function errorOf(thrown: unknown): AgogeError {
  const error = withRemedy(thrown);
  if (!interrupted() || error.code === 'CLI_INTERRUPTED') return error;
  // What was under way broke because it was stopped; its own words help only where something else went wrong too.
  return new AgogeError('CLI_INTERRUPTED', `interrupted (${error.message})`, { cause: error });
}
