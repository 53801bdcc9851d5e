/** The list of files that every wheel carries (RECORD): names, sums, sizes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from './places.ts';

export interface RecordedFile {
  readonly path: string;
  /** SHA-256 as RECORD writes it: base64 for addresses, without padding. */
  readonly sum: string;
  readonly bytes: number;
}

/** The lines of a RECORD that have a sum. Names in quotes (with commas) do not occur in the wheels we take. */
export function parseRecord(text: string): RecordedFile[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, path, sum, bytes] = /^([^",]+),sha256=([\w-]+),(\d+)$/.exec(line) ?? [];
    return path === undefined || sum === undefined ? [] : [{ path, sum, bytes: Number(bytes) }];
  });
}

/** What the wheel that brought a file to `site` says of its size, and the wheel's version. */
export function recordedSize(site: string, path: string): { readonly version: string; readonly bytes: number } | undefined {
  for (const name of namesIn(site)) {
    const version = /^onnxruntime_gpu-([\d.]+)\.dist-info$/.exec(name)?.[1];
    const record = join(site, name, 'RECORD');
    if (version === undefined || !existsSync(record)) continue;
    const file = parseRecord(readFileSync(record, 'utf8')).find((entry) => entry.path === path);
    if (file) return { version, bytes: file.bytes };
  }
  return undefined;
}
