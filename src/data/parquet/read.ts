/** Records out of a parquet file, one row group at a time: snappy, gzip, zstd, lz4, brotli; lists and structs nested at will. */
import { open, stat } from 'node:fs/promises';
import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer, type FileMetaData, type SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { AgogeError } from '../../core/error.ts';

/** At most so many records are decoded at once, however large a row group is. */
const BATCH = 20_000;

export interface ParquetInfo {
  readonly rows: number;
  readonly columns: readonly string[];
  readonly schema: readonly SchemaElement[];
}

export interface ParquetBatch {
  readonly records: readonly Record<string, unknown>[];
  /** Number of the first record, from 1. */
  readonly number: number;
}

export async function parquetInfo(path: string): Promise<ParquetInfo> {
  const { metadata, close } = await opened(path);
  await close();
  const columns: string[] = [];
  for (let at = 1; at < metadata.schema.length; at += span(metadata.schema, at)) columns.push(metadata.schema[at]?.name ?? '');
  return { rows: Number(metadata.num_rows), columns, schema: metadata.schema };
}

export async function* parquetBatches(path: string, onShare?: (share: number) => void): AsyncGenerator<ParquetBatch, void> {
  const before = await stat(path).catch(() => undefined);
  const { file, metadata, close } = await opened(path);
  const total = Number(metadata.num_rows);
  let groupStart = 0;
  try {
    for (const group of metadata.row_groups) {
      const groupEnd = groupStart + Number(group.num_rows);
      for (let rowStart = groupStart; rowStart < groupEnd; rowStart += BATCH) {
        const rowEnd = Math.min(groupEnd, rowStart + BATCH);
        let records: Record<string, unknown>[];
        try {
          records = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd });
        } catch (thrown) {
          throw new AgogeError(
            'DATA_BAD_PARQUET',
            `${path}: rows ${rowStart + 1} to ${rowEnd} cannot be decoded (${thrown instanceof Error ? thrown.message : String(thrown)}): the file is damaged; write it again`,
            { cause: thrown },
          );
        }
        yield { records: records.map((record) => plain(record) as Record<string, unknown>), number: rowStart + 1 };
        onShare?.(rowEnd / total);
      }
      groupStart = groupEnd;
    }
  } finally {
    await close();
  }
  const after = await stat(path).catch(() => undefined);
  if (before && (after?.size !== before.size || after.mtimeMs !== before.mtimeMs)) {
    throw new AgogeError('DATA_CHANGED', `${path} changed while it was read: wait until its writer has finished and run again`);
  }
}

async function opened(path: string): Promise<{ file: AsyncBuffer; metadata: FileMetaData; close: () => Promise<void> }> {
  const handle = await open(path, 'r').catch((thrown: unknown) => {
    throw new AgogeError('DATA_NO_FILE', `${path} cannot be read: check the name and its permissions`, { cause: thrown });
  });
  const { size } = await handle.stat();
  const file: AsyncBuffer = {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead < bytes.length) throw new Error('the file ends too early');
      return bytes.buffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    return { file, metadata, close: () => handle.close() };
  } catch (thrown) {
    await handle.close();
    throw new AgogeError(
      'DATA_BAD_PARQUET',
      `${path} is not a whole parquet file (${thrown instanceof Error ? thrown.message : String(thrown)}): it is cut off or of another kind; copy it again`,
      { cause: thrown },
    );
  }
}

/** Elements of the flat schema that belong to the one at `at`, itself included. */
function span(schema: readonly SchemaElement[], at: number): number {
  let length = 1;
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child++) length += span(schema, at + length);
  return length;
}

/** 64-bit integers as numbers where they fit, so that records from parquet and from JSON are alike. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = plain((value as Record<string, unknown>)[key]);
  return copy;
}
