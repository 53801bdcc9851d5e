/** Many runs of `agoge` at once, one thread each, within a time: what is finished is kept in one JSON file, so that the same command goes on. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './environments.ts';

const run = promisify(execFile);

/** One command; its output. Fails after `seconds`. */
export async function agoge(seconds: number, ...args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 1 << 26, timeout: 1000 * seconds, killSignal: 'SIGKILL' as const };
  const { stdout } = await run(process.execPath, [join(root, 'dist/cli/main.js'), ...args], options);
  return stdout;
}

export interface Job {
  readonly key: string;
  readonly work: () => Promise<unknown>;
}

/** Works jobs off on so many cores; none is begun after `minutes`. Returns all that the file holds. */
export async function workOff(
  file: string,
  jobs: readonly Job[],
  { cores, minutes }: { readonly cores: number; readonly minutes: number },
): Promise<Record<string, unknown>> {
  await mkdir(dirname(file), { recursive: true });
  const results: Record<string, unknown> = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, unknown>,
    () => ({}),
  );
  const until = performance.now() + 60_000 * minutes;
  const waiting = jobs.filter(({ key }) => !(key in results));
  let writing = Promise.resolve();
  const worker = async (): Promise<void> => {
    for (let job = waiting.shift(); job && performance.now() < until; job = waiting.shift()) {
      const { key, work } = job;
      try {
        results[key] = await work();
        process.stdout.write(`${key} ${JSON.stringify(results[key]).slice(0, 160)}\n`);
      } catch (thrown) {
        process.stdout.write(`${key} FAILED: ${String(thrown).split('\n').slice(0, 3).join(' ').slice(0, 400)}\n`);
        continue; // tried again when the command is given again
      }
      writing = writing.then(async () => {
        await writeFile(`${file}.new`, `${JSON.stringify(results, null, 1)}\n`);
        await rename(`${file}.new`, file);
      });
    }
  };
  await Promise.all(Array.from({ length: cores }, worker));
  await writing;
  return results;
}
