/**
 * JavaScript inside a worker process: QuickJS in WebAssembly, a fresh engine for every run. The guest has no object of ours: it sees what the
 * prelude below defines and two functions, one that takes printed text and one that gives the input, both of plain texts.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { QuickJSContext, QuickJSHandle, QuickJSSyncVariant } from 'quickjs-emscripten-core';
import type { Answerer } from '../protocol.ts';
import type { PythonRun } from '../python/requests.ts';
import type { JavaScriptAnswer, JavaScriptData, JavaScriptRequest } from './requests.ts';

/** What programs for Node expect of their input and output, made of the guest's own objects. */
const prelude = `
(() => {
  const [print, input] = [__print, __input];
  delete globalThis.__print;
  delete globalThis.__input;
  const written = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
      try { return JSON.stringify(value); } catch { return String(value); }
    }
    return String(value);
  };
  const log = (...values) => print(values.map(written).join(' ') + '\\n');
  const none = () => undefined;
  globalThis.console = { log, info: log, debug: none, warn: none, error: none };
  globalThis.print = log;
  let rest;
  globalThis.readline = () => {
    rest ??= input().split('\\n');
    return rest.length > 0 ? rest.shift() : null;
  };
  const readFileSync = (file) => {
    if (file === 0 || file === '/dev/stdin') return input();
    throw new Error('there are no files here');
  };
  globalThis.process = { stdout: { write: (text) => (print(String(text)), true) }, argv: [], env: {} };
  globalThis.require = (name) => {
    if (name === 'fs' || name === 'node:fs') return { readFileSync };
    throw new Error('there is no module ' + name);
  };
})();
`;

const stack = 512 * 1024;

export async function start(data: unknown): Promise<Answerer> {
  const { core, variant } = data as JavaScriptData;
  const [{ newQuickJSWASMModuleFromVariant, newVariant, shouldInterruptAfterDeadline }, { default: release }] = await Promise.all(
    [
      import(core) as Promise<typeof import('quickjs-emscripten-core')>,
      import(variant) as Promise<{ default: QuickJSSyncVariant }>,
    ],
  );
  // Compiled once; each request has an instance of its own.
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
  };
  const wasmModule = await wasm.compile(await readFile(fileURLToPath(new URL('emscripten-module.wasm', variant))));
  const compiled = newVariant(release, { wasmModule });
  return async (request, _deadline, restart) => {
    const { code, inputs, functionName, milliseconds, output, memory } = request as JavaScriptRequest;
    const runs: PythonRun[] = [];
    // WebAssembly's memory only grows: a module for each request gives it back.
    const engine = await newQuickJSWASMModuleFromVariant(compiled);
    for (const input of inputs) {
      // The interpreter's own clock ends it first; the process ends where that does not help.
      restart(milliseconds + 1000);
      const runtime = engine.newRuntime();
      runtime.setMemoryLimit(memory);
      runtime.setMaxStackSize(stack);
      const deadline = Date.now() + milliseconds;
      runtime.setInterruptHandler(shouldInterruptAfterDeadline(deadline));
      const context = runtime.newContext();
      runs.push(runOf(context, { code, input, functionName, output, deadline }));
      if (isBroken(runs.at(-1))) break; // what is left of an engine that ran into its limits is not closed but dropped
      context.dispose();
      runtime.dispose();
    }
    restart(60_000);
    return { runs } satisfies JavaScriptAnswer;
  };
}

interface Guest {
  readonly code: string;
  readonly input: string;
  readonly functionName?: string | undefined;
  readonly output: number;
  /** When it is interrupted, in milliseconds since 1970. */
  readonly deadline: number;
}

function runOf(context: QuickJSContext, { code, input, functionName, output, deadline }: Guest): PythonRun {
  let printed = '';
  const screen = { full: false };
  try {
    define(context, '__print', (text) => {
      printed += text;
      if (printed.length <= output) return undefined;
      screen.full = true;
      throw new Error('the output is too long');
    });
    define(context, '__input', () => input);
    context.unwrapResult(context.evalCode(prelude, 'prelude.js')).dispose();
    const given =
      functionName === undefined
        ? []
        : input.split('\n').map((line) => evaluated(context, `JSON.parse(${JSON.stringify(line)})`));
    evaluated(context, code, 'solution.js').dispose();
    finishJobs(context, deadline);
    if (screen.full) return failure('Error: the output is too long');
    if (functionName === undefined) return { printed };
    const called = evaluated(context, calledAs(functionName, code));
    const result = context.unwrapResult(context.callFunction(called, context.undefined, ...given));
    const returned: unknown = context.dump(result);
    for (const handle of [called, result, ...given]) handle.dispose();
    return { returned: returned ?? null };
  } catch (thrown) {
    return screen.full ? failure('Error: the output is too long') : failure(told(thrown), !isSyntax(thrown));
  }
}

function define(context: QuickJSContext, name: string, work: (text: string) => string | undefined): void {
  const handle = context.newFunction(name, (given?: QuickJSHandle) => {
    const answer = work(given === undefined ? '' : context.getString(given));
    return answer === undefined ? context.undefined : context.newString(answer);
  });
  context.setProp(context.global, name, handle);
  handle.dispose();
}

function evaluated(context: QuickJSContext, code: string, name = 'given.js'): QuickJSHandle {
  return context.unwrapResult(context.evalCode(code, name, { type: 'global' }));
}

/** Promises that can be kept are. Jobs too short for the engine's own clock are stopped between them. */
function finishJobs(context: QuickJSContext, deadline: number): void {
  const { runtime } = context;
  while (runtime.hasPendingJob()) {
    const done = runtime.executePendingJobs(1000);
    if (done.error) throw new Error(told(context.dump(done.error)));
    if (Date.now() > deadline) throw new Error('interrupted');
  }
}

/** A function of the program, or a method of its class Solution, as in APPS. */
function calledAs(name: string, code: string): string {
  if (!/^[\w$]+$/.test(name)) throw new Error(`${name} is no name of a function`);
  return /\bclass Solution\b/.test(code)
    ? `(() => { const s = new Solution(); return (...a) => s.${name}(...a); })()`
    : `(${name})`;
}

function failure(error: string, compiles = true): PythonRun {
  return { error: error.slice(0, 200), compiles };
}

function isBroken(run: PythonRun | undefined): boolean {
  return run !== undefined && 'error' in run && /interrupted|out of memory|unreachable|stack/i.test(run.error);
}

function told(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  const { name, message } = (thrown ?? {}) as { name?: unknown; message?: unknown };
  return typeof message === 'string' ? `${typeof name === 'string' ? name : 'Error'}: ${message}` : String(thrown);
}

function isSyntax(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'SyntaxError' || /SyntaxError/.test(String(thrown.cause)));
}
