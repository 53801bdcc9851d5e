/** A module hook that strips types from TypeScript files, for Node versions that do not do it themselves. */
import { transformSync } from '@swc/wasm-typescript';
import { readFile } from 'node:fs/promises';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!/^file:.*\.m?ts$/.test(url)) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = transformSync(source, { mode: 'transform', module: true, filename: url });
  return { format: 'module', source: code, shortCircuit: true };
};
