/**
 * TensorBoard event files, written without TensorFlow: records of length, masked CRC-32C, a protobuf Event with one scalar per
 * tag, masked CRC-32C. Opened anew for each start, as TensorBoard expects; it shows the files of a folder as one run.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

export class EventFile {
  private readonly path: string;
  private opened = false;

  constructor(
    private readonly folder: string,
    now = Date.now(),
  ) {
    this.path = join(folder, `events.out.tfevents.${Math.floor(now / 1000)}.${hostname()}.${process.pid}`);
  }

  async scalars(step: number, values: Readonly<Record<string, number>>, seconds = Date.now() / 1000): Promise<void> {
    if (!this.opened) {
      await mkdir(this.folder, { recursive: true });
      await appendFile(this.path, record(event(seconds, 0, text(3, 'brain.Event:2'))));
      this.opened = true;
    }
    const finite = Object.entries(values).filter(([, value]) => Number.isFinite(value));
    // Summary.value { tag = 1, simple_value = 2 }
    const summary = Buffer.concat(finite.map(([tag, value]) => bytes(1, Buffer.concat([text(1, tag), float(2, value)]))));
    await appendFile(this.path, record(event(seconds, step, bytes(5, summary))));
  }
}

/** Event { wall_time = 1, step = 2, … } */
function event(seconds: number, step: number, what: Buffer): Buffer {
  const time = Buffer.alloc(9);
  time[0] = (1 << 3) | 1;
  time.writeDoubleLE(seconds, 1);
  return Buffer.concat([time, Buffer.from([2 << 3]), varint(step), what]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value, 'utf8'));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(value.length), value]);
}

function float(field: number, value: number): Buffer {
  const buffer = Buffer.alloc(5);
  buffer[0] = (field << 3) | 5;
  buffer.writeFloatLE(value, 1);
  return buffer;
}

function varint(value: number): Buffer {
  const result: number[] = [];
  let left = value;
  while (left >= 0x80) {
    result.push((left % 0x80) + 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...result, left]);
}

function record(data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(data.length), 0);
  head.writeUInt32LE(maskedCrc(head.subarray(0, 8)), 8);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(maskedCrc(data), 0);
  return Buffer.concat([head, data, tail]);
}

let table: Uint32Array | undefined;

/** CRC-32C (Castagnoli), rotated and shifted as TensorFlow's record format asks. */
export function maskedCrc(data: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    return crc >>> 0;
  });
  let crc = 0xffffffff;
  for (const byte of data) crc = ((table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)) >>> 0;
  crc = (crc ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
