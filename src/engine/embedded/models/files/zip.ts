/** Where the files of a ZIP archive lie: PyTorch's checkpoints store them uncompressed, so that they are read in place; wheels do not. */
import type { FileHandle } from 'node:fs/promises';
import { AgogeError } from '../../../../core/error.ts';

export interface StoredFile {
  readonly begin: number;
  readonly length: number;
}

export interface ZipEntry extends StoredFile {
  readonly compressed: boolean;
  /** Bytes in the archive; `length` is what they unfold to. */
  readonly bytes: number;
}

/** What a damaged archive is called: the error to throw. */
type Broken = (why: string) => AgogeError;

/** The files of a checkpoint of PyTorch. */
export async function storedFiles(file: FileHandle, path: string): Promise<ReadonlyMap<string, StoredFile>> {
  const broken: Broken = (why) =>
    new AgogeError('MODEL_UNREADABLE', `${path} is no checkpoint of PyTorch: ${why}; fetch it again, or use safetensors`);
  const entries = await zipEntries(file, broken);
  for (const [name, { compressed }] of entries) if (compressed) throw broken(`its file ${name} is compressed`);
  return entries;
}

/** All files of an archive, compressed or not, in its own order. */
export async function zipEntries(file: FileHandle, broken: Broken): Promise<ReadonlyMap<string, ZipEntry>> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, broken, Math.max(0, size - 65_600), Math.min(size, 65_600));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw broken('it is no ZIP archive (checkpoints made before PyTorch 1.6 are not)');
  let entries = tail.readUInt16LE(end + 10);
  let length = tail.readUInt32LE(end + 12);
  let start = tail.readUInt32LE(end + 16);
  const locator = tail.lastIndexOf(Buffer.from('PK\x06\x07', 'latin1'), end);
  if (start === 0xffffffff && locator >= 0) {
    const large = await bytesAt(file, broken, Number(tail.readBigUInt64LE(locator + 8)), 56);
    entries = Number(large.readBigUInt64LE(32));
    length = Number(large.readBigUInt64LE(40));
    start = Number(large.readBigUInt64LE(48));
  }
  if (start + length > size) throw broken('its list of files is cut off');
  const list = await bytesAt(file, broken, start, length);
  const found = new Map<string, ZipEntry>();
  let at = 0;
  for (let number = 0; number < entries; number++) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) throw broken('its list of files is damaged');
    const nameLength = list.readUInt16LE(at + 28);
    const extraLength = list.readUInt16LE(at + 30);
    const name = list.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = list.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const place = wide(extra, list.readUInt32LE(at + 24), list.readUInt32LE(at + 20), list.readUInt32LE(at + 42));
    const head = await bytesAt(file, broken, place.offset, 30);
    const begin = place.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (begin + place.bytes > size) throw broken(`its file ${name} is cut off`);
    found.set(name, { begin, length: place.length, bytes: place.bytes, compressed: list.readUInt16LE(at + 10) !== 0 });
    at += 46 + nameLength + extraLength + list.readUInt16LE(at + 32);
  }
  return found;
}

/** Sizes beyond 4 GB stand in an extra field, each only where the short one is full. */
function wide(extra: Buffer, size: number, stored: number, offset: number): { length: number; bytes: number; offset: number } {
  const place = { length: size, bytes: stored, offset };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    const next = (): number => Number(extra.readBigUInt64LE((from += 8) - 8));
    if (size === 0xffffffff) place.length = next();
    if (stored === 0xffffffff) place.bytes = next();
    if (offset === 0xffffffff) place.offset = next();
  }
  return place;
}

async function bytesAt(file: FileHandle, broken: Broken, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw broken('it is cut off');
  return buffer;
}
