import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EventFile, maskedCrc } from './tensorboard.ts';

it('has the checksum of the record format', () => {
  // CRC-32C of "123456789" is e3069283 (RFC 3720); masked by rotation and a constant.
  const crc = 0xe3069283;
  expect(maskedCrc(Buffer.from('123456789'))).toBe((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
});

it('writes records whose lengths add up to the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-events-'));
  const file = new EventFile(folder);
  await file.scalars(1, { 'critic/score/mean': 0.5, bad: NaN });
  await file.scalars(300, { 'critic/score/mean': 0.75 });
  const data = await readFile(join(folder, (await readdir(folder))[0]!));
  let [at, records] = [0, 0];
  while (at < data.length) {
    const length = Number(data.readBigUInt64LE(at));
    expect(data.readUInt32LE(at + 8)).toBe(maskedCrc(data.subarray(at, at + 8)));
    expect(data.readUInt32LE(at + 12 + length)).toBe(maskedCrc(data.subarray(at + 12, at + 12 + length)));
    at += 16 + length;
    records++;
  }
  expect(records).toBe(3);
  expect(data.includes('critic/score/mean')).toBe(true);
  expect(data.includes('bad')).toBe(false);
  await rm(folder, { recursive: true });
});
