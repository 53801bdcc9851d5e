/**
 * Runs JavaScript that nobody vouches for: QuickJS in WebAssembly, in a worker process with limits on time, memory and output. The program has no
 * file, network, process, timer or module; even outside of its engine the process has no rights but to read the engine's own files.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AgogeError } from '../../core/error.ts';
import type { ProgramRun } from '../run-result.ts';
import { Sandbox } from '../sandbox.ts';
import type { JavaScriptAnswer, JavaScriptData, JavaScriptRequest } from './requests.ts';

export interface JavaScriptOptions {
  /** Milliseconds of one run (default 5000). */
  readonly milliseconds?: number;
  /** Bytes that a program may hold (default 128 MiB); its process may hold 256 MiB more. */
  readonly memory?: number;
  /** Characters that a run may print (default 200,000). */
  readonly output?: number;
  readonly workers?: number;
}

/** The engine itself starts outside a program's time. */
const START = 60_000;

export class JavaScript implements AsyncDisposable {
  private readonly sandbox: Sandbox;
  private readonly limits: Pick<JavaScriptRequest, 'milliseconds' | 'output' | 'memory'>;

  constructor({ milliseconds = 5000, memory = 128 * 2 ** 20, output = 200_000, workers = 1 }: JavaScriptOptions = {}) {
    this.limits = { milliseconds, output, memory };
    const source = import.meta.url.endsWith('.ts');
    const { resolve } = createRequire(import.meta.url);
    const folderOf = (name: string, find = resolve): string => dirname(dirname(find(name)));
    const core = folderOf('quickjs-emscripten-core');
    const variant = folderOf('@jitl/quickjs-wasmfile-release-sync');
    const types = folderOf('@jitl/quickjs-ffi-types', createRequire(join(variant, 'package.json')).resolve);
    const entry = (folder: string): string => pathToFileURL(join(folder, 'dist/index.mjs')).href;
    const own = fileURLToPath(new URL('../', import.meta.url));
    this.sandbox = new Sandbox({
      program: new URL(source ? './program.ts' : './program.js', import.meta.url).href,
      data: { core: entry(core), variant: entry(variant) } satisfies JavaScriptData,
      limits: { milliseconds: START, memory: memory + 256 * 2 ** 20, output: 16 * 2 ** 20 },
      reads: [core, variant, types, own].map((folder) => `${folder.replace(/[/\\]+$/, '')}/*`),
      workers,
    });
  }

  /** Runs a program once for each input; throws SANDBOX_TIME where time ended it. Too much memory is an error of its run, as in any program. */
  async run(code: string, inputs: readonly string[], functionName?: string): Promise<readonly ProgramRun[]> {
    const { milliseconds } = this.limits;
    const request: JavaScriptRequest = { code, inputs, ...this.limits, ...(functionName === undefined ? {} : { functionName }) };
    const answer = await this.sandbox
      .run(request, { milliseconds: START + milliseconds * inputs.length })
      .catch((thrown: unknown) => {
        throw thrown instanceof AgogeError && thrown.code === 'SANDBOX_TIME' ? this.late() : thrown;
      });
    const { runs, late } = answer as JavaScriptAnswer;
    if (late === true) throw this.late();
    return runs;
  }

  private late(): AgogeError {
    const seconds = this.limits.milliseconds / 1000;
    return new AgogeError('SANDBOX_TIME', `the program took longer than ${seconds} s: allow more time, or count it as failed`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
  }
}
