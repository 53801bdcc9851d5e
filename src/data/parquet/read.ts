/** Records out of a parquet file as this room wants them: plain values, and a file that changes while it is read is told. */
import { stat } from 'node:fs/promises';
import { AgogeError } from '../../core/error.ts';
import { parquetRecords, type ParquetBatch } from '../../core/parquet/records.ts';

export async function* parquetBatches(path: string, onShare?: (share: number) => void): AsyncGenerator<ParquetBatch, void> {
  const before = await stat(path).catch(() => undefined);
  let read = 0;
  for await (const { records, number, all } of parquetRecords(path)) {
    yield { records: records.map((record) => plain(record) as Record<string, unknown>), number, all };
    read = number - 1 + records.length;
    onShare?.(read / all);
  }
  if (read === 0) onShare?.(1);
  const after = await stat(path).catch(() => undefined);
  if (before && (after?.size !== before.size || after.mtimeMs !== before.mtimeMs)) {
    throw new AgogeError('DATA_CHANGED', `${path} changed while it was read: wait until its writer has finished and run again`);
  }
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
