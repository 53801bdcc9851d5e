/**
 * Nested records as parquet columns: each record is walked once and every field it holds goes straight to its column, with
 * the definition and repetition levels of the Dremel encoding. Texts that repeat become a dictionary. Page and level
 * encodings are hyparquet-writer's; the walk is ours because it is several times faster than one walk per column.
 */
import type { ColumnChunk, ParquetType, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { snappyCompress } from './snappy.ts';

/** What a column or field holds. `null` has been seen only as null so far. */
export type Shape =
  | { readonly kind: 'null' | 'string' | 'boolean' | 'integer' | 'number' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, Shape> };

type Writer = ByteWriter;

/** Thrown for a value that has no place in the columns; the writer says which row it was. */
export class Misfit extends Error {}

/** A field of the records with all that is below it. */
export interface Column {
  /** Adds a value of the level above; `undefined` where that level is null or empty. */
  push(value: unknown, repetition: number, definition: number): void;
  /** Writes the column chunks of the values pushed so far and forgets them. */
  flush(writer: Writer): ColumnChunk[];
  readonly schema: SchemaElement[];
}

/** Columns of a shape; `path` leads to it, `definition` and `repetition` are the levels above it. */
export function columnOf(name: string, shape: Shape, path: readonly string[] = [], definition = 0, repetition = 0): Column {
  const here = [...path, name];
  switch (shape.kind) {
    case 'list':
      return new ListColumn(name, columnOf('element', shape.of, [...here, 'list'], definition + 2, repetition + 1), repetition);
    case 'struct': {
      // Parquet has no struct without fields.
      const fields = shape.fields.size > 0 ? shape.fields : new Map<string, Shape>([['empty', { kind: 'null' }]]);
      const children = new Map([...fields].map(([key, field]) => [key, columnOf(key, field, here, definition + 1, repetition)]));
      return new StructColumn(name, children);
    }
    case 'null':
    case 'string':
      return new TextColumn(name, here, definition + 1, repetition);
    default:
      return new ScalarColumn(name, shape.kind, here, definition + 1, repetition);
  }
}

class StructColumn implements Column {
  private readonly children: readonly (readonly [string, Column])[];

  constructor(
    private readonly name: string,
    private readonly fields: ReadonlyMap<string, Column>,
  ) {
    this.children = [...fields];
  }

  push(value: unknown, repetition: number, definition: number): void {
    if (value === null || value === undefined) {
      for (const [, child] of this.children) child.push(undefined, repetition, definition);
      return;
    }
    if (typeof value !== 'object' || Array.isArray(value)) throw new Misfit(`${this.name} is not an object`);
    for (const key in value) if (!this.fields.has(key)) throw new Misfit(`${this.name} has a field "${key}"`);
    for (const [key, child] of this.children) child.push((value as Record<string, unknown>)[key], repetition, definition + 1);
  }

  flush(writer: Writer): ColumnChunk[] {
    return this.children.flatMap(([, child]) => child.flush(writer));
  }

  get schema(): SchemaElement[] {
    const { name, children } = this;
    return [
      { name, num_children: children.length, repetition_type: 'OPTIONAL' },
      ...children.flatMap(([, child]) => child.schema),
    ];
  }
}

class ListColumn implements Column {
  constructor(
    private readonly name: string,
    private readonly element: Column,
    private readonly repetition: number,
  ) {}

  push(value: unknown, repetition: number, definition: number): void {
    if (value === null || value === undefined) {
      this.element.push(undefined, repetition, definition);
      return;
    }
    if (!Array.isArray(value)) throw new Misfit(`${this.name} is not a list`);
    if (value.length === 0) this.element.push(undefined, repetition, definition + 1);
    let level = repetition;
    for (const item of value) {
      this.element.push(item, level, definition + 2);
      level = this.repetition + 1;
    }
  }

  flush(writer: Writer): ColumnChunk[] {
    return this.element.flush(writer);
  }

  get schema(): SchemaElement[] {
    return [
      { name: this.name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      ...this.element.schema,
    ];
  }
}

/** What all leaves share: levels, and the pages of a chunk. */
abstract class Leaf implements Column {
  protected abstract readonly type: ParquetType;
  protected readonly definitions: Levels;
  private readonly repetitions: Levels;
  private rows = 0;

  constructor(
    protected readonly name: string,
    private readonly path: readonly string[],
    protected readonly maxDefinition: number,
    private readonly maxRepetition: number,
  ) {
    this.definitions = new Levels(maxDefinition);
    this.repetitions = new Levels(maxRepetition);
  }

  push(value: unknown, repetition: number, definition: number): void {
    if (repetition === 0) this.rows++;
    this.repetitions.push(repetition);
    if (value === null || value === undefined) {
      this.definitions.push(Math.min(definition, this.maxDefinition - 1));
      return;
    }
    this.definitions.push(this.maxDefinition);
    this.keep(value);
  }

  flush(writer: Writer): ColumnChunk[] {
    const start = writer.offset;
    const { page, dictionary, count } = this.values();
    let dictionaryOffset: bigint | undefined;
    if (dictionary) {
      dictionaryOffset = BigInt(writer.offset);
      const packed = snappyCompress(dictionary.bytes);
      writePageHeader(writer, {
        type: 'DICTIONARY_PAGE',
        uncompressed_page_size: dictionary.bytes.length,
        compressed_page_size: packed.length,
        dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
      });
      writer.appendBytes(packed);
    }
    const levels = new ByteWriter();
    const repetitionBytes = this.repetitions.write(levels);
    const definitionBytes = this.definitions.write(levels);
    const packed = snappyCompress(page);
    const dataOffset = BigInt(writer.offset);
    const encoding = dictionary ? 'RLE_DICTIONARY' : 'PLAIN';
    writePageHeader(writer, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels.offset + page.length,
      compressed_page_size: levels.offset + packed.length,
      data_page_header_v2: {
        num_values: this.definitions.length,
        num_nulls: this.definitions.length - count,
        num_rows: this.rows,
        encoding,
        definition_levels_byte_length: definitionBytes,
        repetition_levels_byte_length: repetitionBytes,
        is_compressed: true,
      },
    });
    writer.appendBytes(levels.getBytes());
    writer.appendBytes(packed);
    const size = BigInt(writer.offset - start);
    const chunk: ColumnChunk = {
      file_offset: BigInt(start),
      meta_data: {
        type: this.type,
        encodings: dictionary ? ['PLAIN', 'RLE', 'RLE_DICTIONARY'] : ['PLAIN', 'RLE'],
        path_in_schema: [...this.path],
        codec: 'SNAPPY',
        num_values: BigInt(this.definitions.length),
        total_uncompressed_size: size,
        total_compressed_size: size,
        data_page_offset: dataOffset,
        ...(dictionaryOffset === undefined ? {} : { dictionary_page_offset: dictionaryOffset }),
      },
    };
    this.definitions.clear();
    this.repetitions.clear();
    this.rows = 0;
    return [chunk];
  }

  abstract get schema(): SchemaElement[];
  protected abstract keep(value: unknown): void;
  protected abstract values(): { page: Uint8Array; count: number; dictionary?: { bytes: Uint8Array; count: number } };
}

/** After so many texts a column that repeats too little is no longer looked through for repeats. */
const TRIAL = 4096;

class TextColumn extends Leaf {
  protected readonly type = 'BYTE_ARRAY';
  /** Distinct texts while a dictionary is worth it. */
  private readonly known = new Map<string, number>();
  private indexes: number[] = [];
  private repeated = 0;
  private total = 0;
  /** Without a dictionary texts become bytes at once, so that none of them grows old in memory. */
  private plain: PlainTexts | undefined;

  protected keep(value: unknown): void {
    if (typeof value !== 'string') throw new Misfit(`${this.name} is not a text`);
    if (this.plain) {
      this.plain.add(value);
      return;
    }
    this.total += value.length + 4;
    let index = this.known.get(value);
    if (index === undefined) {
      index = this.known.size;
      this.known.set(value, index);
    } else this.repeated += value.length + 4;
    this.indexes.push(index);
    if (this.indexes.length === TRIAL && this.repeated * 2 < this.total) this.toPlain();
  }

  protected values(): ReturnType<Leaf['values']> {
    if (!this.plain && this.repeated * 2 < this.total) this.toPlain();
    if (this.plain) return this.plain.take();
    const { indexes } = this;
    const texts = new PlainTexts();
    for (const text of this.known.keys()) texts.add(text);
    const width = this.known.size < 2 ? 0 : 32 - Math.clz32(this.known.size - 1);
    this.indexes = [];
    this.known.clear();
    this.repeated = 0;
    this.total = 0;
    const page = new ByteWriter();
    page.appendUint8(width);
    writeRleBitPackedHybrid(page, indexes, width);
    const dictionary = texts.take();
    return { page: page.getBytes(), count: indexes.length, dictionary: { bytes: dictionary.page, count: dictionary.count } };
  }

  get schema(): SchemaElement[] {
    const { name, type } = this;
    return [{ name, type, converted_type: 'UTF8', logical_type: { type: 'STRING' }, repetition_type: 'OPTIONAL' }];
  }

  private toPlain(): void {
    const texts = [...this.known.keys()];
    const plain = new PlainTexts();
    for (const index of this.indexes) plain.add(texts[index] ?? '');
    this.plain = plain;
    this.indexes = [];
    this.known.clear();
  }
}

/** Texts one after another, each behind its length: parquet's plain form. */
class PlainTexts {
  private bytes = Buffer.allocUnsafe(1 << 16);
  private at = 0;
  private count = 0;

  add(text: string): void {
    // No UTF-16 unit takes more than three bytes.
    const most = this.at + 4 + text.length * 3;
    if (most > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.at);
      this.bytes = larger;
    }
    const length = this.bytes.write(text, this.at + 4, 'utf8');
    this.bytes.writeUInt32LE(length, this.at);
    this.at += 4 + length;
    this.count++;
  }

  /** What was added since the last time; valid until the next text is added. */
  take(): { page: Uint8Array; count: number } {
    const taken = { page: this.bytes.subarray(0, this.at), count: this.count };
    this.at = 0;
    this.count = 0;
    return taken;
  }
}

const TYPES = { boolean: 'BOOLEAN', integer: 'INT64', number: 'DOUBLE' } as const;

class ScalarColumn extends Leaf {
  protected readonly type: ParquetType;
  private kept: (boolean | number | bigint)[] = [];

  constructor(
    name: string,
    private readonly kind: keyof typeof TYPES,
    path: readonly string[],
    maxDefinition: number,
    maxRepetition: number,
  ) {
    super(name, path, maxDefinition, maxRepetition);
    this.type = TYPES[kind];
  }

  protected keep(value: unknown): void {
    const fits =
      this.kind === 'boolean'
        ? typeof value === 'boolean'
        : this.kind === 'number'
          ? typeof value === 'number'
          : typeof value === 'bigint' || Number.isSafeInteger(value);
    if (!fits) throw new Misfit(`${this.name} is not a ${this.kind === 'integer' ? 'whole number' : this.kind}`);
    this.kept.push(value as boolean | number | bigint);
  }

  protected values(): ReturnType<Leaf['values']> {
    const { kept, kind } = this;
    this.kept = [];
    const page = new Uint8Array(kind === 'boolean' ? Math.ceil(kept.length / 8) : kept.length * 8);
    const view = new DataView(page.buffer);
    kept.forEach((value, i) => {
      if (kind === 'boolean') page[i >> 3] = (page[i >> 3] ?? 0) | (value === true ? 1 << (i & 7) : 0);
      else if (kind === 'number') view.setFloat64(i * 8, Number(value), true);
      else if (typeof value === 'bigint') view.setBigInt64(i * 8, value, true);
      else {
        view.setInt32(i * 8, Number(value) | 0, true);
        view.setInt32(i * 8 + 4, Math.floor(Number(value) / 0x100000000), true);
      }
    });
    return { page, count: kept.length };
  }

  get schema(): SchemaElement[] {
    return [{ name: this.name, type: this.type, repetition_type: 'OPTIONAL' }];
  }
}

/** Levels of a column, one byte each while they are collected. */
class Levels {
  length = 0;
  private bytes = new Uint8Array(1024);

  constructor(private readonly most: number) {}

  push(level: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = level;
  }

  write(writer: Writer): number {
    if (this.most === 0) return 0;
    const levels = this.bytes.subarray(0, this.length);
    return writeRleBitPackedHybrid(writer, levels, 32 - Math.clz32(this.most));
  }

  clear(): void {
    this.length = 0;
  }
}
