/**
 * Gzip unpacked as it is read, and an error where a small file grows without end: a bomb. The streams are given, so that what a page
 * carries can name this file.
 */
import type { Readable } from 'node:stream';
import type { Gunzip } from 'node:zlib';
import { AgogeError } from './error.ts';

/** So much may come out of any file, in bytes. */
const always = 32 * 2 ** 20;
/** Deflate makes up to 1032 bytes of one; rows of data, ten to a hundred. */
const mostTimes = 200;

/** Larger pieces than Node's: a reader that waits for the end of a line takes them up less often. */
export const gunzipPieces = { chunkSize: 2 ** 18 };

/** The unpacked bytes of `source`; throws DATA_GZIP_BOMB, or what the streams say. Both are closed with the last byte that is taken. */
export async function* boundedGunzip(source: Readable, gunzip: Gunzip, name: string): AsyncGenerator<Buffer, void> {
  source.once('error', (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > always && bytes > mostTimes * gunzip.bytesWritten)
        throw new AgogeError(
          'DATA_GZIP_BOMB',
          `${name} unpacks to more than ${mostTimes} times its size, as files do that are made to fill a machine: unpack it yourself (gunzip -k) and name the plain file`,
        );
      yield piece;
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
