/** Many runs of `agoge` at once, one thread each, within a time: a JSON line is kept of each as it ends, so that the same command goes on. */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { inProject } from '../root.ts';

const run = promisify(execFile);

/** One command; its output. Fails after `seconds`. */
export async function agoge(seconds: number, ...args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 1 << 26, timeout: 1000 * seconds, killSignal: 'SIGKILL' as const };
  const { stdout } = await run(process.execPath, [inProject('dist/cli/main.js'), ...args], options);
  return stdout;
}

export interface Job {
  readonly key: string;
  readonly work: () => Promise<unknown>;
}

/**
 * Works jobs off on so many cores; none is begun after `minutes`. Returns all that the file holds, by key. Several processes may
 * work into one file: each takes the jobs that it was given.
 */
export async function workOff(
  file: string,
  jobs: readonly Job[],
  { cores, minutes }: { readonly cores: number; readonly minutes: number },
): Promise<Record<string, unknown>> {
  await mkdir(dirname(file), { recursive: true });
  const known = await kept(file);
  const until = performance.now() + 60_000 * minutes;
  const waiting = jobs.filter(({ key }) => !(key in known));
  const worker = async (): Promise<void> => {
    for (let job = waiting.shift(); job && performance.now() < until; job = waiting.shift()) {
      const { key, work } = job;
      try {
        const line = JSON.stringify({ key, value: await work() });
        await appendFile(file, `${line}\n`);
        process.stdout.write(`${line.slice(0, 160)}\n`);
      } catch (thrown) {
        // Tried again when the command is given again.
        process.stdout.write(`${key} FAILED: ${String(thrown).split('\n').slice(0, 3).join(' ').slice(0, 400)}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: cores }, worker));
  return kept(file);
}

/** The lines of a file, without one that was cut off when its machine went away. */
async function kept(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line): [string, unknown][] => {
    try {
      const { key, value } = JSON.parse(line) as { key: string; value: unknown };
      return [[key, value]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(lines);
}
