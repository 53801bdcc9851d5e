/**
 * Python inside a worker process: Pyodide, a fresh interpreter for every request from a snapshot of the first, so that no program meets
 * what another left behind. While a program runs, this thread has no process, no network functions and no way to a file.
 */
import { constants } from 'node:fs';
import type { Answerer } from '../protocol.ts';
import { harness } from './harness.ts';
import type { PythonAnswer, PythonData, PythonRequest, PythonRun } from './requests.ts';

interface Interpreter {
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  readonly _module?: { FS?: { filesystems?: Record<string, unknown> } };
}

type Load = (options: Record<string, unknown>) => Promise<Interpreter>;
type Runner = (code: string, given: string, name: string, most: number) => unknown;

/** What a program could reach the world with, were it to find its way out of the interpreter. */
const taken = [
  'process',
  'fetch',
  'WebSocket',
  'XMLHttpRequest',
  'EventSource',
  'require',
  'module',
  'navigator',
  'Request',
  'Response',
];

export async function start(data: unknown): Promise<Answerer> {
  const { module } = data as PythonData;
  // Emscripten looks up the constants of files through a door that the permission model keeps shut.
  Object.assign(process, { binding: () => ({ fs: constants }) });
  const { loadPyodide } = (await import(module)) as { loadPyodide: Load };
  const quiet = { stdin: () => null, stdout: () => undefined, stderr: () => undefined };
  const options = {
    ...quiet,
    jsglobals: Object.setPrototypeOf({ setTimeout, clearTimeout, setInterval, clearInterval }, null) as object,
  };
  const first = await loadPyodide({ ...options, _makeSnapshot: true });
  const snapshot = first.makeMemorySnapshot();
  const fresh = async (): Promise<Runner> => {
    const python = await loadPyodide({ ...options, _loadSnapshot: snapshot });
    const systems = python._module?.FS?.filesystems;
    if (systems) for (const name of Object.keys(systems)) if (name !== 'MEMFS') Reflect.deleteProperty(systems, name);
    return python.runPython(harness) as Runner;
  };
  return async (request, _deadline, restart) => {
    const { code, inputs, functionName, milliseconds, output } = request as PythonRequest;
    const run = await fresh();
    const runs: PythonRun[] = [];
    const held = take();
    try {
      for (const input of inputs) {
        restart(milliseconds);
        runs.push(outcomeOf(run, code, input, functionName ?? '', output));
      }
    } finally {
      give(held);
    }
    restart(60_000);
    return { runs } satisfies PythonAnswer;
  };
}

function outcomeOf(run: Runner, code: string, input: string, name: string, most: number): PythonRun {
  try {
    const answer: unknown = run(code, input, name, most);
    if (typeof answer === 'string') return JSON.parse(answer) as PythonRun;
    return { error: 'the program broke its interpreter', compiles: true };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message.slice(0, 200) : 'the interpreter ended', compiles: true };
  }
}

function take(): ReadonlyMap<string, PropertyDescriptor> {
  const held = new Map<string, PropertyDescriptor>();
  for (const name of taken) {
    const found = Object.getOwnPropertyDescriptor(globalThis, name);
    if (found?.configurable === true && Reflect.deleteProperty(globalThis, name)) held.set(name, found);
  }
  return held;
}

function give(held: ReadonlyMap<string, PropertyDescriptor>): void {
  for (const [name, found] of held) Object.defineProperty(globalThis, name, found);
}
