/** Starts a module of ours as a thread. From our TypeScript sources (a test, a bench) something must read TypeScript in the thread as well. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { testBundle } from './test-bundle.ts';

/** `name` is the module's file without its extension, seen from `from` (the caller's `import.meta.url`). */
export function startThread(name: string, from: string, given: WorkerOptions): Worker {
  const options = { ...given, execArgv: [] };
  if (!from.endsWith('.ts')) return new Worker(new URL(`${name}.js`, from), options);
  const bundle = testBundle(new URL(`${name}.ts`, from).href);
  if (bundle !== undefined) return new Worker(new URL(bundle), options);
  const reader = join(dirname(createRequire(import.meta.url).resolve('tsx/package.json')), 'dist', 'esm', 'api', 'index.mjs');
  const [api, main] = [pathToFileURL(reader).href, new URL(`${name}.ts`, from).href];
  const script = `import(${JSON.stringify(api)}).then(({ register }) => (register(), import(${JSON.stringify(main)})))`;
  return new Worker(script, { ...options, eval: true });
}
