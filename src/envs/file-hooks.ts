/**
 * Module hooks for the user's own files: `agoge` is the running package wherever the file lies, and types are stripped from
 * TypeScript on Node versions that do not do it themselves.
 */
import { transformSync } from '@swc/wasm-typescript';
import { readFile } from 'node:fs/promises';
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface FileHooks {
  /** Address of the running package's entry. */
  readonly agoge: string;
  /** Whether Node needs types to be stripped for it. */
  readonly strip: boolean;
}

let hooks: FileHooks | undefined;

export const initialize: InitializeHook<FileHooks> = (data) => {
  hooks = data;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  specifier === 'agoge' && hooks ? { url: hooks.agoge, shortCircuit: true } : nextResolve(specifier, context);

export const load: LoadHook = async (url, context, nextLoad) => {
  if (hooks?.strip !== true || !/^file:.*\.m?ts$/.test(url)) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = transformSync(source, { mode: 'transform', module: true, filename: url });
  return { format: 'module', source: code, shortCircuit: true };
};
