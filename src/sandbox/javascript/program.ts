/**
 * JavaScript inside a worker process: QuickJS in WebAssembly, a fresh runtime for every run. The guest has no object of ours: it sees what the
 * prelude below defines. All that passes is JSON texts, made and read by functions that the guest cannot replace.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { QuickJSContext, QuickJSHandle, QuickJSSyncVariant, QuickJSWASMModule, Scope } from 'quickjs-emscripten-core';
import type { Answerer } from '../protocol.ts';
import { failure, readRun, type ProgramRun } from '../run-result.ts';
import type { JavaScriptAnswer, JavaScriptData, JavaScriptRequest } from './requests.ts';

/** What programs for Node expect of their input and output, made of the guest's own objects. Its value turns a result into JSON. */
const prelude = `
(() => {
  const [print, input] = [__print, __input];
  delete globalThis.__print;
  delete globalThis.__input;
  const { parse, stringify } = JSON;
  const { isFinite } = Number;
  const text = String;
  const Unfit = TypeError;
  const say = (value) => print(stringify(text(value)));
  const given = () => parse(input());
  const written = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
      try { return JSON.stringify(value); } catch { return String(value); }
    }
    return String(value);
  };
  const log = (...values) => say(values.map(written).join(' ') + '\\n');
  const none = () => undefined;
  globalThis.console = { log, info: log, debug: none, warn: none, error: none };
  globalThis.print = log;
  let rest;
  globalThis.readline = () => {
    rest ??= given().split('\\n');
    return rest.length > 0 ? rest.shift() : null;
  };
  const readFileSync = (file) => {
    if (file === 0 || file === '/dev/stdin') return given();
    throw new Error('there are no files here');
  };
  globalThis.process = { stdout: { write: (value) => (say(value), true) }, argv: [], env: {} };
  globalThis.require = (name) => {
    if (name === 'fs' || name === 'node:fs') return { readFileSync };
    throw new Error('there is no module ' + name);
  };
  // JSON has no numbers beyond all bounds: it would write null, which is another answer.
  const fit = (_, value) => {
    if (typeof value === 'number' && !isFinite(value)) throw new Unfit('it returned ' + value);
    return value;
  };
  return (value) => stringify({ returned: value === undefined ? null : value }, fit);
})();
`;

const stack = 512 * 1024;

export async function start(data: unknown): Promise<Answerer> {
  const { core, variant } = data as JavaScriptData;
  const [{ newQuickJSWASMModuleFromVariant, newVariant, Scope }, { default: release }] = await Promise.all([
    import(core) as Promise<typeof import('quickjs-emscripten-core')>,
    import(variant) as Promise<{ default: QuickJSSyncVariant }>,
  ]);
  // Compiled once; each request has an instance of its own.
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
  };
  const wasmModule = await wasm.compile(await readFile(fileURLToPath(new URL('emscripten-module.wasm', variant))));
  const compiled = newVariant(release, { wasmModule });
  return async (request, _deadline, restart) => {
    const { inputs, milliseconds, memory, ...rest } = request as JavaScriptRequest;
    const runs: ProgramRun[] = [];
    let engine: QuickJSWASMModule | undefined;
    for (const input of inputs) {
      engine ??= await newQuickJSWASMModuleFromVariant(compiled);
      // The interpreter's own clock ends it first; the process ends where that does not help.
      restart(milliseconds + 1000);
      const clock = new Clock(milliseconds);
      const runtime = engine.newRuntime();
      runtime.setMemoryLimit(memory);
      runtime.setMaxStackSize(stack);
      runtime.setInterruptHandler(() => clock.isUp());
      const context = runtime.newContext();
      const scope = new Scope();
      const run = runOf(context, scope, { ...rest, input, clock });
      if (clock.wasUp) return { runs, late: true } satisfies JavaScriptAnswer;
      runs.push(run);
      // Nothing is asked of an engine whose guest failed: it may have run into its limits. It is dropped, with all of its memory.
      if ('error' in run || !closed([scope, context, runtime])) {
        engine = undefined;
        globalThis.gc?.();
      }
    }
    restart(60_000);
    return { runs } satisfies JavaScriptAnswer;
  };
}

function closed(owners: readonly { dispose(): void }[]): boolean {
  try {
    for (const owner of owners) owner.dispose();
    return true;
  } catch {
    return false;
  }
}

/** Says when a run's time is up, and remembers that it said so: what the guest says of it does not count. */
class Clock {
  wasUp = false;
  private readonly deadline: number;

  constructor(milliseconds: number) {
    this.deadline = Date.now() + milliseconds;
  }

  isUp(): boolean {
    this.wasUp ||= Date.now() > this.deadline;
    return this.wasUp;
  }
}

interface Guest {
  readonly code: string;
  readonly input: string;
  readonly functionName?: string | undefined;
  readonly output: number;
  readonly clock: Clock;
}

function runOf(context: QuickJSContext, scope: Scope, { code, input, functionName, output, clock }: Guest): ProgramRun {
  let printed = '';
  const screen = { full: false };
  try {
    const evaluated = (text: string, name: string): QuickJSHandle =>
      scope.manage(context.unwrapResult(context.evalCode(text, name, { type: 'global' })));
    const returnedBy = (work: QuickJSHandle, ...given: QuickJSHandle[]): QuickJSHandle =>
      scope.manage(context.unwrapResult(context.callFunction(work, context.undefined, ...given)));
    define(context, '__print', (text) => {
      printed += JSON.parse(text) as string;
      if (printed.length <= output) return undefined;
      screen.full = true;
      throw new Error('the output is too long');
    });
    define(context, '__input', () => JSON.stringify(input));
    const inJson = evaluated(prelude, 'prelude.js');
    const given =
      functionName === undefined
        ? []
        : input.split('\n').map((line) => evaluated(`JSON.parse(${JSON.stringify(line)})`, 'given.js'));
    evaluated(code, 'solution.js');
    finishJobs(context, clock);
    if (screen.full) return failure('Error: the output is too long');
    if (functionName === undefined) return { printed };
    const result = returnedBy(evaluated(calledAs(functionName, code), 'call.js'), ...given);
    return readRun(context.getString(returnedBy(inJson, result)));
  } catch (thrown) {
    if (screen.full) return failure('Error: the output is too long');
    return failure(told(thrown), !isSyntax(thrown) || compiles(context, code));
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

/** Promises that can be kept are. Jobs too short for the engine's own clock are stopped between them. */
function finishJobs(context: QuickJSContext, clock: Clock): void {
  const { runtime } = context;
  while (runtime.hasPendingJob()) {
    const done = runtime.executePendingJobs(1000);
    if (done.error) throw new Error(told(context.dump(done.error)));
    if (clock.isUp()) return;
  }
}

/** A function of the program, or a method of its class Solution, as in APPS. */
function calledAs(name: string, code: string): string {
  if (!/^[\w$]+$/.test(name)) throw new Error(`${name} is no name of a function`);
  return /\bclass Solution\b/.test(code)
    ? `(() => { const s = new Solution(); return (...a) => s.${name}(...a); })()`
    : `(${name})`;
}

function told(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  const { name, message } = (thrown ?? {}) as { name?: unknown; message?: unknown };
  return typeof message === 'string' ? `${typeof name === 'string' ? name : 'Error'}: ${message}` : String(thrown);
}

/** A program that runs may throw a SyntaxError too, as JSON.parse does. */
function compiles(context: QuickJSContext, code: string): boolean {
  return context.evalCode(code, 'solution.js', { type: 'global', compileOnly: true }).error === undefined;
}

function isSyntax(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'SyntaxError' || /SyntaxError/.test(String(thrown.cause)));
}
