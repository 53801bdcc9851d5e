/**
 * The dashboard beside a command that trains or evaluates: started in this process, its address printed, closed with the
 * command. It never fails the work: a taken port gives a free one, and where no dashboard can start its place is named instead.
 */
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { ViewServer } from '../report/server.ts';

const usualPort = 6006;

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
}

/** Starts the dashboard of a run where it is wanted and prints its address. Leaving the scope closes it. */
export async function showRun({ folder, among, view, stream, quiet }: Shown): Promise<AsyncDisposable> {
  const say = (text: string): void => void stream.write(`${text}\n`);
  const elsewhere = `watch it with: agoge view ${relative(process.cwd(), folder) || folder}`;
  const asked = view !== undefined;
  if (!(view ?? (stream.isTTY && !quiet))) {
    if (!asked && !quiet) say(elsewhere);
    return nothing;
  }
  const shelf = dirname(resolve(folder)) === resolve(among) ? among : folder;
  try {
    const server = await startDashboard(shelf);
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
): Promise<AsyncDisposable> {
  const quiet = json === true;
  return showRun({ folder, among, view, quiet, stream: quiet ? process.stderr : process.stdout });
}

/** The dashboard of a folder of runs (or of one run) on this machine: at its usual port, or at a free one. */
async function startDashboard(folder: string): Promise<ViewServer> {
  const { startView } = await import('../report/server.ts');
  const { RunLibrary } = await import('../report/library.ts');
  const start = (port: number): Promise<ViewServer> =>
    startView({ library: new RunLibrary(folder), host: '127.0.0.1', port, demonstrations: join(folder, 'demonstrations') });
  return start(usualPort).catch(() => start(0));
}

const nothing: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };
