/** A copy of the sources in which one change at a time is made and the unit tests are run. Needs Node and node_modules alone. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root as project } from '../../root.ts';
import type { Mutant } from './list.ts';
import { testsOf } from './related.ts';

/** Tests that go on for so long, in milliseconds, do not end. */
const patience = 150_000;
/** So many test files are run at once, the nearest first: most changes are noticed by the first few. */
const groupSize = 12;

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
      for (const { files, name } of groups(this.path, file, room, roomOnly)) {
        const ended = await this.run(files);
        if (ended === 0) continue;
        if (ended !== 'endless') return { by: name };
        // Slow tests are not awake ones: what does not end counts only where the same tests end without the change.
        await writeFile(path, text);
        if ((await this.run(files)) === 0) return { by: name, endless: true };
        await writeFile(path, changed(text, { file, from, to }));
      }
      return { by: null };
    } finally {
      await writeFile(path, text);
    }
  }

  private run(files: readonly string[]): Promise<number | null | 'endless'> {
    return this.vitest(['run', ...files, '--maxWorkers', '1', '--bail', '1', '--passWithNoTests', '--reporter', 'dot'], patience);
  }

  private vitest(what: readonly string[], most?: number): Promise<number | null | 'endless'> {
    const program = join(project, 'node_modules/vitest/vitest.mjs');
    const projects = ['unit', 'engines', 'alone'].flatMap((name) => ['--project', name]);
    const child = spawn(process.execPath, [program, ...what, ...projects], {
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

/** The test files that lead to a changed one, in the order in which they are asked. Files that were left out of the copy are not there. */
function* groups(
  path: string,
  file: string,
  room: string,
  roomOnly: boolean,
): Generator<{ files: readonly string[]; name: string }> {
  const own = file.replace(/\.ts$/, '.test.ts');
  const tests = testsOf(path, file).filter((test) => test !== own);
  const inRoom = (test: string): boolean => test.startsWith(`src/${room}/`);
  if (existsSync(join(path, own))) yield { files: [own], name: own };
  yield* inPieces(tests.filter(inRoom), `tests of ${room}`);
  if (!roomOnly)
    yield* inPieces(
      tests.filter((test) => !inRoom(test)),
      'related tests',
    );
}

function* inPieces(tests: readonly string[], name: string): Generator<{ files: readonly string[]; name: string }> {
  for (let at = 0; at < tests.length; at += groupSize) yield { files: tests.slice(at, at + groupSize), name };
}

/** Throws where the list no longer fits the sources. */
export async function checkFits(mutant: Mutant): Promise<void> {
  changed(await readFile(join(project, mutant.file), 'utf8'), mutant);
}

function changed(text: string, { file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times ${JSON.stringify(from)}: mend bench/robustness/mutants`);
  return text.replace(from, () => to);
}
