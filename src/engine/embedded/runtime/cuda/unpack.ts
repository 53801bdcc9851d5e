/** Takes chosen files out of a wheel, each checked against the sum and the size in the wheel's own RECORD. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { AgogeError } from '../../../../core/error.ts';
import { zipEntries, type ZipEntry } from '../../models/files/zip.ts';
import { parseRecord } from './record.ts';

/** Writes the wheel's files for which `wanted` says yes, and its own description, below `folder`. Returns how many bytes. */
export async function unpackWheel(wheel: string, folder: string, wanted: (path: string) => boolean): Promise<number> {
  const broken = (why: string): AgogeError =>
    new AgogeError('ENGINE_GPU_INSTALL', `${basename(wheel)} cannot be used: ${why}; download it again`);
  await using file = await open(wheel);
  const entries = await zipEntries(file, broken);
  const record = [...entries].find(([name]) => /^[^/]+\.dist-info\/RECORD$/.test(name));
  if (!record) throw broken('it is no wheel (it has no RECORD)');
  await extract(file, record[1], join(folder, record[0]));
  const list = parseRecord(await readText(join(folder, record[0])));
  let bytes = 0;
  for (const { path, sum, bytes: length } of list) {
    if (path.includes('..') || path.startsWith('/')) throw broken(`it names the file ${path}`);
    if (!wanted(path) && !path.includes('.dist-info/')) continue;
    const entry = entries.get(path);
    if (!entry) throw broken(`its file ${path} is missing`);
    if (entry.length !== length) throw broken(`its file ${path} has ${entry.length} bytes, not ${length}`);
    const got = await extract(file, entry, join(folder, path)).catch((cause: unknown) => {
      throw AgogeError.from(
        cause,
        'ENGINE_GPU_INSTALL',
        `${basename(wheel)} cannot be unpacked (download it again, check the disk)`,
      );
    });
    if (got !== sum) throw broken(`the sum of its file ${path} differs from its RECORD`);
    bytes += length;
  }
  return bytes;
}

/** Returns the sum of what was written. */
async function extract(file: FileHandle, { begin, bytes, compressed }: ZipEntry, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash('sha256');
  const summed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const out = createWriteStream(path);
  if (bytes === 0) await pipeline([Buffer.alloc(0)], summed, out);
  else {
    const source = file.createReadStream({ start: begin, end: begin + bytes - 1, autoClose: false });
    if (compressed) await pipeline(source, createInflateRaw(), summed, out);
    else await pipeline(source, summed, out);
  }
  return hash.digest('base64url');
}

async function readText(path: string): Promise<string> {
  await using file = await open(path);
  return await file.readFile('utf8');
}
