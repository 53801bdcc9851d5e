/**
 * Python inside a worker process: Pyodide, a fresh interpreter for every request from a snapshot of the first, so that no program meets
 * what another left behind. Program and answer pass as files in the interpreter's memory; while a program runs and ever after, its
 * interpreter can call nothing of JavaScript's (border.ts).
 */
import { constants } from 'node:fs';
import type { Answerer } from '../protocol.ts';
import { readRun, type ProgramRun } from '../run-result.ts';
import { behindBorder } from './border.ts';
import { answerFile, call, harness, requestFile } from './harness.ts';
import type { PythonAnswer, PythonData, PythonRequest } from './requests.ts';

interface Interpreter {
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  readonly FS: Files;
  readonly _module: { _PyRun_SimpleString(text: number): number; stringToNewUTF8(text: string): number };
}

interface Files {
  readonly filesystems?: Record<string, unknown>;
  writeFile(path: string, text: string): void;
  readFile(path: string): Uint8Array;
  stat(path: string): { size: number };
  unlink(path: string): void;
}

type Load = (options: Record<string, unknown>) => Promise<Interpreter>;

/** Bytes that an answer may have: a printed character can take twelve. */
const longest = 8 * 2 ** 20;

export async function start(data: unknown): Promise<Answerer> {
  const { module } = data as PythonData;
  // Emscripten looks up the constants of files through a door that the permission model keeps shut.
  Object.assign(process, { binding: () => ({ fs: constants }) });
  // An interpreter is dropped whole: nothing of it is called once more when its objects are collected.
  Object.assign(globalThis, { FinalizationRegistry: Forgetful });
  const { loadPyodide } = (await import(module)) as { loadPyodide: Load };
  const quiet = { stdin: () => null, stdout: () => undefined, stderr: () => undefined };
  const options = { ...quiet, jsglobals: Object.create(null) as object };
  const first = await loadPyodide({ ...options, _makeSnapshot: true });
  const snapshot = first.makeMemorySnapshot();
  return async (request, _deadline, restart) => {
    const { code, inputs, functionName, milliseconds, output } = request as PythonRequest;
    const [python, border] = await behindBorder(() => loadPyodide({ ...options, _loadSnapshot: snapshot }));
    const systems = python.FS.filesystems;
    if (systems) for (const name of Object.keys(systems)) if (name !== 'MEMFS') Reflect.deleteProperty(systems, name);
    python.runPython(harness);
    const calling = python._module.stringToNewUTF8(call);
    border.close();
    const runs: ProgramRun[] = [];
    for (const input of inputs) {
      restart(milliseconds);
      python.FS.writeFile(requestFile, JSON.stringify({ code, given: input, function: functionName ?? '', most: output }));
      const run = outcomeOf(python, calling);
      if (!run) break; // One that broke its interpreter is not run again.
      runs.push(run);
    }
    restart(60_000);
    const broken: ProgramRun = { error: 'the program broke its interpreter', compiles: true };
    return { runs: inputs.map((_, i) => runs[i] ?? broken) } satisfies PythonAnswer;
  };
}

/** Undefined where the interpreter did not come to an end of its own. */
function outcomeOf({ _module, FS }: Interpreter, calling: number): ProgramRun | undefined {
  try {
    _module._PyRun_SimpleString(calling);
    if (FS.stat(answerFile).size > longest) return { error: 'the answer is too long', compiles: true };
    const answer = Buffer.from(FS.readFile(answerFile)).toString('utf8');
    FS.unlink(answerFile);
    return readRun(answer);
  } catch {
    return undefined;
  }
}

class Forgetful {
  register(): void {}
  unregister(): void {}
}
