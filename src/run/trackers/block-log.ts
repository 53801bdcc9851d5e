/**
 * LevelDB's log format, as trackers keep their offline runs in it: records in blocks of 32 KiB, each with its length, its kind
 * (whole, first, middle or last part) and a checksum (CRC-32 of kind and data). A file begins with seven bytes that name its owner.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const blockBytes = 32_768;
const headBytes = 7;
const kinds = { whole: 1, first: 2, middle: 3, last: 4 } as const;

export interface BlockLogHeader {
  /** Four letters. */
  readonly name: string;
  readonly magic: number;
  readonly version: number;
}

export class BlockLog {
  private written = 0;

  constructor(
    readonly path: string,
    private readonly header: BlockLogHeader,
  ) {}

  /** Appends records, each as one. */
  async append(records: readonly Buffer[]): Promise<void> {
    const parts: Buffer[] = [];
    if (this.written === 0) {
      await mkdir(dirname(this.path), { recursive: true });
      const head = Buffer.alloc(headBytes);
      head.write(this.header.name, 0, 4, 'latin1');
      head.writeUInt16LE(this.header.magic, 4);
      head[6] = this.header.version;
      parts.push(this.took(head));
    }
    for (const record of records) parts.push(...this.placed(record));
    await appendFile(this.path, Buffer.concat(parts));
  }

  private placed(record: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    let at = 0;
    do {
      let room = blockBytes - (this.written % blockBytes);
      if (room < headBytes) {
        parts.push(this.took(Buffer.alloc(room)));
        room = blockBytes;
      }
      const data = record.subarray(at, at + room - headBytes);
      const ends = at + data.length === record.length;
      parts.push(this.took(part(data, at === 0 ? (ends ? kinds.whole : kinds.first) : ends ? kinds.last : kinds.middle)));
      at += data.length;
    } while (at < record.length);
    return parts;
  }

  private took(bytes: Buffer): Buffer {
    this.written += bytes.length;
    return bytes;
  }
}

function part(data: Buffer, kind: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(crc32(data, crc32(Buffer.from([kind]))), 0);
  head.writeUInt16LE(data.length, 4);
  head[6] = kind;
  return Buffer.concat([head, data]);
}
