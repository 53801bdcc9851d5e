/**
 * Records into a parquet file: nested lists and structs in the three-level form that Arrow writes, so that pandas, pyarrow
 * and verl read them without a cast. The columns are taken from the first records; one row group is in memory at a time.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import { AgogeError } from '../core/error.ts';

/** What a column or field holds. `null` has been seen only as null so far. */
type Shape =
  | { readonly kind: 'null' | 'string' | 'boolean' | 'integer' | 'number' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, Shape> };

export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

const GROUP_BYTES = 16 << 20;
const GROUP_ROWS = 20_000;

export class ParquetFileWriter {
  private readonly bytes = new ByteWriter(1 << 20);
  private writer: ParquetWriter | undefined;
  private shape: Shape = { kind: 'struct', fields: new Map() };
  private records: Record<string, unknown>[] = [];
  private weight = 0;
  private written = 0;

  constructor(private readonly write: WriteBytes) {}

  /** Adds a record; `weight` is about how many bytes of text it holds. */
  async add(record: Record<string, unknown>, weight: number): Promise<void> {
    this.records.push(record);
    this.weight += weight;
    if (this.weight >= GROUP_BYTES || this.records.length >= GROUP_ROWS) await this.group();
  }

  async finish(): Promise<void> {
    if (this.records.length > 0 || !this.writer) await this.group();
    await this.writer?.finish();
    await this.flush();
  }

  private async group(): Promise<void> {
    const { records } = this;
    this.records = [];
    this.weight = 0;
    if (!this.writer) {
      for (const record of records) this.shape = merged(this.shape, record, 'the record');
      this.writer = new ParquetWriter({ writer: this.bytes, schema: schemaOf(this.shape), codec: 'SNAPPY', statistics: false });
    }
    if (this.shape.kind !== 'struct' || records.length === 0) return;
    const columns = [...this.shape.fields];
    for (const [at, record] of records.entries()) this.check(record, this.written + at + 1);
    const columnData = columns.map(([name, shape]) => {
      const convert = converter(shape);
      return { name, data: records.map((record) => convert(record[name])) };
    });
    await this.writer.write({ columnData, rowGroupSize: records.length });
    this.written += records.length;
    await this.flush();
  }

  /** Later records may lack fields; they may not bring new ones or other kinds, for the columns are already on disk. */
  private check(record: Record<string, unknown>, number: number): void {
    if (this.written === 0) return;
    if (!fits(this.shape, record)) {
      throw new AgogeError(
        'DATA_MIXED_COLUMNS',
        `row ${number} has fields or kinds that the first ${GROUP_ROWS} rows do not have: convert files of different kinds separately`,
      );
    }
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
    for (const item of value) of = merged(of, item, `${place}[]`);
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

function fits(shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  switch (shape.kind) {
    case 'null':
      return typeof value === 'string';
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'bigint' || Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(shape.of, item));
    case 'struct': {
      if (typeof value !== 'object' || Array.isArray(value)) return false;
      for (const key in value) {
        const field = shape.fields.get(key);
        if (!field || !fits(field, (value as Record<string, unknown>)[key])) return false;
      }
      return true;
    }
  }
}

function schemaOf(root: Shape): SchemaElement[] {
  const fields = root.kind === 'struct' ? root.fields : new Map<string, Shape>();
  return [{ name: 'schema', num_children: fields.size }, ...[...fields].flatMap(([name, shape]) => elements(name, shape))];
}

function elements(name: string, shape: Shape): SchemaElement[] {
  const repetition_type = 'OPTIONAL';
  switch (shape.kind) {
    case 'null':
    case 'string':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' }, repetition_type }];
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type }];
    case 'integer':
      return [{ name, type: 'INT64', repetition_type }];
    case 'number':
      return [{ name, type: 'DOUBLE', repetition_type }];
    case 'list':
      return [
        { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        ...elements('element', shape.of),
      ];
    case 'struct': {
      // Parquet has no struct without fields.
      const fields = shape.fields.size > 0 ? [...shape.fields] : [['empty', { kind: 'null' }] as [string, Shape]];
      return [{ name, num_children: fields.length, repetition_type }, ...fields.flatMap(([key, field]) => elements(key, field))];
    }
  }
}

/** Whole numbers go to 64-bit columns; everything else stays as it is. */
function converter(shape: Shape): (value: unknown) => unknown {
  if (!hasIntegers(shape)) return (value) => value ?? null;
  switch (shape.kind) {
    case 'integer':
      return (value) => (typeof value === 'number' ? BigInt(value) : (value ?? null));
    case 'list': {
      const item = converter(shape.of);
      return (value) => (Array.isArray(value) ? value.map(item) : null);
    }
    case 'struct': {
      const fields = [...shape.fields].map(([key, field]) => [key, converter(field)] as const);
      return (value) => {
        if (typeof value !== 'object' || value === null) return null;
        const copy: Record<string, unknown> = {};
        for (const [key, convert] of fields) copy[key] = convert((value as Record<string, unknown>)[key]);
        return copy;
      };
    }
    default:
      return (value) => value ?? null;
  }
}

function hasIntegers(shape: Shape): boolean {
  if (shape.kind === 'list') return hasIntegers(shape.of);
  if (shape.kind === 'struct') return [...shape.fields.values()].some(hasIntegers);
  return shape.kind === 'integer';
}
