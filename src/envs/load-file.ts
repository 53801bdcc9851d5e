/**
 * Loads an environment of the user's own from a JavaScript or TypeScript file, which may import `agoge` wherever it lies.
 * Where Node cannot read TypeScript itself (before 22.18), types are stripped on the way in, also from the files it imports.
 */
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgogeError } from '../core/error.ts';
import type { Environment } from './environment.ts';
import type { FileHooks } from './file-hooks.ts';
import type { Settings } from './registry.ts';

let hooked = false;

/** True for a path (`./my-env.ts`) rather than a name (`textcraft`). */
export function isFile(spec: string): boolean {
  return /[/\\]/.test(spec) || /\.[cm]?[jt]s$/.test(spec);
}

/** The environment that the file exports as default or as `environment`, itself or as a function of the settings. */
export async function loadEnvironmentFile(path: string, settings: Settings = {}): Promise<Environment> {
  const file = resolve(path);
  if (!existsSync(file))
    throw new AgogeError(
      'ENV_NO_FILE',
      `there is no file ${path}: give the path of a .ts or .js file that exports an environment`,
    );
  hookOnce();
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (thrown) {
    throw new AgogeError('ENV_BAD_FILE', `${path} cannot be loaded (${reasonOf(thrown)}): correct it and try again`, {
      cause: thrown,
    });
  }
  const exported = module['default'] ?? module['environment'];
  const environment: unknown =
    typeof exported === 'function' ? await (exported as (settings: Settings) => unknown)(settings) : exported;
  if (isEnvironment(environment)) return environment;
  throw new AgogeError(
    'ENV_BAD_FILE',
    `${path} exports no environment: export one as default, an object with name, version, splits, tasks, open and instructions`,
  );
}

/** In words. What strips types throws plain objects: a message and where it is. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, snippet, startLine } = thrown as { message?: unknown; snippet?: unknown; startLine?: unknown };
  if (typeof message !== 'string') return JSON.stringify(thrown);
  const line = typeof startLine === 'number' ? ` in line ${startLine}` : '';
  return `${message}${line}${typeof snippet === 'string' && snippet !== '' ? `, at ${JSON.stringify(snippet.slice(0, 80))}` : ''}`;
}

/** Run from our own TypeScript sources (a test), something else reads TypeScript and knows `agoge` already. */
function hookOnce(): void {
  if (hooked || !import.meta.url.endsWith('.js')) return;
  hooked = true;
  const strip = !('typescript' in process.features && process.features.typescript);
  const data: FileHooks = { agoge: new URL('../index.js', import.meta.url).href, strip };
  register('./file-hooks.js', new URL(import.meta.url), { data });
}

function isEnvironment(value: unknown): value is Environment {
  if (typeof value !== 'object' || value === null) return false;
  const { name, version, splits, tasks, open, instructions } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    Array.isArray(splits) &&
    typeof tasks === 'function' &&
    typeof open === 'function' &&
    typeof instructions === 'object'
  );
}
