/**
 * Runs Python that nobody vouches for: Pyodide in a worker process with limits on time, memory and output, without files of ours, network or
 * processes. The package `pyodide` (14 MB) is not part of Agoge: whoever scores programs installs it, and nothing is fetched at run time.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AgogeError } from '../../core/error.ts';
import { Sandbox } from '../sandbox.ts';
import type { ProgramRun } from '../run-result.ts';
import type { PythonAnswer, PythonData, PythonRequest } from './requests.ts';

export interface PythonOptions {
  /** Milliseconds of one run (default 5000). */
  readonly milliseconds?: number;
  /** Bytes of the whole worker; an idle one holds about 270 MiB (default 640 MiB). */
  readonly memory?: number;
  /** Characters that a run may print (default 200,000). */
  readonly output?: number;
  readonly workers?: number;
}

/** The interpreter itself starts outside a program's time. */
const START = 120_000;

export class Python implements AsyncDisposable {
  private readonly sandbox: Sandbox;
  private readonly milliseconds: number;
  private readonly output: number;

  constructor({ milliseconds = 5000, memory = 640 * 2 ** 20, output = 200_000, workers = 1 }: PythonOptions = {}) {
    this.milliseconds = milliseconds;
    this.output = output;
    const source = import.meta.url.endsWith('.ts');
    const module = pyodide();
    this.sandbox = new Sandbox({
      program: new URL(source ? './program.ts' : './program.js', import.meta.url).href,
      data: { module: pathToFileURL(join(module, 'pyodide.mjs')).href } satisfies PythonData,
      limits: { milliseconds: START, memory, output: 16 * 2 ** 20 },
      reads: [below(module), below(fileURLToPath(new URL('../', import.meta.url)))],
      workers,
    });
  }

  /** Runs a program once for each input; throws SANDBOX_TIME, _MEMORY or _OUTPUT where a limit ended it. */
  async run(code: string, inputs: readonly string[], functionName?: string): Promise<readonly ProgramRun[]> {
    const { milliseconds, output } = this;
    const request: PythonRequest = {
      code,
      inputs,
      milliseconds,
      output,
      ...(functionName === undefined ? {} : { functionName }),
    };
    try {
      const answer = await this.sandbox.run(request, { milliseconds: START + milliseconds * inputs.length });
      return (answer as PythonAnswer).runs;
    } catch (thrown) {
      if (!(thrown instanceof AgogeError) || thrown.code !== 'SANDBOX_TIME') throw thrown;
      throw new AgogeError(
        'SANDBOX_TIME',
        `the program took longer than ${milliseconds / 1000} s: allow more time, or count it as failed`,
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
  }
}

function below(folder: string): string {
  return `${folder.replace(/[/\\]+$/, '')}/*`;
}

/** The folder of the package, installed beside Agoge or where the command is run. */
function pyodide(): string {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'x.js')).href]) {
    try {
      return dirname(createRequire(from).resolve('pyodide'));
    } catch {
      continue;
    }
  }
  throw new AgogeError('SANDBOX_NO_PYTHON', 'running Python needs the package pyodide (14 MB): npm install pyodide@314.0.7');
}
