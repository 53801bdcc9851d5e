/**
 * Hidden neighbours that are renamed when they are whole. Each names its machine and process, so that what a killed one left can be told from
 * what another is writing just now; it goes when the next process writes into that folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { exists } from './process-identity.ts';

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);
const looked = new Set<string>();

export function hiddenName(path: string): string {
  return join(dirname(path), `.writing-${basename(path)}-${machine}-${process.pid}-${randomUUID().slice(0, 8)}`);
}

/** Removes what killed processes of this machine left in a folder; looks once per process. */
export async function removeLeftOvers(folder: string): Promise<void> {
  const whole = resolve(folder);
  if (looked.has(whole)) return;
  looked.add(whole);
  for (const name of await readdir(whole).catch(() => [])) {
    const [, where, pid] = /^\.writing-.*-([0-9a-f]{6})-(\d+)-[0-9a-f]{8}$/.exec(name) ?? [];
    if (where === machine && !exists(Number(pid))) await rm(join(whole, name), { recursive: true, force: true });
  }
}
