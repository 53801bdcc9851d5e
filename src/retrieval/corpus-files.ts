/** Passages from wiki-18's JSON lines, plain or gzipped, one after the other, so that a corpus of any length passes through. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { boundedGunzip, gunzipPieces } from '../core/bounded-gunzip.ts';
import { AgogeError } from '../core/error.ts';
import type { Passage } from './retriever.ts';

export interface Line {
  readonly text: string;
  /** Where it stands in the (unpacked) file, in bytes. */
  readonly start: number;
  readonly length: number;
}

/** The passages of a corpus in file order, each with its line; throws ENV_BAD_CORPUS with the line's number. */
export async function* passagesOf(path: string): AsyncGenerator<{ readonly passage: Passage; readonly line: Line }> {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (line.text.trim() !== '') yield { passage: readPassage(line.text, `line ${number} of ${name}`), line };
  }
  if (number === 0) throw new AgogeError('ENV_BAD_CORPUS', `${path} holds no passages: give wiki-18.jsonl or a file like it`);
}

const NEWLINE = 10;

async function* linesOf(path: string): AsyncGenerator<Line> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  const unpacked = path.endsWith('.gz') ? boundedGunzip(file, createGunzip(gunzipPieces), path) : file;
  /** Pieces of a line whose end has not come. */
  let held: Buffer[] = [];
  let start = 0;
  try {
    for await (const piece of unpacked) {
      held.push(piece as Buffer);
      if (!(piece as Buffer).includes(NEWLINE)) continue;
      const bytes = held.length === 1 ? (piece as Buffer) : Buffer.concat(held);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield { text: bytes.toString('utf8', from, end), start: start + from, length: end - from };
        from = end + 1;
      }
      held = from < bytes.length ? [bytes.subarray(from)] : [];
      start += from;
    }
  } catch (cause) {
    if (cause instanceof AgogeError) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError('ENV_BAD_CORPUS', `${path} cannot be read (${words}): check the path, or fetch the file again`, {
      cause,
    });
  }
  const rest = Buffer.concat(held);
  if (rest.length > 0) yield { text: rest.toString('utf8'), start, length: rest.length };
}

export function readPassage(line: string, where: string): Passage {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    throw new AgogeError('ENV_BAD_CORPUS', `${where} is not JSON: repair it or fetch the file again`);
  }
  const { id, contents } = (given ?? {}) as Record<string, unknown>;
  if (typeof contents !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) {
    throw new AgogeError('ENV_BAD_CORPUS', `${where} has no id or no contents: give one {"id", "contents"} a line`);
  }
  return { id: String(id), contents };
}
