/**
 * JSON values out of a file of any size, one at a time: the elements of a top-level array, the lines of JSONL, or the
 * values of a file that holds one after another (pretty-printed or not). Memory is that of one value. Gzip is undone on
 * the way. Text that is cut off, not UTF-8, or changed while being read is an error that names file and row.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { boundedGunzip, gunzipPieces } from '../core/bounded-gunzip.ts';
import { AgogeError } from '../core/error.ts';

export interface PlacedValue {
  readonly value: unknown;
  /** From 1. */
  readonly number: number;
  /** Length of its text in bytes. */
  readonly bytes: number;
}

export interface JsonStreamOptions {
  /** Told how many bytes of the file have been read. */
  readonly onBytes?: ((read: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for a row that is not JSON; without it such a row is an error. */
  readonly onBadRow?: ((error: AgogeError, text: string, number: number) => void) | undefined;
}

export async function* jsonValues(path: string, options: JsonStreamOptions = {}): AsyncGenerator<PlacedValue[], void> {
  const before = await stat(path).catch((thrown: unknown) => {
    throw new AgogeError('DATA_NO_FILE', `${path} cannot be read: check the name and its permissions`, { cause: thrown });
  });
  const scanner = new Scanner(path, options.onBadRow);
  const source = createReadStream(path, { highWaterMark: 1 << 18, ...(options.signal ? { signal: options.signal } : {}) });
  try {
    for await (const chunk of path.endsWith('.gz') ? boundedGunzip(source, createGunzip(gunzipPieces), path) : source) {
      options.onBytes?.(source.bytesRead);
      const values = scanner.push(chunk as Buffer);
      if (values.length > 0) yield values;
    }
  } catch (thrown) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    throw AgogeError.from(thrown, 'DATA_UNREADABLE', `${path} cannot be read after row ${scanner.rows}; copy it again`);
  } finally {
    source.destroy();
  }
  const after = await stat(path).catch(() => undefined);
  if (after?.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new AgogeError(
      'DATA_CHANGED',
      `${path} changed while it was read (row ${scanner.rows}): wait until its writer has finished and run again`,
    );
  }
  const last = scanner.end();
  if (last.length > 0) yield last;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** `lines`: a value per line; `array`: between the commas of one list; `values`: one object after another. */
type Layout = 'unknown' | 'lines' | 'array' | 'values' | 'ended';

/** Finds where each value begins and ends by its brackets, quotes or line ends, and parses it as a whole. */
class Scanner {
  rows = 0;
  private layout: Layout;
  /** Bytes of a value that began in an earlier chunk. */
  private held: Buffer[] = [];
  private depth = 0;
  private inString = false;
  /** Bytes to pass over at the start of the next chunk: an escape fell on the border. */
  private skip = 0;
  private chunks = 0;
  private pendingComma = false;

  constructor(
    private readonly path: string,
    private readonly onBadRow: JsonStreamOptions['onBadRow'],
  ) {
    this.layout = /\.(jsonl|ndjson)(\.gz)?$/i.test(path) ? 'lines' : 'unknown';
  }

  push(given: Buffer): PlacedValue[] {
    const chunk = this.chunks++ === 0 ? this.withoutMark(given) : given;
    const found: PlacedValue[] = [];
    const rest = this.layout === 'lines' ? this.pushLines(chunk, found) : this.pushValues(chunk, found);
    if (rest.length > 0) this.held.push(Buffer.from(rest));
    return found;
  }

  /** What the end of the file completes, or an error when it cuts a row or the list. */
  end(): PlacedValue[] {
    const found: PlacedValue[] = [];
    const rest = Buffer.concat(this.held);
    this.held = [];
    if (this.layout === 'lines') {
      if (!isBlank(rest)) this.parse(rest, found, 'cut');
    } else if (!isBlank(rest) || this.depth > 0 || this.inString) {
      throw this.truncated(`row ${this.rows + 1} ends in the middle`);
    } else if (this.layout === 'array') throw this.truncated(`the list is not closed after row ${this.rows}`);
    return found;
  }

  private pushLines(chunk: Buffer, found: PlacedValue[]): Buffer {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.whole(chunk.subarray(start, end));
      if (!isBlank(line)) this.parse(line, found);
      start = end + 1;
    }
    return chunk.subarray(start);
  }

  private pushValues(chunk: Buffer, found: PlacedValue[]): Buffer {
    let start = 0;
    /** Ends of the elements of a list that lie whole in this chunk. */
    const ends: number[] = [];
    let first = 0;
    let i = this.skip;
    for (; i < chunk.length; i++) {
      const byte = chunk[i];
      if (this.inString) {
        i = this.endOfString(chunk, i);
      } else if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.layout === 'unknown') {
          this.layout = byte === OPEN_ARRAY ? 'array' : 'values';
          if (!isBlank(this.whole(chunk.subarray(start, i)))) throw this.misplaced('before the first row');
          start = i;
          if (byte === OPEN_ARRAY) {
            start = i + 1;
            continue;
          }
        }
        this.depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.depth--;
        if (this.layout === 'array' && this.depth < 0) {
          this.parseMany(chunk, first, ends, found);
          ends.length = 0;
          const last = this.whole(chunk.subarray(start, i));
          if (!isBlank(last) || this.pendingComma) this.parse(last, found);
          this.layout = 'ended';
          this.depth = 0;
          start = i + 1;
        } else if (this.layout === 'values' && this.depth === 0) {
          this.parse(this.whole(chunk.subarray(start, i + 1)), found);
          start = i + 1;
        } else if (this.depth < 0) throw this.misplaced(`after row ${this.rows}`);
      } else if (byte === COMMA && this.depth === 0 && this.layout === 'array') {
        if (this.held.length > 0) this.parse(this.whole(chunk.subarray(start, i)), found);
        else {
          if (ends.length === 0) first = start;
          ends.push(i);
        }
        this.pendingComma = true;
        start = i + 1;
      }
    }
    this.parseMany(chunk, first, ends, found);
    this.skip = i - chunk.length;
    const rest = chunk.subarray(start);
    if (this.layout === 'ended' && !isBlank(rest)) throw this.misplaced(`after the list of ${this.rows} rows`);
    return rest;
  }

  /** The closing quote of the string that goes on at `from`, or the end of the chunk where it goes on in the next one. */
  private endOfString(chunk: Buffer, from: number): number {
    for (let search = from; ;) {
      const quote = chunk.indexOf(QUOTE, search);
      const end = quote < 0 ? chunk.length : quote;
      let slashes = 0;
      while (end - slashes > from && chunk[end - slashes - 1] === BACKSLASH) slashes++;
      const escapes = slashes % 2 === 1;
      // A chunk that ends in an escape: the escaped byte is the first of the next one.
      if (quote < 0) return escapes ? chunk.length : chunk.length - 1;
      if (!escapes) {
        this.inString = false;
        return quote;
      }
      search = quote + 1;
    }
  }

  private whole(tail: Buffer): Buffer {
    if (this.held.length === 0) return tail;
    const bytes = Buffer.concat([...this.held, tail]);
    this.held = [];
    return bytes;
  }

  /** Neighbours in a list are parsed together, which is much faster; one by one only to find the bad one. */
  private parseMany(chunk: Buffer, first: number, ends: readonly number[], found: PlacedValue[]): void {
    const last = ends.at(-1);
    if (last === undefined) return;
    let values: unknown[] | undefined;
    try {
      values = JSON.parse(`[${decoded(chunk.subarray(first, last))}]`) as unknown[];
    } catch {
      // Told below, with its number.
    }
    if (values?.length === ends.length) {
      const bytes = Math.ceil((last - first) / ends.length);
      for (const value of values) found.push({ value, number: ++this.rows, bytes });
      return;
    }
    let start = first;
    for (const end of ends) {
      this.parse(chunk.subarray(start, end), found);
      start = end + 1;
    }
  }

  private parse(bytes: Buffer, found: PlacedValue[], end?: 'cut'): void {
    const number = ++this.rows;
    let text: string | undefined;
    try {
      text = decoded(bytes);
      found.push({ value: JSON.parse(text) as unknown, number, bytes: bytes.length });
    } catch (thrown) {
      let error = new AgogeError('DATA_BAD_ENCODING', `${this.path}: row ${number} is not UTF-8 text: save the file as UTF-8`, {
        cause: thrown,
      });
      if (text !== undefined) {
        const detail = thrown instanceof Error ? thrown.message : '';
        error =
          end === 'cut'
            ? this.truncated(`row ${number} ends in the middle`)
            : new AgogeError('DATA_BAD_JSON', `${this.path}: row ${number} is not JSON (${detail}): correct or remove it`);
      }
      if (!this.onBadRow) throw error;
      this.onBadRow(error, text ?? bytes.toString('latin1'), number);
    }
  }

  private truncated(what: string): AgogeError {
    return new AgogeError(
      'DATA_TRUNCATED',
      `${this.path}: ${what}: the file is cut off; copy it again or cut it back to whole rows`,
    );
  }

  private misplaced(where: string): AgogeError {
    return new AgogeError('DATA_BAD_JSON', `${this.path}: there is text that is not JSON ${where}: remove it`);
  }

  private withoutMark(chunk: Buffer): Buffer {
    if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) return chunk.subarray(3);
    const utf16 = (chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff) || chunk[1] === 0;
    if (utf16) throw new AgogeError('DATA_BAD_ENCODING', `${this.path}: row 1 is UTF-16 text: save the file as UTF-8`);
    if (chunk.subarray(0, 40).toString('latin1').startsWith('version https://git-lfs.github.com/spec/')) {
      throw new AgogeError('DATA_LFS_POINTER', `${this.path} is a Git LFS pointer, not the data: fetch it with "git lfs pull"`);
    }
    return chunk;
  }
}

/** Text of bytes that must be UTF-8. */
function decoded(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new TypeError('not UTF-8');
  return bytes.toString('utf8');
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte > 0x20) return false;
  return true;
}
