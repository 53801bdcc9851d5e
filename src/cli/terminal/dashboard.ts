/**
 * The dashboard beside a command that trains or evaluates: a process of its own (dashboard-process.ts), its address printed, ended
 * with the command. It never fails the work: a taken port gives a free one, one that broke is started again, and where none can
 * start the run's place is named instead.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../../core/error.ts';
import { printable } from '../../core/printable.ts';
import type { DashboardMessage } from './dashboard-process.ts';
import { aboveBars } from './bar.ts';
import { say as told } from './language.ts';
import { asCalled } from './print.ts';

const usualPort = 6006;
/** Megabytes of heap; readers stay far below it. */
const heap = 1024;
/** How often one that broke is started again. */
const restarts = 5;
/** Milliseconds until a start is given up; a busy machine takes its time. */
const startLimit = 60_000;

/** Help of --view and --no-view; without either, a terminal gets the dashboard and a pipe a line that says how to open it. */
export const viewHelp = 'show the work live in the browser while it lasts (default: on a terminal)';
export const noViewHelp = 'do not start the dashboard';

export interface Shown {
  /** The run or evaluation. */
  readonly folder: string;
  /** The folder of runs it lies in; one outside of it is shown alone. */
  readonly among: string;
  /** What --view and --no-view say. */
  readonly view: boolean | undefined;
  /** Where the address is printed. */
  readonly stream: NodeJS.WriteStream;
  /** Say nothing that was not asked for. */
  readonly quiet: boolean;
  /** Environments of the user's own that are played there. */
  readonly own?: readonly string[];
}

/** Starts the dashboard of a run where it is wanted and prints its address. Leaving the scope closes it. */
export async function showRun({ folder, among, view, stream, quiet, own = [] }: Shown): Promise<AsyncDisposable> {
  const say = (text: string): void => aboveBars(() => stream.write(`${printable(asCalled(told(text)))}\n`));
  const elsewhere = `watch it with: agoge view ${relative(process.cwd(), folder) || folder}`;
  const asked = view !== undefined;
  if (!(view ?? (stream.isTTY && !quiet))) {
    if (!asked && !quiet) say(elsewhere);
    return nothing;
  }
  const shelf = dirname(resolve(folder)) === resolve(among) ? among : folder;
  try {
    const server = await startDashboard(shelf, own);
    say(`Dashboard: ${server.url}#/run/${encodeURIComponent(basename(resolve(folder)))}`);
    return server;
  } catch (thrown) {
    const { message } = AgogeError.from(thrown, 'CLI_DASHBOARD', 'the dashboard could not start');
    say(`no dashboard (${message}); ${elsewhere}`);
    return nothing;
  }
}

/** Starts the dashboard of a training run, as `agoge train` and `agoge sft` do. */
export function showTraining(
  folder: string,
  among: string,
  { view, json }: { readonly view?: boolean | undefined; readonly json?: boolean | undefined },
  own: readonly string[] = [],
): Promise<AsyncDisposable> {
  const quiet = json === true;
  return showRun({ folder, among, view, quiet, own, stream: quiet ? process.stderr : process.stdout });
}

/** The dashboard of a folder of runs (or of one run) on this machine: at its usual port, or at a free one. */
async function startDashboard(folder: string, own: readonly string[]): Promise<AsyncDisposable & { readonly url: string }> {
  let child = spawnDashboard(folder, usualPort, own);
  const { url, port } = await address(child);
  let left = restarts;
  const revive = (): void => {
    if (left-- === 0) return;
    child = spawnDashboard(folder, port, own);
    child.once('exit', revive);
  };
  child.once('exit', revive);
  return {
    url,
    async [Symbol.asyncDispose]() {
      left = 0;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill('SIGKILL'); // It holds nothing that could be lost.
      await once(child, 'exit');
    },
  };
}

/** Starts the process; it does not keep this one from ending, and ends when this one has. */
function spawnDashboard(folder: string, port: number, own: readonly string[]): ChildProcess {
  const module = fileURLToPath(import.meta.url).replace(/dashboard(\.[jt]s)$/, 'dashboard-process$1');
  const child = fork(module, [folder, String(port), ...own], {
    execArgv: [...process.execArgv, `--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}

function address(child: ChildProcess): Promise<{ readonly url: string; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new AgogeError('CLI_DASHBOARD', why));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('the dashboard did not start in time');
    }, startLimit);
    child.channel?.ref();
    child.once('exit', (code) => fail(`the dashboard ended with ${String(code)}`));
    child.once('error', (error) => fail(error.message));
    child.once('message', (message: DashboardMessage) => {
      clearTimeout(timer);
      child.channel?.unref();
      if ('url' in message) resolve(message);
      else fail(message.error);
    });
  });
}

const nothing: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };
