/**
 * A module of the user's own: a JavaScript or TypeScript file by its path, or a package by its name, as seen from the working folder.
 * It may import `agoge` wherever it lies. TypeScript that Node cannot read (any before 22.18; parameter properties, enums) is read on the
 * way in.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgogeError, type ErrorCode } from '../core/error.ts';
import type { FileHooks } from './file-hooks.ts';
import { hashOfHeld, heldObject, wasHeld } from './held.ts';
import { missingPackages } from './missing-packages.ts';

/** What is looked for, for the sentences of errors. */
export interface Wanted {
  readonly area: 'ENV' | 'CONFIG' | 'REWARD' | 'POLICY' | 'AGENT';
  /** `an environment`. */
  readonly what: string;
}

const prefix = 'agoge-own:';

let hooked = false;

/** True for a path (`./my-env.ts`) rather than a name (`textcraft`). */
export function isFile(spec: string): boolean {
  return spec.startsWith('.') || (/[/\\]/.test(spec) && !spec.startsWith('@')) || /\.[cm]?[jt]s$/.test(spec);
}

/** True for what names a file or a scoped package instead of something that ships. */
export function isOwn(name: string): boolean {
  return isFile(name) || name.startsWith('@');
}

/** Changes when the file does; of a package, its name alone. For the records of what was played and evaluated. */
export async function hashOfOwn(spec: string): Promise<string> {
  const held = heldObject(spec);
  if (held) return hashOfHeld(held);
  const content = isFile(spec) ? await readFile(resolve(spec)) : spec;
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** What a file or a package exports; throws …_NO_FILE or …_BAD_FILE of the area. */
export async function importOwn(spec: string, { area, what }: Wanted): Promise<Readonly<Record<string, unknown>>> {
  const held = heldObject(spec);
  if (held) return { default: held };
  if (wasHeld(spec))
    throw new AgogeError(
      `${area}_NO_FILE`,
      `${spec} was an object of the program that began this: start that program again to go on`,
    );
  const file = isFile(spec) ? resolve(spec) : undefined;
  const missing: ErrorCode = `${area}_NO_FILE`;
  if (file !== undefined && !existsSync(file))
    throw new AgogeError(missing, `there is no file ${spec}: give the path of a .ts or .js file that exports ${what}`);
  hookOnce();
  try {
    const address = file === undefined ? `${prefix}${spec}` : pathToFileURL(file).href;
    return (await import(address)) as Record<string, unknown>;
  } catch (thrown) {
    const needed = missingPackages(thrown);
    if (needed) throw new AgogeError(`${area}_BAD_FILE`, `${spec} cannot be loaded: ${needed}`, { cause: thrown });
    const reason = reasonOf(thrown);
    throw new AgogeError(`${area}_BAD_FILE`, `${spec} cannot be loaded (${reason}): correct it and try again`, { cause: thrown });
  }
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
  const data: FileHooks = {
    agoge: new URL('../entry/index.js', import.meta.url).href,
    from: pathToFileURL(`${process.cwd()}/`).href,
    prefix,
    strip,
  };
  register('./file-hooks.js', new URL(import.meta.url), { data });
}
