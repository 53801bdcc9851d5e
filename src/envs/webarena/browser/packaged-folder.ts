/**
 * The packaged Chromium unpacks itself into the temporary folder under a name that everybody knows, and runs what it finds there. Here it does
 * so in a folder that nobody else can write: ours, mode 700, no link.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgogeError } from '../../../core/error.ts';

/** Path of the unpacked program. */
export async function unpackPrivately(unpack: () => Promise<string>): Promise<string> {
  const folder = privateFolder();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await unpack();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** Throws ENV_BROWSER_FOLDER where somebody else's folder stands in its place. */
export function privateFolder(within = tmpdir()): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(within, `agoge-chromium-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode, isLink } = look(folder);
  if (isLink || uid !== user || (mode & 0o022) !== 0) {
    throw new AgogeError(
      'ENV_BROWSER_FOLDER',
      `${folder} can be written by others, and a browser would be run from it: remove it, or name a browser with webarena.chromium=/path/to/chrome`,
    );
  }
  return folder;
}

function look(folder: string): { uid: number; mode: number; isLink: boolean } {
  const found = lstatSync(folder);
  return { uid: found.uid, mode: found.mode, isLink: !found.isDirectory() };
}
