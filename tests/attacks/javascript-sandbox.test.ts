/** JavaScript that nobody vouches for, in the sandbox as it ships: hostile programs fail within their limits, and nothing of ours is reached. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JavaScript } from '../../src/sandbox/javascript/javascript.ts';
import { tryAttacks } from './attack.ts';
import { programAttacks } from './programs.ts';

const dist = new URL('../../dist/sandbox/javascript/javascript.js', import.meta.url);
const { JavaScript: Runner } = (await import(dist.href)) as { JavaScript: typeof JavaScript };
const sandbox = new Runner({ milliseconds: 20_000, memory: 64 * 2 ** 20 });
const hasty = new Runner({ milliseconds: 200 });
/** Long enough for an honest program on a busy machine, short enough for those that never end. */
const guarded = new Runner({ milliseconds: 3000 });
afterAll(() => Promise.all([sandbox, hasty, guarded].map((one) => one[Symbol.asyncDispose]())));

const evil = join(tmpdir(), `agoge-evil-js-${process.pid}`);

/** Each must fail with an error of its own; none may print. */
const hostile: Readonly<Record<string, string>> = {
  'reads our files': 'print(require("fs").readFileSync("/etc/passwd"))',
  'writes our files': `require("fs").writeFileSync(${JSON.stringify(evil)}, "x")`,
  'starts a process': 'require("child_process").execSync("id")',
  network: 'fetch("http://127.0.0.1:9")',
  sockets: 'new WebSocket("ws://127.0.0.1:9")',
  'ends the process': 'process.exit(0)',
  'kills its parent': 'process.kill(1)',
  'way out by a constructor': 'print(print.constructor("return process.mainModule.require")()("fs"))',
  'way out by a prototype': 'print(console.log.constructor.constructor("return process.binding(\'fs\')")().open)',
  'way out by the host’s errors':
    'try { null.x } catch (e) { print(e.constructor.constructor("return process.getBuiltinModule")()("fs")) }',
  'imports a module': 'import("node:fs").then((fs) => print(fs.readFileSync("/etc/passwd", "utf8")));\nthrow new Error("no")',
  'output flood': 'for (;;) print("x".repeat(1000))',
  'recursion without end': 'const f = () => f() + 1; f()',
  WebAssembly: 'new WebAssembly.Memory({ initial: 1 })',
  'shared memory': 'print(new SharedArrayBuffer(8).constructor.constructor("return this")().process.env.HOME.length)',
};

describe('hostile programs', () => {
  it.each(Object.entries(hostile))('%s', async (_, code) => {
    const [run] = await sandbox.run(code, ['']);
    expect(run).toHaveProperty('error');
    expect(existsSync(evil)).toBe(false);
  });
  it.each([
    ['endless loop', 'for (;;) {}', 'SANDBOX_TIME'],
    ['loop that catches everything', 'for (;;) { try { for (;;) {} } catch {} }', 'SANDBOX_TIME'],
    ['endless promises', 'const again = () => Promise.resolve().then(again); again()', 'SANDBOX_TIME'],
    ['hard regular expression', '/^(a+)+$/.test("a".repeat(50) + "b")', 'SANDBOX_TIME'],
  ])('%s is ended at its limit, and the next program runs', async (_, code, expected) => {
    await expect(hasty.run(code, [''])).rejects.toMatchObject({ code: expected });
    expect(await sandbox.run('print(2)', [''])).toEqual([{ printed: '2\n' }]);
  });
  it.each(['const x = []; for (;;) x.push(new Uint8Array(2 ** 23))', 'new Uint8Array(2 ** 30)'])(
    'more memory than there is: %s',
    async (code) => {
      // An error of its own within the engine's bound; beyond it the process is ended.
      const ended = await sandbox.run(code, ['']).catch((thrown: unknown) => (thrown as { code?: string }).code);
      if (ended !== 'SANDBOX_MEMORY') expect(ended).toMatchObject([{ error: expect.stringMatching(/out of memory/) as string }]);
      expect(await sandbox.run('print(2)', [''])).toEqual([{ printed: '2\n' }]);
    },
  );
  it('cannot pretend, and what one breaks the next does not meet', async () => {
    const patch = 'JSON.stringify = () => "7"; JSON.parse = () => 7; console.log = () => print("7"); Array.prototype.map = null;';
    await sandbox.run(patch, ['']);
    expect(await sandbox.run('console.log(readline(), [1, { a: 2 }])', ['a', 'b'])).toEqual([
      { printed: 'a [1,{"a":2}]\n' },
      { printed: 'b [1,{"a":2}]\n' },
    ]);
  });
});

it('survives every way out of QuickJS and vm2 that is known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agoge-escapes-'));
  try {
    const verdicts = await tryAttacks(
      programAttacks('javascript', () => guarded),
      folder,
      1,
    );
    expect(verdicts.flatMap(({ attack, harm }) => (harm === undefined ? [] : [`${attack.name}: ${harm}`]))).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(40);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('honest programs', () => {
  it('read lines, or all of their input as in Node', async () => {
    const sum =
      'const fs = require("fs"); console.log(fs.readFileSync(0, "utf8").split("\\n").map(Number).reduce((a, b) => a + b));';
    expect(await sandbox.run(sum, ['1\n2', '3\n4'])).toEqual([{ printed: '3\n' }, { printed: '7\n' }]);
  });
  it('are functions too, by themselves or of a class', async () => {
    expect(await sandbox.run('const add = (a, b) => ({ sum: a + b, all: [a, b] });', ['1\n2'], 'add')).toEqual([
      { returned: { sum: 3, all: [1, 2] } },
    ]);
    const solution = 'class Solution { constructor() { this.k = 2 } twice(list) { return list.map((n) => n * this.k) } }';
    expect(await sandbox.run(solution, ['[1, 2]'], 'twice')).toEqual([{ returned: [2, 4] }]);
  });
  it('may wait for promises', async () => {
    expect(await sandbox.run('(async () => { await null; print(await 5); })()', [''])).toEqual([{ printed: '5\n' }]);
  });
  it('are told what is wrong with them', async () => {
    expect(await sandbox.run('let let = 1', [''])).toMatchObject([{ compiles: false }]);
    expect(await sandbox.run('missing()', [''])).toEqual([
      { error: expect.stringMatching(/ReferenceError.*missing/) as string, compiles: true },
    ]);
  });
});
