/** The dashboard over a folder of runs and evaluations, for programs. */
import { join } from 'node:path';
import { RunLibrary } from '../dashboard/runs/library.ts';
import { startView } from '../dashboard/server/server.ts';

/** A dashboard that is being served; closing it ends it. */
export interface Dashboard extends AsyncDisposable {
  /** To be opened in a browser on this machine. */
  readonly url: string;
}

export async function openDashboard(
  root: string,
  shown: string,
  { port = 0 }: { readonly port?: number } = {},
): Promise<Dashboard> {
  const server = await startView({
    library: new RunLibrary(root),
    host: '127.0.0.1',
    port,
    demonstrations: join(root, 'demonstrations'),
  });
  return { url: `${server.url}#/run/${encodeURIComponent(shown)}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
