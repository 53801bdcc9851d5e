/** Where the stored (not compressed) files of a ZIP archive lie, so that they are read in place. PyTorch's checkpoints are such. */
import type { FileHandle } from 'node:fs/promises';
import { AgogeError } from '../../../core/error.ts';

export interface StoredFile {
  readonly begin: number;
  readonly length: number;
}

export async function storedFiles(file: FileHandle, path: string): Promise<ReadonlyMap<string, StoredFile>> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, path, Math.max(0, size - 65_600), Math.min(size, 65_600));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw broken(path, 'it is no ZIP archive (checkpoints made before PyTorch 1.6 are not)');
  let entries = tail.readUInt16LE(end + 10);
  let length = tail.readUInt32LE(end + 12);
  let start = tail.readUInt32LE(end + 16);
  const locator = tail.lastIndexOf(Buffer.from('PK\x06\x07', 'latin1'), end);
  if (start === 0xffffffff && locator >= 0) {
    const large = await bytesAt(file, path, Number(tail.readBigUInt64LE(locator + 8)), 56);
    entries = Number(large.readBigUInt64LE(32));
    length = Number(large.readBigUInt64LE(40));
    start = Number(large.readBigUInt64LE(48));
  }
  if (start + length > size) throw broken(path, 'its list of files is cut off');
  const list = await bytesAt(file, path, start, length);
  const found = new Map<string, StoredFile>();
  let at = 0;
  for (let number = 0; number < entries; number++) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) throw broken(path, 'its list of files is damaged');
    const nameLength = list.readUInt16LE(at + 28);
    const extraLength = list.readUInt16LE(at + 30);
    const name = list.toString('utf8', at + 46, at + 46 + nameLength);
    if (list.readUInt16LE(at + 10) !== 0) throw broken(path, `its file ${name} is compressed`);
    const extra = list.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const place = wide(extra, list.readUInt32LE(at + 24), list.readUInt32LE(at + 20), list.readUInt32LE(at + 42));
    const head = await bytesAt(file, path, place.offset, 30);
    const begin = place.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (begin + place.length > size) throw broken(path, `its file ${name} is cut off`);
    found.set(name, { begin, length: place.length });
    at += 46 + nameLength + extraLength + list.readUInt16LE(at + 32);
  }
  return found;
}

/** Sizes beyond 4 GB stand in an extra field, each only where the short one is full. */
function wide(extra: Buffer, size: number, stored: number, offset: number): { length: number; offset: number } {
  const place = { length: size, offset };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    const next = (): number => Number(extra.readBigUInt64LE((from += 8) - 8));
    if (size === 0xffffffff) place.length = next();
    if (stored === 0xffffffff) next();
    if (offset === 0xffffffff) place.offset = next();
  }
  return place;
}

async function bytesAt(file: FileHandle, path: string, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw broken(path, 'it is cut off');
  return buffer;
}

function broken(path: string, why: string): AgogeError {
  return new AgogeError('MODEL_UNREADABLE', `${path} is no checkpoint of PyTorch: ${why}; fetch it again, or use safetensors`);
}
