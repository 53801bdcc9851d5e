/** Which files a command of the built program loads, as V8 reports them: the measure of a start that no other work on the machine changes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inProject, root } from '../root.ts';

export const mainFile = inProject('dist/cli/main.js');

/** Relative to the project, without Node's own; those of worker threads are among them. */
export function loadedFiles(args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'agoge-loaded-'));
  try {
    spawnSync(process.execPath, [mainFile, ...args], { cwd: folder, env: { ...process.env, NODE_V8_COVERAGE: folder } });
    const reports = readdirSync(folder).filter((name) => /^coverage-.*\.json$/.test(name));
    const urls = reports.flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: readonly { readonly url: string }[] };
      return result.map(({ url }) => url);
    });
    const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
    return [...new Set(files)].map((file) => relative(root, file).replaceAll(sep, '/')).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
