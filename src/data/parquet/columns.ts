/**
 * Nested records as parquet columns: each record is walked once and every field it holds goes straight to its column, with
 * the definition and repetition levels of the Dremel encoding. Texts that repeat become a dictionary. The walk is ours because it is
 * several times faster than one walk per column.
 */
import type { ParquetType, SchemaElement } from 'hyparquet';
import { Levels, PlainTexts } from './column-bytes.ts';
import { encodeRuns } from './runs.ts';

/** What a column or field holds. `null` has been seen only as null so far. */
export type Shape =
  | { readonly kind: 'null' | 'string' | 'boolean' | 'integer' | 'number' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, Shape> };

/** The values of one column in a row group, encoded but not compressed. The bytes belong to whoever took them. */
export interface Values {
  readonly type: ParquetType;
  readonly path: readonly string[];
  readonly rows: number;
  /** Nulls included. */
  readonly count: number;
  readonly nulls: number;
  readonly repetitions: Uint8Array;
  readonly definitions: Uint8Array;
  readonly page: Uint8Array;
  readonly dictionary?: { readonly bytes: Uint8Array; readonly count: number } | undefined;
}

/** Thrown for a value that has no place in the columns; the writer says which row it was. */
export class Misfit extends Error {}

/** A field of the records with all that is below it. */
export interface Column {
  /** Adds a value of the level above; `undefined` where that level is null or empty. */
  push(value: unknown, repetition: number, definition: number): void;
  /** Hands over the values pushed so far and forgets them. */
  take(): Values[];
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

  take(): Values[] {
    return this.children.flatMap(([, child]) => child.take());
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

  take(): Values[] {
    return this.element.take();
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

  take(): Values[] {
    const { type, path, rows } = this;
    const { page, dictionary, count: present } = this.values();
    const count = this.definitions.length;
    this.rows = 0;
    return [
      {
        type,
        path,
        rows,
        count,
        nulls: count - present,
        repetitions: this.repetitions.take(),
        definitions: this.definitions.take(),
        page,
        dictionary,
      },
    ];
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
    const dictionary = texts.take();
    const page = Buffer.concat([Uint8Array.of(width), encodeRuns(indexes, width)]);
    return { page, count: indexes.length, dictionary: { bytes: dictionary.page, count: dictionary.count } };
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
      if (kind === 'boolean') page[i >> 3] = (page[i >> 3] as number) | (value === true ? 1 << (i & 7) : 0);
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
