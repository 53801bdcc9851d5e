/**
 * Records into a parquet file: nested lists and structs in the three-level form that Arrow writes, so that pandas, pyarrow
 * and verl read them without a cast. The columns are taken from the first records; one row group is in memory at a time.
 */
import type { RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { AgogeError } from '../../core/error.ts';
import { Compressor } from './compressor.ts';
import { appendChunk, packedChunk, type PackedChunk } from './chunk.ts';
import { columnOf, Misfit, type Column, type Shape } from './columns.ts';
import { snappyCompress } from './snappy.ts';

export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

const GROUP_BYTES = 8 << 20;
const GROUP_ROWS = 50_000;
/** The columns are settled when so many records, or the first row group, have been seen. */
const LOOK_AHEAD = 5_000;
const MAGIC = 0x31524150;

export class ParquetFileWriter implements Disposable {
  private readonly bytes = new ByteWriter(1 << 20);
  private readonly groups: RowGroup[] = [];
  private shape: Shape = { kind: 'struct', fields: new Map() };
  private columns: readonly (readonly [string, Column])[] | undefined;
  private names = new Set<string>();
  private early: Record<string, unknown>[] = [];
  private weight = 0;
  private groupRows = 0;
  private written = 0;
  private readonly compressor = new Compressor();
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly write: WriteBytes) {
    this.bytes.appendUint32(MAGIC);
  }

  /** Adds a record; `weight` is about how many bytes of text it holds. */
  add(record: Record<string, unknown>, weight: number): Promise<void> | undefined {
    this.weight += weight;
    if (!this.columns) {
      this.shape = merged(this.shape, record, 'the record');
      this.early.push(record);
      if (this.early.length >= LOOK_AHEAD || this.weight >= GROUP_BYTES) this.settle();
    } else this.push(record);
    return this.weight >= GROUP_BYTES || this.groupRows >= GROUP_ROWS ? this.group() : undefined;
  }

  async finish(): Promise<void> {
    if (!this.columns) this.settle();
    if (this.groupRows > 0) await this.group(this.written === 0);
    await this.writing;
    const columns = this.columns ?? [];
    writeMetadata(this.bytes, {
      version: 2,
      created_by: 'agoge',
      schema: [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(([, column]) => column.schema)],
      num_rows: BigInt(this.written),
      row_groups: this.groups,
      metadata_length: 0,
    });
    this.bytes.appendUint32(MAGIC);
    await this.flush();
  }

  /** Ends the thread that compresses. */
  [Symbol.dispose](): void {
    this.compressor[Symbol.dispose]();
  }

  private settle(): void {
    const fields = this.shape.kind === 'struct' ? this.shape.fields : new Map<string, Shape>();
    this.columns = [...fields].map(([name, shape]) => [name, columnOf(name, shape)] as const);
    this.names = new Set(fields.keys());
    for (const record of this.early) this.push(record);
    this.early = [];
  }

  private push(record: Record<string, unknown>): void {
    try {
      for (const key in record) if (!this.names.has(key)) throw new Misfit(`there is a field "${key}"`);
      for (const [name, column] of this.columns ?? []) column.push(record[name], 0, 0);
    } catch (thrown) {
      if (!(thrown instanceof Misfit)) throw thrown;
      // The columns are on disk already; a later record may lack fields, not bring new ones or other kinds.
      throw new AgogeError(
        'DATA_MIXED_COLUMNS',
        `row ${this.written + this.groupRows + 1} does not fit the columns of the rows before it (${thrown.message}): convert rows of different kinds separately`,
      );
    }
    this.groupRows++;
  }

  /** Hands a row group to be compressed and written. Waits for the one before it only, so that reading and compressing go on side by side. */
  private async group(isOnly = false): Promise<void> {
    const rows = this.groupRows;
    const chunks = (this.columns ?? [])
      .flatMap(([, column]) => column.take())
      .map((values) => packedChunk(values, isOnly ? snappyCompress : (page) => this.compressor.compress(page)));
    this.written += rows;
    this.groupRows = 0;
    this.weight = 0;
    const before = this.writing;
    this.writing = Promise.all([before, ...chunks]).then(([, ...packed]) => this.writeGroup(packed, rows));
    // Whoever adds the next group, or finishes, is told of a failure.
    this.writing.catch(() => undefined);
    await before;
  }

  private async writeGroup(chunks: readonly PackedChunk[], rows: number): Promise<void> {
    const start = this.bytes.offset;
    const columns = chunks.map((chunk) => appendChunk(this.bytes, chunk));
    this.groups.push({ columns, total_byte_size: BigInt(this.bytes.offset - start), num_rows: BigInt(rows) });
    await this.flush();
  }

  private async flush(): Promise<void> {
    const ready = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    if (ready.length > 0) await this.write(ready);
  }
}

function shapeOf(value: unknown, place: string): Shape {
  if (value === null || value === undefined) return { kind: 'null' };
  if (typeof value === 'string') return { kind: 'string' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'bigint') return { kind: 'integer' };
  if (typeof value === 'number') return { kind: Number.isSafeInteger(value) ? 'integer' : 'number' };
  if (Array.isArray(value)) {
    let of: Shape = { kind: 'null' };
    for (const item of value) of = merged(of, item, `${place}[]`);
    return { kind: 'list', of };
  }
  if (typeof value === 'object') {
    return {
      kind: 'struct',
      fields: new Map(Object.entries(value).map(([key, field]) => [key, shapeOf(field, `${place}.${key}`)])),
    };
  }
  throw new AgogeError(
    'DATA_MIXED_COLUMNS',
    `${place} holds a ${typeof value}, which parquet has no column for: remove the field`,
  );
}

/** A shape widened to hold one more value; the same object where nothing is new, which is nearly always. */
function merged(shape: Shape, value: unknown, place: string): Shape {
  if (value === null || value === undefined) return shape;
  if (shape.kind === 'null') return shapeOf(value, place);
  if (shape.kind === 'string' && typeof value === 'string') return shape;
  if (shape.kind === 'list' && Array.isArray(value)) {
    let of = shape.of;
    for (const item of value as unknown[]) of = merged(of, item, `${place}[]`);
    return of === shape.of ? shape : { kind: 'list', of };
  }
  if (shape.kind === 'struct' && typeof value === 'object' && !Array.isArray(value)) {
    let fields = shape.fields;
    for (const key in value) {
      const before = fields.get(key);
      const field = (value as Record<string, unknown>)[key];
      const after = before ? merged(before, field, `${place}.${key}`) : shapeOf(field, `${place}.${key}`);
      if (after !== before) fields = new Map(fields).set(key, after);
    }
    return fields === shape.fields ? shape : { kind: 'struct', fields };
  }
  const other = shapeOf(value, place);
  if (other.kind === shape.kind) return shape;
  if (shape.kind === 'number' && other.kind === 'integer') return shape;
  if (shape.kind === 'integer' && other.kind === 'number') return other;
  throw new AgogeError(
    'DATA_MIXED_COLUMNS',
    `${place} is a ${shape.kind} in some rows and a ${other.kind} in others: a parquet column holds one kind; convert the rows separately`,
  );
}
