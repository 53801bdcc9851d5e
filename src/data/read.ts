/**
 * Rows out of files and folders in any format, recognised by their content. Everything is read as a stream: memory is that
 * of a batch. A bad row is an error that names file and row, or goes to `onBadRow`.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { Format, FormatName } from './formats/format.ts';
import { recognise } from './formats/formats.ts';
import { badRow, unknownFormat } from './formats/unreadable.ts';
import { jsonValues } from './json-stream.ts';
import type { ConversationRow, PlacedRow, Row } from './rows.ts';

/** Which rows are read, and what is done with bad ones. */
export interface ReadOptions {
  /** Read as this format instead of the one recognised. */
  readonly format?: Format | undefined;
  /** Told the share of the file that has been read, 0 to 1. */
  readonly onShare?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A row that cannot be read: told why and given what it was; without this it is an error. */
  readonly onBadRow?: ((bad: BadRow) => void) | undefined;
  /** Told once the format is known. */
  readonly onFormat?: ((format: Format, file: string) => void) | undefined;
}

/** A row that cannot be read, and why. */
export interface BadRow {
  readonly file: string;
  readonly number: number;
  readonly error: AgogeError;
  /** The record, or its text where it is not JSON. */
  readonly record: unknown;
}

/** A row with its place in the file. */
export interface ReadRow extends PlacedRow {
  readonly format: FormatName;
  /** About how many bytes its text is. */
  readonly bytes: number;
}

const DATA_FILE = /\.(json|jsonl|ndjson|parquet)(\.gz)?$/i;

/** Conversations to learn from: every row of the file or folder must be one. */
export async function* readConversations(path: string, options: ReadOptions = {}): AsyncGenerator<ConversationRow, void> {
  let rows = 0;
  for (const file of await dataFiles([path])) {
    for await (const { row, number } of readRows(file, options)) {
      if (row.kind !== 'conversation') {
        throw new AgogeError(
          'DATA_NOT_CONVERSATIONS',
          `${file}: row ${number} is a task without a conversation: play it first with "agoge data sample" or "agoge data demonstrate"`,
        );
      }
      rows++;
      yield row;
    }
  }
  if (rows === 0) throw new AgogeError('DATA_EMPTY', `${path} holds no rows: check that it is the file you meant`);
}

/** All rows of one file. */
export async function* readRows(file: string, options: ReadOptions = {}): AsyncGenerator<ReadRow, void> {
  for await (const batch of readBatches(file, options)) yield* batch;
}

/** All rows of one file, many at a time: the fast way through a large one. */
export async function* readBatches(file: string, options: ReadOptions = {}): AsyncGenerator<ReadRow[], void> {
  let format = options.format;
  const convert = (record: unknown, number: number, bytes: number, batch: ReadRow[]): void => {
    if (!format) {
      format = recognise(record, /\.parquet$/i.test(file));
      if (!format) throw unknownFormat(file, record);
      options.onFormat?.(format, file);
    }
    try {
      batch.push({ row: format.read(record), file, number, format: format.name, bytes });
    } catch (thrown) {
      const error = badRow(file, number, format, record, thrown);
      if (!options.onBadRow) throw error;
      options.onBadRow({ file, number, error, record });
    }
  };
  if (format) options.onFormat?.(format, file);
  if (/\.parquet$/i.test(file)) {
    // A hundred modules that most commands never need.
    const { parquetBatches } = await import('./parquet/read.ts');
    for await (const { records, number } of parquetBatches(file, options.onShare)) {
      options.signal?.throwIfAborted();
      const batch: ReadRow[] = [];
      records.forEach((record, at) => {
        convert(record, number + at, 0, batch);
      });
      yield batch;
    }
    return;
  }
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  const values = jsonValues(file, {
    signal: options.signal,
    ...(options.onShare ? { onBytes: (read: number) => options.onShare?.(size === 0 ? 1 : read / size) } : {}),
    ...(options.onBadRow
      ? {
          onBadRow: (error: AgogeError, text: string, number: number) =>
            options.onBadRow?.({ file, number, error, record: text }),
        }
      : {}),
  });
  for await (const found of values) {
    const batch: ReadRow[] = [];
    for (const { value, number, bytes } of found) convert(value, number, bytes, batch);
    yield batch;
  }
}

/** The data files among paths; folders are looked through. Summaries and hidden files are left out. */
export async function dataFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined);
    if (!info) throw new AgogeError('DATA_NO_FILE', `${path} does not exist: check the name`);
    if (!info.isDirectory()) {
      files.push(path);
      continue;
    }
    const names = (await readdir(path, { recursive: true })).sort();
    files.push(
      ...names.filter((name) => DATA_FILE.test(name) && !/(^|[\\/])(\.|summary)/.test(name)).map((name) => join(path, name)),
    );
  }
  if (files.length === 0) {
    throw new AgogeError(
      'DATA_EMPTY',
      `there are no .json, .jsonl or .parquet files in ${paths.join(', ')}: name a folder that has some`,
    );
  }
  return files;
}

export type { Row };
