/**
 * Module hooks for the user's own files: `agoge` is the running package wherever the file lies, and TypeScript is read where Node does
 * not do it itself: before 22.18, in packages that are installed, and where more than types has to go.
 */
import { readFile } from 'node:fs/promises';
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface FileHooks {
  /** Address of the running package's entry. */
  readonly agoge: string;
  /** The working folder: packages are looked for from there. */
  readonly from: string;
  /** Before the name of a package that is looked for from there, not from ours. */
  readonly prefix: string;
  /** Whether Node needs types to be stripped for it. */
  readonly strip: boolean;
}

let hooks: FileHooks | undefined;

export const initialize: InitializeHook<FileHooks> = (data) => {
  hooks = data;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  if (!hooks) return nextResolve(specifier, context);
  if (specifier === 'agoge') return { url: hooks.agoge, shortCircuit: true };
  const entry = /^agoge\/([a-z]+)$/.exec(specifier)?.[1];
  if (entry !== undefined) return { url: new URL(`./${entry}.js`, hooks.agoge).href, shortCircuit: true };
  if (!specifier.startsWith(hooks.prefix)) return nextResolve(specifier, context);
  return nextResolve(specifier.slice(hooks.prefix.length), { ...context, parentURL: hooks.from });
};

/** Node takes types away and nothing else. What looks like more is not proof: it is then read here, to the same end. */
const moreThanTypes =
  /\b(?:enum|namespace)\s+\w|\bconstructor\s*\([^)]*\b(?:private|public|protected|readonly)\s|\bimport\s+\w+\s*=/;

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!hooks || !/^file:.*\.m?ts$/.test(url)) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  if (!hooks.strip && !url.includes('/node_modules/') && !moreThanTypes.test(source)) return nextLoad(url, context);
  // Megabytes, which only those pay for who need it.
  const { transformSync } = await import('@swc/wasm-typescript');
  const { code } = transformSync(source, { mode: 'transform', module: true, filename: url });
  return { format: 'module', source: code, shortCircuit: true };
};
