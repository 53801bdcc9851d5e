/**
 * Where tests put their files: in memory, where a Linux machine has plenty of it. They write thousands of small ones and see each of them
 * safely on disk, which takes a tenth of their processor time and more of the clock.
 */
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Tests of large files have several of 600 MB at once. */
const enough = 8 * 2 ** 30;

/** For the environment of tests; nothing where somebody chose a folder, memory is short, or no program may be started from there. */
export function folderInMemory(): { readonly TMPDIR?: string } {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return {};
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    if (mount === undefined || /\bnoexec\b/.test(mount)) return {};
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, freemem()) < enough) return {};
    const folder = mkdtempSync(join(memory, 'agoge-tests-'));
    // What tests forget would stay in memory.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return { TMPDIR: folder };
  } catch {
    return {};
  }
}
