/** A client of Sandbox Fusion's `/run_code` (ByteDance), for those who have such a server: each input is one request. */
import { ask } from '../../core/ask.ts';
import { eachOf } from '../../core/each-of.ts';
import { AgogeError } from '../../core/error.ts';
import type { CodeRunner, ProgramRun } from './code-runner.ts';

export interface FusionOptions {
  /** Seconds of one run (default 10). */
  readonly seconds?: number;
  readonly memory?: number;
  readonly concurrency?: number;
  readonly retries?: number;
}

interface FusionAnswer {
  readonly status?: string;
  readonly message?: string;
  readonly run_result?: {
    readonly status?: string;
    readonly stdout?: string;
    readonly stderr?: string;
    readonly return_code?: number;
  };
}

export class SandboxFusion implements CodeRunner {
  constructor(
    private readonly url: string,
    private readonly options: FusionOptions = {},
  ) {}

  run(code: string, inputs: readonly string[], functionName?: string): Promise<readonly ProgramRun[]> {
    const program = functionName === undefined ? code : called(code, functionName);
    return eachOf(inputs, this.options.concurrency ?? 8, (input) => this.one(program, input, functionName !== undefined));
  }

  private async one(code: string, stdin: string, returns: boolean): Promise<ProgramRun> {
    const { seconds = 10, memory = 1024, retries = 3 } = this.options;
    const body = JSON.stringify({
      code,
      stdin,
      language: 'python',
      compile_timeout: seconds,
      run_timeout: seconds,
      memory_limit_MB: memory,
      files: {},
      fetch_files: [],
    });
    for (let attempt = 0; ; attempt++) {
      try {
        const signal = AbortSignal.timeout((seconds + 20) * 1000);
        const headers = { 'content-type': 'application/json' };
        const { ok, status, text } = await ask(this.url, { method: 'POST', headers, body, signal });
        if (!ok) throw new Error(`it answered ${status}`);
        return runOf(JSON.parse(text) as FusionAnswer, returns);
      } catch (cause) {
        if (attempt < retries) continue;
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new AgogeError('REWARD_SANDBOX', `the sandbox at ${this.url} does not answer (${words}): see that it runs`, {
          cause,
        });
      }
    }
  }
}

function runOf({ status, message, run_result: run }: FusionAnswer, returns: boolean): ProgramRun {
  if (status === 'SandboxError') throw new Error(message ?? 'SandboxError');
  if (status !== 'Success' || run?.status !== 'Finished')
    return { error: run?.status ?? run?.stderr?.slice(0, 200) ?? status ?? 'no result', compiles: true };
  const printed = run.stdout ?? '';
  if (!returns) return { printed };
  try {
    return { returned: JSON.parse(printed.trim().split('\n').at(-1) ?? '') as unknown };
  } catch {
    return { error: 'it returned nothing that is JSON', compiles: true };
  }
}

/** A program that calls the function with what stands on its input, one JSON value a line. */
function called(code: string, name: string): string {
  const call = `import json as _json, sys as _sys\n_given = [_json.loads(_line) for _line in _sys.stdin.read().split("\\n")]\n`;
  const owner = code.includes('class Solution') ? `Solution().${name}` : name;
  return `${code}\n${call}print(_json.dumps(${owner}(*_given)))\n`;
}
