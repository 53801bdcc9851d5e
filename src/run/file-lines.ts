/**
 * The lines of a file of a run, unpacked where its name ends in .gz, within limits on bytes packed and unpacked, the length of a line
 * and the time. What is over a limit is left out and told in words; nothing is thrown for what a file contains.
 */
import { createGunzip } from 'node:zlib';
import { PassThrough, type Readable } from 'node:stream';
import { openInside } from './inside.ts';
import { LineCutter, type Line } from './line-cutter.ts';

export interface ReadLimits {
  /** Bytes on disk. */
  readonly packed: number;
  /** Bytes after unpacking. */
  readonly plain: number;
  /** Bytes of one line. */
  readonly line: number;
  readonly milliseconds: number;
}

/** Far above what a run writes: an evaluation of 60,000 episodes has some hundred megabytes, a line of it some hundred kilobytes. */
export const readLimits: ReadLimits = { packed: 2 ** 30, plain: 2 ** 32, line: 2 ** 25, milliseconds: 30_000 };

export interface NumberedLine {
  /** Its number among the lines that are not empty, from 0. */
  readonly row: number;
  readonly text: string;
}

/** Lines that are not empty. A missing file has none; `told` hears what could not be read. */
export async function* fileLines(
  folder: string,
  name: string,
  told: (problem: string) => void,
  limits: ReadLimits = readLimits,
): AsyncGenerator<NumberedLine, void, undefined> {
  let row = 0;
  const over = (what: string): void => told(`${name} ends early after ${String(row)} lines (${what})`);
  const numbered = (line: Line): NumberedLine | undefined => {
    if (line === undefined) told(`${name} line ${String(++row)} is longer than ${String(limits.line)} bytes and left out`);
    return line === undefined || line === '' ? undefined : { row: row++, text: line };
  };
  const cutter = new LineCutter(limits.line);
  const until = performance.now() + limits.milliseconds;
  let source: Readable | undefined;
  try {
    const handle = await openInside(folder, name);
    if (!handle) return;
    source = handle.createReadStream({ highWaterMark: 1 << 18 });
    const counted = limited(source, limits.packed);
    let plain = 0;
    for await (const chunk of (name.endsWith('.gz') ? unpacked(counted) : counted) as AsyncIterable<Buffer>) {
      plain += chunk.length;
      for (const line of cutter.cut(chunk)) {
        const one = numbered(line);
        if (one) yield one;
      }
      if (plain > limits.plain) throw new Error(`more than ${String(limits.plain)} bytes unpacked`);
      if (performance.now() > until) throw new Error('no time left');
    }
    const last = numbered(cutter.rest());
    if (last) yield last;
  } catch (thrown) {
    over(thrown instanceof Error ? thrown.message : 'unreadable');
  } finally {
    source?.destroy();
  }
}

/** The bytes of a file up to a limit; one byte more is an error. */
function limited(source: Readable, most: number): Readable {
  let size = 0;
  const passed = new PassThrough({
    highWaterMark: 1 << 18,
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      done(size > most ? new Error(`it has more than ${String(most)} bytes`) : null, chunk);
    },
  });
  source.on('error', (error) => passed.destroy(error));
  passed.on('close', () => source.destroy());
  return source.pipe(passed);
}

function unpacked(source: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  source.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => source.destroy());
  return source.pipe(gunzip);
}
