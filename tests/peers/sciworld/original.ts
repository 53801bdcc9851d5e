/**
 * The original ScienceWorld behind a pipe, where there is one: `SCIENCEWORLD_CLASSPATH` names a build of version 1.3.0 with Scala's
 * library (folders and jars, separated by colons); 1.2.3 is PyPI's package, fetched into the cache. Neither is part of this repository.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const classpath = process.env['SCIENCEWORLD_CLASSPATH'];

/** Why the original cannot be asked, or undefined. */
export function originalMissing(): string | undefined {
  if (classpath === undefined) return 'SCIENCEWORLD_CLASSPATH does not name a build of ScienceWorld 1.3.0';
  return spawnSync('java', ['-version']).status === 0 ? undefined : 'there is no java';
}

/** The jar inside PyPI's package; undefined, with the reason printed, where it or Java is missing. */
export function packagedOriginal(version: string): string | undefined {
  if (spawnSync('java', ['-version']).status !== 0) {
    console.log('skipped: there is no java');
    return undefined;
  }
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const target = join(cache, 'agoge-peers', `scienceworld-${version}`);
  const jar = join(target, 'scienceworld/scienceworld.jar');
  if (existsSync(jar)) return jar;
  const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--disable-pip-version-check', '--target', target];
  try {
    execFileSync('python3', [...args, `scienceworld==${version}`], { stdio: 'ignore' });
    return jar;
  } catch {
    console.log(`skipped: scienceworld ${version} cannot be fetched here`);
    return undefined;
  }
}

export interface OriginalStep {
  readonly observation: string;
  readonly score: number;
  readonly isCompleted: boolean;
  readonly moves: number;
}

export interface Original {
  load(
    task: string,
    variation: number,
    simplifications?: string,
  ): Promise<{ readonly error: string; readonly description: string }>;
  step(action: string): Promise<OriginalStep>;
  valid(): Promise<readonly string[]>;
  /** Seconds of processor time it has used. */
  cpu(): Promise<number>;
  close(): void;
}

export function startOriginal(jars = classpath): Original {
  const source = fileURLToPath(new URL('./Driver.java', import.meta.url));
  const child = spawn('java', ['-Xss16m', '-cp', jars ?? '', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: tmpdir(), // it writes a table of its types to where it is started
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (...fields: readonly (string | number)[]): Promise<unknown> => {
    child.stdin.write(`${fields.join('\t')}\n`);
    const next = await lines.next();
    if (next.done === true) throw new Error('the original has ended');
    return JSON.parse(next.value) as unknown;
  };
  return {
    load: async (task, variation, simplifications = '') =>
      (await ask('load', task, variation, simplifications)) as { error: string; description: string },
    step: async (action) => (await ask('step', action)) as OriginalStep,
    valid: async () => (await ask('valid')) as string[],
    cpu: async () => (await ask('cpu')) as number,
    close: () => child.stdin.end(),
  };
}
