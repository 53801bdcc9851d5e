/** A copy of the sources in which one change at a time is made and the unit tests are run. Needs Node and node_modules alone. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './list.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
/** A test of the changed file or its room that goes on for so long has noticed that something is wrong; all others get more. */
const patience = { near: 150_000, all: 420_000 };

export interface Verdict {
  /** Which tests noticed the change; null where none did. */
  readonly by: string | null;
  /** It was noticed by a test that did not end. */
  readonly endless?: true;
}

export class Copy implements AsyncDisposable {
  private constructor(private readonly path: string) {}

  /** Sources and tests are copied, since they are changed or lie beside what is; everything else is linked. `without`: test files that fail as things are. */
  static async make(without: readonly string[] = []): Promise<Copy> {
    const path = await mkdtemp(join(tmpdir(), 'agoge-mutants-'));
    for (const name of await readdir(project)) {
      if (['.git', 'dist', 'outputs', 'node_modules'].includes(name)) continue;
      if (['src', 'tests', 'vitest.config.ts', 'package.json', 'tsconfig.json'].includes(name))
        await cp(join(project, name), join(path, name), { recursive: true });
      else await symlink(join(project, name), join(path, name));
    }
    // Package by package, so that what vitest keeps in node_modules is each copy's own.
    await mkdir(join(path, 'node_modules'));
    for (const name of await readdir(join(project, 'node_modules')))
      if (!name.startsWith('.')) await symlink(join(project, 'node_modules', name), join(path, 'node_modules', name));
    for (const file of without) await rm(join(path, file), { force: true });
    return new Copy(path);
  }

  /** Test files that fail here without any change: they could notice nothing. */
  async failing(workers: number): Promise<string[]> {
    const file = join(this.path, 'baseline.json');
    await this.vitest(['run', '--maxWorkers', String(workers), '--reporter', 'json', '--outputFile', file]);
    const { testResults } = JSON.parse(await readFile(file, 'utf8')) as { testResults: { name: string; status: string }[] };
    return testResults.filter(({ status }) => status !== 'passed').map(({ name }) => relative(this.path, name));
  }

  async try({ file, from, to, room }: Mutant, roomOnly: boolean): Promise<Verdict> {
    const path = join(this.path, file);
    const text = await readFile(path, 'utf8');
    try {
      await writeFile(path, changed(text, { file, from, to }));
      const own = file.replace(/\.ts$/, '.test.ts');
      if (existsSync(join(this.path, own))) {
        const first = await this.notices(['run', own], own);
        if (first) return first;
      }
      const second = await this.notices(['related', file, '--run', '--dir', `src/${room}`], `tests of ${room}`);
      if (second || roomOnly) return second ?? { by: null };
      return (await this.notices(['related', file, '--run'], 'related tests', patience.all)) ?? { by: null };
    } finally {
      await writeFile(path, text);
    }
  }

  private async notices(what: readonly string[], by: string, most = patience.near): Promise<Verdict | undefined> {
    const ended = await this.vitest(
      [...what, '--maxWorkers', '1', '--bail', '1', '--passWithNoTests', '--reporter', 'dot'],
      most,
    );
    if (ended === 'endless') return { by, endless: true };
    return ended === 0 ? undefined : { by };
  }

  private vitest(what: readonly string[], most?: number): Promise<number | null | 'endless'> {
    const program = join(project, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [program, ...what, '--project', 'unit'], {
      cwd: this.path,
      stdio: 'ignore',
      detached: true,
    });
    return new Promise((resolve) => {
      const timer =
        most === undefined
          ? undefined
          : setTimeout(() => {
              if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
              resolve('endless');
            }, most);
      child.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Throws where the list no longer fits the sources. */
export async function checkFits(mutant: Mutant): Promise<void> {
  changed(await readFile(join(project, mutant.file), 'utf8'), mutant);
}

function changed(text: string, { file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times ${JSON.stringify(from)}: mend bench/mutants`);
  return text.replace(from, () => to);
}
