/** Who runs a program for its tests: the sandbox of our own, or a server (Sandbox Fusion). */
import type { PythonRun } from '../../sandbox/python/requests.ts';

export type { PythonRun } from '../../sandbox/python/requests.ts';

export interface CodeRunner {
  /** Once for each input; rejects with SANDBOX_TIME, _MEMORY, _OUTPUT or _CRASHED where the program was ended. */
  run(code: string, inputs: readonly string[], functionName?: string): Promise<readonly PythonRun[]>;
}

const runners = new Map<string, Promise<CodeRunner>>();

/** One runner for each place, started when it is first needed; it ends with the process. */
export function codeRunner(url = ''): Promise<CodeRunner> {
  let found = runners.get(url);
  if (!found) {
    found = open(url);
    found.catch(() => runners.delete(url));
    runners.set(url, found);
  }
  return found;
}

async function open(url: string): Promise<CodeRunner> {
  // Asked for by name when it is needed: it starts processes, and a page that cannot does not carry it.
  const beside = (module: string): string => `${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
  if (url !== '') {
    const { SandboxFusion } = (await import(
      /* @vite-ignore */ beside('./sandbox-fusion')
    )) as typeof import('./sandbox-fusion.ts');
    return new SandboxFusion(url);
  }
  const module = beside('../../sandbox/python/python');
  const { Python } = (await import(/* @vite-ignore */ module)) as typeof import('../../sandbox/python/python.ts');
  return new Python();
}
