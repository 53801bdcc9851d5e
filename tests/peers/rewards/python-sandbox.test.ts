/**
 * Python that nobody vouches for, in the sandbox as it ships: hostile programs fail within their limits, and what stands around them is
 * untouched. Here and not among the fast tests because an interpreter takes seconds to start. Skipped where pyodide is not installed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Python } from '../../../src/sandbox/python/python.ts';
import { tryAttacks } from '../../attacks/attack.ts';
import { programAttacks } from '../../attacks/programs.ts';

const dist = new URL('../../../dist/sandbox/python/python.js', import.meta.url);
const missing = ((): string | undefined => {
  if (!existsSync(dist)) return 'there is no dist: npm run build';
  try {
    createRequire(import.meta.url).resolve('pyodide');
    return undefined;
  } catch {
    return 'pyodide is not installed';
  }
})();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const evil = join(tmpdir(), `agoge-evil-${process.pid}`);
const out = 'import sys\nfor m in list(sys.modules):\n  if sys.modules[m] is None: del sys.modules[m]\n';

/** Each must fail. */
const hostile: Readonly<Record<string, string>> = {
  fork: 'import os\nos.fork()',
  'reads our files': 'print(open("/etc/passwd").read())',
  network: 'import urllib.request\nprint(urllib.request.urlopen("http://127.0.0.1:9").read())',
  sockets: 'import socket\nsocket.create_connection(("127.0.0.1", 9))',
  'output flood': 'while True: print("x" * 1000)',
  'recursion without end': 'def f(n): return f(n + 1)\nf(0)',
  'ends the process': 'import os\nos._exit(0)',
  'way out by the js module': 'import js\njs.process.exit(0)',
  'way out by run_js': `${out}from pyodide.code import run_js\nprint(run_js("process.pid"))`,
  'way out by a constructor': `${out}import pyodide_js\nprint(pyodide_js.loadPackage.constructor("return process")())`,
  'mounts our files': `${out}import pyodide_js\npyodide_js.mountNodeFS("/mnt", "/etc")\nprint(open("/mnt/passwd").read())`,
};

describe.skipIf(missing !== undefined)('hostile programs', async () => {
  const python: Python | undefined =
    missing === undefined
      ? new ((await import(dist.href)) as { Python: typeof Python }).Python({ milliseconds: 10_000 })
      : undefined;
  afterAll(() => python?.[Symbol.asyncDispose]());
  const run = async (code: string, ...inputs: string[]) => python?.run(code, inputs.length > 0 ? inputs : ['']);

  it.each(Object.entries(hostile))(
    '%s',
    async (_, code) => {
      const runs = (await run(code)) ?? [];
      expect(runs).toHaveLength(1);
      expect(runs[0]).toHaveProperty('error');
    },
    240_000,
  );
  it('writes into a file system in memory only: no file of ours appears or changes', async () => {
    const ours = `${evil}-ours`;
    writeFileSync(ours, 'kept');
    try {
      const paths = JSON.stringify([evil, ours]);
      const write = `import os\nfor p in ${paths}:\n  os.makedirs(os.path.dirname(p), exist_ok=True)\n  print(os.path.exists(p))\n  open(p, "w").write("x")\n  print(open(p).read())`;
      expect(await run(write)).toEqual([{ printed: 'False\nx\nFalse\nx\n' }]);
      expect(existsSync(evil)).toBe(false);
      expect(readFileSync(ours, 'utf8')).toBe('kept');
      // Nor does the next program find it.
      expect(await run(`import os\nprint(os.path.exists(${JSON.stringify(evil)}))`)).toEqual([{ printed: 'False\n' }]);
    } finally {
      rmSync(ours);
    }
  }, 240_000);
  it('every way out of Pyodide that is known is survived', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agoge-escapes-'));
    try {
      const verdicts = await tryAttacks(
        programAttacks('python', () => python as Python),
        folder,
        1,
      );
      expect(verdicts.flatMap(({ attack, harm }) => (harm === undefined ? [] : [`${attack.name}: ${harm}`]))).toEqual([]);
      expect(verdicts.length).toBeGreaterThan(40);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 1_800_000);
  it('imports what honest programs import', async () => {
    const names = 'queue threading logging unittest sqlite3 decimal hashlib datetime pathlib tempfile uuid asyncio dataclasses';
    expect(
      await run(
        `${names
          .split(' ')
          .map((name) => `import ${name}`)
          .join('\n')}\nprint(1)`,
      ),
    ).toEqual([{ printed: '1\n' }]);
  }, 240_000);
  it('sys.exit ends only itself, and what it printed counts', async () => {
    expect(await run('print(1)\nimport sys\nsys.exit(3)')).toEqual([{ printed: '1\n' }]);
  }, 240_000);
  it('what one program breaks the next does not meet', async () => {
    const patch = 'import builtins, json\njson.dumps = lambda *a, **k: \'{"printed": "7"}\'\nbuiltins.print = None';
    await run(patch);
    expect(await run('print(input())', 'a', 'b')).toEqual([{ printed: 'a\n' }, { printed: 'b\n' }]);
  }, 240_000);
  it.each([
    ['endless loop', 'while True: pass', 'SANDBOX_TIME'],
    ['loop that catches everything', 'while True:\n  try:\n    while True: pass\n  except BaseException: pass', 'SANDBOX_TIME'],
    ['memory bomb', 'x = []\nwhile True: x.append("a" * 10_000_000)', 'SANDBOX_MEMORY'],
  ])(
    '%s',
    async (_, code, expected) => {
      // Within Python's own bound memory is an error of its own; beyond it the worker is ended.
      const ended = await run(code).then(
        (runs) => (runs?.[0] && 'error' in runs[0] && runs[0].error.startsWith('MemoryError') ? 'SANDBOX_MEMORY' : runs),
        (thrown: unknown) => (thrown as { code?: string }).code,
      );
      expect(ended).toBe(expected);
      expect(await run('print(2)')).toEqual([{ printed: '2\n' }]);
    },
    240_000,
  );
});
