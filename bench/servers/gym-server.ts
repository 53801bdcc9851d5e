/** For benches: a server in a process of its own, the processor time that it and its children use, and load from yet another process. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inProject } from '../root.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

export interface Server extends Disposable {
  readonly child: ChildProcess;
  readonly port: number;
}

export interface Load {
  readonly answered: number;
  readonly seconds: number;
  readonly perSecond: number;
}

/** `agoge serve` with these arguments; comes when it listens. */
export function serve(port: number, ...args: string[]): Promise<Server> {
  const command = ['--import', 'tsx', inProject('src/cli/main.ts'), 'serve', ...args, '--port', String(port)];
  return started(spawn(process.execPath, command, { stdio: 'ignore' }), port);
}

export async function started(child: ChildProcess, port: number): Promise<Server> {
  for (let tries = 0; ; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/docs-are-not-needed`).then(
      () => true,
      () => false,
    );
    if (up) return { child, port, [Symbol.dispose]: () => void child.kill() };
    if (tries > 300) throw new Error(`nothing listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Seconds of processor time that the server and the processes behind it have used (Linux counts in hundredths). */
export function processorTime({ child }: Pick<Server, 'child'>): number {
  return [child.pid ?? 0, ...children(child.pid ?? 0)].reduce((sum, pid) => sum + timeOf(pid), 0);
}

/** Loads the server from a process of its own, as gym-load.ts takes it. */
export async function load(server: Server, ...args: (string | number)[]): Promise<Load & { perProcessorSecond: number }> {
  const before = processorTime(server);
  const { stdout } = await run(process.execPath, [
    '--import',
    'tsx',
    path('gym-load.ts'),
    String(server.port),
    ...args.map(String),
  ]);
  const result = JSON.parse(stdout) as Load;
  return { ...result, perProcessorSecond: result.answered / (processorTime(server) - before) };
}

function timeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function children(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}
