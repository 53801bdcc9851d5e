/** What a guest of QuickJS sees, may say and is refused, asked of the program; its walls: tests/attacks/javascript-sandbox.test.ts. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answerer } from '../protocol.ts';
import { start } from './program.ts';
import type { JavaScriptAnswer, JavaScriptRequest } from './requests.ts';

const { resolve } = createRequire(import.meta.url);
const entry = (name: string): string => pathToFileURL(resolve(name).replace(/index\.\w+$/, 'index.mjs')).href;
let answer: Answerer;
beforeAll(async () => {
  answer = await start({ core: entry('quickjs-emscripten-core'), variant: entry('@jitl/quickjs-wasmfile-release-sync') });
});

async function asked(request: Partial<JavaScriptRequest>): Promise<JavaScriptAnswer> {
  const whole = { code: '', inputs: [''], milliseconds: 20_000, output: 1000, memory: 2 ** 25, ...request };
  return (await answer(whole, Infinity, () => undefined)) as JavaScriptAnswer;
}
const ran = async (code: string, input = '', functionName?: string) =>
  (await asked({ code, inputs: [input], functionName })).runs[0];

describe('what a program prints', () => {
  it.each([
    ['values with a blank between', 'console.log("a", 1, true, null, undefined)', 'a 1 true null undefined\n'],
    ['lists and objects as JSON', 'print([1, [2]], { a: "b" })', '[1,[2]] {"a":"b"}\n'],
    ['an error as its words', 'print(new Error("x"))', 'Error: x\n'],
    ['what JSON cannot write as its words', 'const a = {}; a.a = a; print(a)', '[object Object]\n'],
    ['without a line end', 'process.stdout.write("a"); process.stdout.write("b")', 'ab'],
    ['console.info too', 'console.info(1)', '1\n'],
    ['nothing of what goes to standard error', 'console.error(1); console.warn(2); console.debug(3)', ''],
    ['an empty line', 'print()', '\n'],
    ['text of all kinds', 'print("ü\\u2028😀\\0")', 'ü\u2028😀\0\n'],
  ])('%s', async (_, code, printed) => expect(await ran(code)).toEqual({ printed }));

  it('ends where it is longer than allowed, even if the program catches it', async () => {
    const tooLong = { error: 'Error: the output is too long', compiles: true };
    expect(await ran('print("x".repeat(999))')).toEqual({ printed: `${'x'.repeat(999)}\n` });
    expect(await ran('print("x".repeat(1000))')).toEqual(tooLong);
    expect(await ran('try { for (;;) print("xxxx"); } catch {}')).toEqual(tooLong);
  });
});

describe('what a program reads', () => {
  it.each([
    ['line by line, then null', 'print(readline(), readline(), readline())', 'a\nb', 'a b null\n'],
    ['an empty input is one empty line', 'print(JSON.stringify(readline()), readline())', '', '"" null\n'],
    ['all of it as in Node', 'print(require("fs").readFileSync(0, "utf8").length)', 'a\nb', '3\n'],
    ['by its path', 'print(require("node:fs").readFileSync("/dev/stdin"))', 'x', 'x\n'],
    ['a text that looks like code', 'print(readline())', '"); throw 1; ("', '"); throw 1; ("\n'],
  ])('%s', async (_, code, input, printed) => expect(await ran(code, input)).toEqual({ printed }));
});

describe('what a program is refused', () => {
  it.each([
    ['another file', 'require("fs").readFileSync("/etc/passwd")', 'Error: there are no files here'],
    ['a file by its number', 'require("fs").readFileSync(3)', 'Error: there are no files here'],
    ['writing', 'require("fs").writeFileSync("x", "y")', 'TypeError: not a function'],
    ['another module', 'require("net")', 'Error: there is no module net'],
    ['timers', 'setTimeout(() => 0)', "ReferenceError: 'setTimeout' is not defined"],
    ['fetch', 'fetch("http://127.0.0.1")', "ReferenceError: 'fetch' is not defined"],
    ['the end of the process', 'process.exit()', 'TypeError: not a function'],
    ['our own functions', '__print("x")', "ReferenceError: '__print' is not defined"],
  ])('%s', async (_, code, error) => expect(await ran(code)).toEqual({ error, compiles: true }));

  it('no variable of the environment and no argument', async () =>
    expect(await ran('print(Object.keys(process.env).length, process.argv.length, Object.keys(process))')).toEqual({
      printed: '0 0 ["stdout","argv","env"]\n',
    }));

  it('a stack without end', async () =>
    expect(await ran('const f = () => f() + 1; f()')).toMatchObject({ error: /stack overflow/ }));
});

describe('functions', () => {
  it.each([
    ['by its name', 'function add(a, b) { return a + b }', '1\n2', 'add', { returned: 3 }],
    ['in a constant', 'const f = (a) => [a, "x"]', '{"k":[1]}', 'f', { returned: [{ k: [1] }, 'x'] }],
    ['of a class Solution', 'class Solution { k = 2; f(a) { return a * this.k } }', '4', 'f', { returned: 8 }],
    ['undefined is null, as None is', 'function f() {}', '1', 'f', { returned: null }],
    [
      'no number beyond all bounds',
      'const f = () => [1 / 0]',
      '1',
      'f',
      { error: 'TypeError: it returned Infinity', compiles: true },
    ],
    ['no NaN', 'const f = () => 0 / 0', '1', 'f', { error: 'TypeError: it returned NaN', compiles: true }],
    ['no other name than a name', 'const f = 1', '1', 'f;1', { error: 'Error: f;1 is no name of a function', compiles: true }],
    ['one that is not there', 'const f = 1', '1', 'g', { error: "ReferenceError: 'g' is not defined", compiles: true }],
    ['what is no function', 'const f = 1', '1', 'f', { error: 'TypeError: not a function', compiles: true }],
    [
      'an argument that is no JSON',
      'const f = (a) => a',
      'x',
      'f',
      { error: expect.stringMatching(/^SyntaxError/) as string, compiles: true },
    ],
  ])('%s', async (_, code, input, name, expected) => expect(await ran(code, input, name)).toEqual(expected));

  it('cannot be helped by tools that the program has replaced', async () => {
    const tampered = 'JSON.stringify = () => \'{"returned":42}\'; Number.isFinite = () => true; String = () => "42"; ';
    expect(await ran(`${tampered}const f = (a) => a`, '5', 'f')).toEqual({ returned: 5 });
    expect(await ran(`${tampered}const f = () => Infinity`, '5', 'f')).toMatchObject({
      error: 'TypeError: it returned Infinity',
    });
    expect(await ran('JSON.parse = () => 42; print(readline())', 'a')).toEqual({ printed: 'a\n' });
  });
});

describe('runs of one request', () => {
  it('are strangers to each other', async () => {
    const code =
      'globalThis.seen = (globalThis.seen ?? 0) + 1; Array.prototype.join = () => "x"; print(globalThis.seen, readline())';
    expect((await asked({ code: code.replace('Array.prototype.join = () => "x"; ', ''), inputs: ['a', 'b'] })).runs).toEqual([
      { printed: '1 a\n' },
      { printed: '1 b\n' },
    ]);
    expect((await asked({ code, inputs: ['a'] })).runs).toEqual([{ printed: 'x\n' }]);
    expect((await asked({ code: 'print(1, 2)', inputs: [''] })).runs).toEqual([{ printed: '1 2\n' }]);
  });

  it('go on after one that failed', async () =>
    expect(
      (await asked({ code: 'if (readline() === "a") throw new RangeError("no"); print(2)', inputs: ['a', 'b'] })).runs,
    ).toEqual([{ error: 'RangeError: no', compiles: true }, { printed: '2\n' }]));

  it.each([
    ['an endless loop', 'if (readline() === "b") for (;;) {}'],
    ['one that catches its end', 'if (readline() === "b") for (;;) { try { for (;;) {} } catch {} }'],
    ['promises without end', 'const again = () => Promise.resolve().then(again); if (readline() === "b") again()'],
  ])('%s ends the request, with the runs before it', async (_, code) => {
    const { runs, late } = await asked({ code, inputs: ['a', 'b', 'c'], milliseconds: 60 });
    // On a busy machine the first of them may be late as well.
    expect([[], [{ printed: '' }]]).toContainEqual(runs);
    expect(late).toBe(true);
  });

  it('wait for promises', async () => {
    expect(await ran('Promise.resolve(5).then((v) => print(v)); print(4)')).toEqual({ printed: '4\n5\n' });
  });

  it.each([
    ['let let = 1', false],
    ['function (', false],
    ['missing()', true],
    ['throw new SyntaxError("mine")', true],
    ['JSON.parse("{")', true],
    ['eval("let let")', true],
    ['throw "words"', true],
    ['throw null', true],
    ['throw { name: 5, message: 6 }', true],
  ])('%s is a program: %s', async (code, compiles) => {
    const run = await ran(code);
    expect(run).toMatchObject({ error: expect.any(String) as string, compiles });
    expect((run as { error: string }).error.length).toBeLessThanOrEqual(200);
  });
});
