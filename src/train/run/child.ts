/** A run in a process of its own, as studies start them. What it prints goes to a file, so that it outlives whoever started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How this program is called: Node, its options, the command line's file. */
export type Program = readonly [node: string, ...args: string[]];

/** Ends with the child's exit status (null: killed by a signal). An abort reaches the child too: it saves and ends. */
export async function runChild(
  program: Program,
  args: readonly string[],
  log: string,
  signal: AbortSignal,
  variables: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  await mkdir(dirname(log), { recursive: true });
  await using out = await open(log, 'a');
  const [node, ...before] = program;
  // What is kept in files is English, whatever the terminal's language.
  const env = { ...process.env, ...variables, AGOGE_LANG: 'en' };
  const running = spawn(node, [...before, ...args], { stdio: ['ignore', out.fd, out.fd], env });
  const stop = (): void => void running.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [status] = (await once(running, 'close')) as [number | null];
    return status;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
