/**
 * The dashboard beside a command, in a process of its own: whatever lies in the folder, and whoever asks, the work next door is not
 * touched. Started by dashboard.ts with a folder, a port and the user's own environments; says its address, and ends when the command does.
 */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { RunLibrary } from '../../dashboard/runs/library.ts';
import { startView } from '../../dashboard/server/server.ts';
import { openOwn } from '../options/own-environments.ts';

/** What the process tells the command once: where it listens, or why it does not. */
export type DashboardMessage = { readonly url: string; readonly port: number } | { readonly error: string };

const [folder = '.', port = '0', ...own] = process.argv.slice(2);
const tell = (message: DashboardMessage): void => void process.send?.(message);

// Ctrl-C reaches the whole group of processes; the command is the one that ends, and takes this one with it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
try {
  setPriority(10);
} catch {
  // Some containers do not allow it; then it shares the processor like any other.
}

try {
  const options = {
    library: new RunLibrary(folder),
    host: '127.0.0.1',
    demonstrations: join(folder, 'demonstrations'),
    // One that does not open is told by the command itself.
    own: (await Promise.allSettled(own.map(openOwn))).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  };
  const start = (at: number) => startView({ ...options, port: at });
  const server = await start(Number(port)).catch(() => start(0));
  tell({ url: server.url, port: server.port });
} catch (thrown) {
  tell({ error: AgogeError.from(thrown, 'REPORT_FAILED', 'the dashboard could not start').message });
  process.disconnect();
}
