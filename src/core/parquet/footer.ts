/**
 * What the footer of a parquet file says, once it holds together: the schema is a tree, every row group has all columns, every column lies
 * in the file, and the numbers of rows and values agree. Throws `Damage`.
 */
import {
  parquetMetadata,
  parquetSchema,
  type AsyncBuffer,
  type ColumnMetaData,
  type ConvertedType,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';
import { getTreePath } from 'hyparquet/src/schema.js';
import { Damage, structEnd } from './thrift.ts';

export interface Footer {
  readonly metadata: FileMetaData;
  readonly leaves: readonly Leaf[];
}

/** A column as it is stored. */
export interface Leaf {
  readonly path: readonly string[];
  readonly element: SchemaTree['element'];
  readonly mostRepetition: number;
  readonly mostDefinition: number;
}

/** What a column's part of a row group is said to be. */
export interface Chunk {
  readonly leaf: Leaf;
  readonly meta: ColumnMetaData;
  readonly start: number;
  readonly end: number;
  readonly values: number;
}

const magic = 0x31524150;
const encrypted = 0x45524150;
/** Values of one row group, all columns together: they are in memory at once. */
const mostValues = 2 ** 27;
const codecs = new Set<unknown>(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4', 'LZ4_RAW']);
/** Where both are written, they say the same; hyparquet looks at the older name. */
const sameMeaning: Readonly<Record<string, ConvertedType>> = {
  STRING: 'UTF8',
  LIST: 'LIST',
  MAP: 'MAP',
  ENUM: 'ENUM',
  JSON: 'JSON',
  DATE: 'DATE',
  DECIMAL: 'DECIMAL',
};

export async function readFooter(file: AsyncBuffer): Promise<Footer> {
  const size = file.byteLength;
  if (size < 12) throw new Damage('it is too short');
  const head = new DataView(await file.slice(0, 4));
  const tail = new DataView(await file.slice(size - 8, size));
  const mark = tail.getUint32(4, true);
  if (mark === encrypted) throw new Damage('it is encrypted');
  if (mark !== magic) throw new Damage('it does not end with PAR1');
  if (head.getUint32(0, true) !== magic) throw new Damage('it does not begin with PAR1');
  const length = tail.getUint32(0, true);
  if (length > size - 12) throw new Damage(`its footer is said to have ${length} bytes`);
  const bytes = await file.slice(size - 8 - length, size);
  if (structEnd(new DataView(bytes, 0, length), 0) !== length) throw new Damage('its footer ends too early');
  // Its look for places on maps does not end where a field has fewer than no children.
  const metadata = parquetMetadata(bytes, { geoparquet: false });
  return { metadata, leaves: leavesOf(metadata) };
}

/** The columns of a row group, each within the file; `bodyEnd` is where the footer begins. */
export function chunksOf({ metadata, leaves }: Footer, group: number, bodyEnd: number): readonly Chunk[] {
  const { columns, num_rows } = metadata.row_groups[group] ?? { columns: [], num_rows: 0n };
  const rows = count(num_rows, 'rows');
  if (columns.length !== leaves.length) throw new Damage(`it has ${columns.length} columns of ${leaves.length}`);
  let all = 0;
  return leaves.map((leaf, i): Chunk => {
    const chunk = columns[i];
    const meta = chunk?.meta_data;
    const name = leaf.path.join('.');
    if (!chunk || !meta) throw new Damage(`column ${name} has no description (is the file encrypted?)`);
    if (chunk.file_path) throw new Damage(`column ${name} lies in another file`);
    if (meta.path_in_schema.join('\0') !== leaf.path.join('\0')) throw new Damage(`column ${name} has another name there`);
    if (meta.type !== leaf.element.type) throw new Damage(`column ${name} has another type there`);
    if (!codecs.has(meta.codec)) throw new Damage(`column ${name} is compressed in an unknown way`);
    const values = count(meta.num_values, `values in column ${name}`);
    if (leaf.mostRepetition === 0 ? values !== rows : values < rows)
      throw new Damage(`column ${name} has ${values} values for ${rows} rows`);
    all += values;
    if (all > mostValues) throw new Damage(`it has more than ${mostValues} values in one row group`);
    const start = count(meta.dictionary_page_offset || meta.data_page_offset, `bytes before column ${name}`);
    const end = start + count(meta.total_compressed_size, `bytes in column ${name}`);
    if (start < 4 || end > bodyEnd) throw new Damage(`column ${name} is said to lie outside of the file`);
    const data = count(meta.data_page_offset, `bytes before the data of column ${name}`);
    if (rows > 0 && (data < start || data >= end)) throw new Damage(`column ${name} is said to begin outside of itself`);
    return { leaf, meta, start, end, values };
  });
}

/** A number of things, as the footer has it. */
export function count(value: unknown, what: string): number {
  const number = Number(value);
  if (value === undefined || typeof value === 'object' || !Number.isSafeInteger(number) || number < 0)
    throw new Damage(`the number of ${what} cannot be ${String(value)}`);
  return number;
}

function leavesOf(metadata: FileMetaData): Leaf[] {
  const { schema, row_groups } = metadata;
  for (const { num_children, name } of schema) if (num_children !== undefined) count(num_children, `fields of ${name}`);
  const root = parquetSchema(metadata);
  if (root.count !== schema.length) throw new Damage('its schema has fields that belong nowhere');
  const leaves: Leaf[] = [];
  const walk = (node: SchemaTree): void => {
    const { element, children, path } = node;
    const { converted_type: converted, logical_type: logical } = element;
    const expected = logical && sameMeaning[logical.type];
    if (expected !== undefined && converted !== undefined && expected !== converted)
      throw new Damage(`field ${path.join('.')} is both ${logical?.type ?? ''} and ${converted}`);
    if (expected !== undefined) element.converted_type = expected;
    if (path.length > 0 && element.repetition_type === undefined)
      throw new Damage(`field ${path.join('.')} has no repetition type`);
    if (new Set(children.map((child) => child.element.name)).size !== children.length)
      throw new Damage(`two fields of ${path.join('.') || 'the records'} have one name`);
    children.forEach(walk);
    if (children.length > 0 || path.length === 0) return;
    if (element.type === undefined) throw new Damage(`field ${path.join('.')} has no type`);
    const levels = getTreePath(root, path)
      .slice(1)
      .map((one) => one.element.repetition_type);
    leaves.push({
      path,
      element,
      mostRepetition: levels.filter((level) => level === 'REPEATED').length,
      mostDefinition: levels.filter((level) => level !== 'REQUIRED').length,
    });
  };
  walk(root);
  const rows = row_groups.reduce((sum, group) => sum + count(group.num_rows, 'rows'), 0);
  if (rows !== count(metadata.num_rows, 'rows')) throw new Damage(`it has ${rows} rows, not ${metadata.num_rows}`);
  return leaves;
}
