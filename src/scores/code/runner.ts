/** Who runs a program for its tests: the sandbox of our own, or a server (Sandbox Fusion). */
import type { CodeRunner } from './code-runner.ts';

const runners = new Map<string, Promise<CodeRunner>>();

export type Language = 'python' | 'javascript';

/** One runner for each place and language, started when it is first needed; it ends with the process. */
export function codeRunner(url = '', language: Language = 'python'): Promise<CodeRunner> {
  const key = `${language} ${url}`;
  let found = runners.get(key);
  if (!found) {
    found = open(url, language);
    found.catch(() => runners.delete(key));
    runners.set(key, found);
  }
  return found;
}

async function open(url: string, language: Language): Promise<CodeRunner> {
  // Asked for by name when it is needed: it starts processes, and a page that cannot does not carry it.
  const beside = (module: string): string => `${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
  // A sandbox server is asked for Python only: JavaScript needs none.
  if (language === 'javascript') {
    const module = beside('../../sandbox/javascript/javascript');
    const { JavaScript } = (await import(/* @vite-ignore */ module)) as typeof import('../../sandbox/javascript/javascript.ts');
    return new JavaScript();
  }
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
