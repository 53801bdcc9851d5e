/** Records out of a parquet file as this room wants them: plain values, and a file that changes while it is read is told. */
import { stat } from 'node:fs/promises';
import type { SchemaElement } from 'hyparquet';
import { AgogeError } from '../../core/error.ts';
import { parquetFooter, parquetRecords, type ParquetBatch } from '../../core/parquet/records.ts';

export interface ParquetInfo {
  readonly rows: number;
  readonly columns: readonly string[];
  readonly schema: readonly SchemaElement[];
}

export async function parquetInfo(path: string): Promise<ParquetInfo> {
  const { schema, num_rows } = await parquetFooter(path);
  const columns: string[] = [];
  for (let at = 1; at < schema.length; at += span(schema, at)) columns.push(schema[at]?.name ?? '');
  return { rows: Number(num_rows), columns, schema };
}

export async function* parquetBatches(path: string, onShare?: (share: number) => void): AsyncGenerator<ParquetBatch, void> {
  const before = await stat(path).catch(() => undefined);
  const { rows } = await parquetInfo(path);
  for await (const { records, number } of parquetRecords(path)) {
    yield { records: records.map((record) => plain(record) as Record<string, unknown>), number };
    onShare?.((number - 1 + records.length) / rows);
  }
  const after = await stat(path).catch(() => undefined);
  if (before && (after?.size !== before.size || after.mtimeMs !== before.mtimeMs)) {
    throw new AgogeError('DATA_CHANGED', `${path} changed while it was read: wait until its writer has finished and run again`);
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
