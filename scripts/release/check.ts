/**
 * What a packed file must keep to on every platform: names that Windows takes, none that differ by case alone, no links, nothing that
 * belongs to whoever packed it. Read from what npm says that it packs.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** Bytes to download, and on disk. */
  readonly size: number;
  readonly unpackedSize: number;
  /** sha512 of the packed file, as npm writes it. */
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

/** npm makes commands of it, on Windows too, by its first line. */
const command = 'dist/cli/main.js';

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const secret = /(^|\/)(\.env|\.npmrc|\.auth|id_[a-z0-9]+|.*\.pem)$/;

/** Why this package must not be published; empty where nothing speaks against it. */
export function doubts({ files, name }: Pick<Packed, 'files' | 'name'>, folder: string): string[] {
  const found: string[] = [];
  const seen = new Map<string, string>();
  for (const { path } of files) {
    // eslint-disable-next-line no-control-regex -- such names are what is looked for
    if (/[<>:"|?*\\\u0000-\u001f]/.test(path)) found.push(`${path}: Windows takes no such name`);
    if (path.split('/').some((part) => reserved.test(part) || /[. ]$/.test(part)))
      found.push(`${path}: Windows takes no such name`);
    if (`node_modules/${name}/${path}`.length > 180) found.push(`${path}: too long for a folder that lies deep`);
    if (secret.test(path)) found.push(`${path}: looks like a secret`);
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) found.push(`${path}: differs from ${other} by case alone`);
    seen.set(path.toLowerCase(), path);
    if (lstatSync(join(folder, path)).isSymbolicLink()) found.push(`${path}: is a link`);
    if (path === command && !readFileSync(join(folder, path), 'utf8').startsWith('#!/usr/bin/env node\n'))
      found.push(`${path}: does not begin with the line that makes it a command`);
  }
  return found;
}
