import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { boundedGunzip } from './bounded-gunzip.ts';

async function size(packed: Buffer): Promise<number> {
  let bytes = 0;
  for await (const piece of boundedGunzip(Readable.from([packed]), createGunzip(), 'rows.jsonl.gz')) bytes += piece.length;
  return bytes;
}

it('rows of data pass, however alike and however long', async () => {
  const rows = Array.from(
    { length: 500_000 },
    (_, i) => `{"item_id":"textcraft_${i * 7919}","conversations":[{"from":"human"}]}`,
  );
  const text = Buffer.from(rows.join('\n'));
  expect(text.length).toBeGreaterThan(32 * 2 ** 20);
  expect(await size(gzipSync(text, { level: 1 }))).toBe(text.length);
});

it('what a small file may always hold passes', async () => {
  expect(await size(gzipSync(Buffer.alloc(16 << 20)))).toBe(16 << 20);
});

it('a bomb is told before it fills the machine', async () => {
  const member = gzipSync(Buffer.alloc(32 << 20));
  await expect(size(Buffer.concat(Array.from({ length: 40 }, () => member)))).rejects.toMatchObject({
    code: 'DATA_GZIP_BOMB',
    message: expect.stringMatching(/^rows\.jsonl\.gz unpacks to more than 200 times/) as string,
  });
});

it('a file that cannot be read says so', async () => {
  const gone = new Readable({
    read() {
      this.destroy(new Error('gone'));
    },
  });
  const pieces = boundedGunzip(gone, createGunzip(), 'x.gz');
  await expect(pieces.next()).rejects.toThrow('gone');
  await expect(size(Buffer.from('no gzip'))).rejects.toThrow('incorrect header');
});
