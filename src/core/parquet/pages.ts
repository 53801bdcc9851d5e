/**
 * The pages of a column, unpacked and held to what their headers and the footer say: sizes, check sums, encodings, numbers of values, levels
 * and the places of texts. What is handed on is written anew without compression, so that a decoder finds nothing that it must doubt.
 * Throws `Damage`.
 */
import { brotliDecompressSync, crc32, unzipSync } from 'node:zlib';
import type { CompressionCodec, PageHeader } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { compressors } from 'hyparquet-compressors';
import type { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { count, type Chunk, type Leaf } from './footer.ts';
import { readRuns } from './runs.ts';
import { Damage, numberAt, structEnd } from './thrift.ts';
import { checkPlain, checkValues } from './values.ts';

/** Bytes of one page; writers make them of a megabyte or a few. */
const mostBytes = 2 ** 30;

/** Appends the pages of a chunk, of which `bytes` are all; `rows` is how many the row group has. */
export function appendPages(writer: ByteWriter, { leaf, meta, values }: Chunk, bytes: Uint8Array, rows: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = { values: 0, rows: 0 };
  let dictionary: number | undefined;
  for (let at = 0; at < bytes.length && found.values < values;) {
    const body = structEnd(view, at);
    const header = parquetHeader({ view, offset: at });
    const packed = count(header.compressed_page_size, 'bytes of a page');
    const size = count(header.uncompressed_page_size, 'bytes of a page');
    if (packed > bytes.length - body) throw new Damage(`a page of ${packed} bytes where ${bytes.length - body} are left`);
    if (size > mostBytes) throw new Damage(`a page of ${size} bytes, of which at most ${mostBytes} are read`);
    at = body + packed;
    const page = bytes.subarray(body, at);
    if (header.crc !== undefined && (crc32(page) | 0) !== header.crc) throw new Damage('the check sum of a page is wrong');
    if (header.type === 'DICTIONARY_PAGE') {
      if (dictionary !== undefined || found.values > 0) throw new Damage('a second dictionary');
      dictionary = appendDictionary(writer, header, leaf, unpacked(meta.codec, page, size));
    } else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      const one =
        header.type === 'DATA_PAGE' ? firstForm(header, page, leaf, meta.codec) : secondForm(header, page, leaf, meta.codec);
      if (found.rows === 0 && found.values === 0 && one.startsInside) throw new Damage('the first row has no beginning');
      found.values += one.values;
      found.rows += one.rows;
      if (found.values > values) throw new Damage(`its pages have more than its ${values} values`);
      checkValues(one.page, one.at, { encoding: one.encoding, present: one.present, dictionary, leaf, form: one.form });
      writePageHeader(writer, { ...one.header, uncompressed_page_size: one.page.length, compressed_page_size: one.page.length });
      writer.appendBytes(one.page);
    } else if ((header.type as string | undefined) !== 'INDEX_PAGE') throw new Damage('a page of an unknown kind');
  }
  if (found.values !== values) throw new Damage(`its pages have ${found.values} values of ${values}`);
  if (found.rows !== rows) throw new Damage(`its pages have ${found.rows} rows of ${rows}`);
}

/** A page of values, unpacked. */
interface DataPage {
  readonly header: PageHeader;
  readonly page: Uint8Array;
  /** Where the values begin, behind the levels. */
  readonly at: number;
  readonly encoding: string;
  readonly form: 1 | 2;
  readonly values: number;
  /** Values that are not null. */
  readonly present: number;
  readonly rows: number;
  readonly startsInside: boolean;
}

/** Levels lie within what is compressed, each behind its length. */
function firstForm(header: PageHeader, packed: Uint8Array, leaf: Leaf, codec: CompressionCodec): DataPage {
  const said = header.data_page_header;
  if (!said) throw new Damage('a page without its header');
  const values = count(said.num_values, 'values of a page');
  const page = unpacked(codec, packed, header.uncompressed_page_size);
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  let at = 0;
  const next = (most: number, encoding: string): Uint32Array | undefined => {
    if (most === 0) return undefined;
    if (encoding !== 'RLE') throw new Damage(`levels as ${encoding}, which is not read here`);
    if (at + 4 > page.length) throw new Damage('a page ends within its levels');
    const start = at + 4;
    at = start + view.getUint32(at, true);
    return levels(view, start, at, most, values);
  };
  const repetitions = next(leaf.mostRepetition, said.repetition_level_encoding);
  const definitions = next(leaf.mostDefinition, said.definition_level_encoding);
  return {
    header: { type: 'DATA_PAGE', uncompressed_page_size: 0, compressed_page_size: 0, data_page_header: said },
    page,
    at,
    encoding: said.encoding,
    form: 1,
    values,
    present: definitions ? times(definitions, leaf.mostDefinition) : values,
    rows: repetitions ? times(repetitions, 0) : values,
    startsInside: (repetitions?.[0] ?? 0) > 0,
  };
}

/** Levels stand before what is compressed; their lengths are in the header. */
function secondForm(header: PageHeader, packed: Uint8Array, leaf: Leaf, codec: CompressionCodec): DataPage {
  const said = header.data_page_header_v2;
  if (!said) throw new Damage('a page without its header');
  const values = count(said.num_values, 'values of a page');
  const nulls = count(said.num_nulls, 'nulls of a page');
  const repeated = count(said.repetition_levels_byte_length, 'bytes of levels');
  const at = repeated + count(said.definition_levels_byte_length, 'bytes of levels');
  if (at > packed.length || at > header.uncompressed_page_size) throw new Damage('a page ends within its levels');
  if ((leaf.mostRepetition === 0) !== (repeated === 0) && values > 0) throw new Damage('levels that the column does not have');
  if (leaf.mostDefinition === 0 && at > repeated) throw new Damage('levels that the column does not have');
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const { mostRepetition, mostDefinition } = leaf;
  const repetitions = mostRepetition === 0 ? undefined : levels(view, 0, repeated, mostRepetition, values);
  const definitions = mostDefinition === 0 ? undefined : levels(view, repeated, at, mostDefinition, values);
  const present = definitions ? times(definitions, mostDefinition) : values;
  const rows = repetitions ? times(repetitions, 0) : values;
  if (present !== values - nulls) throw new Damage(`a page with ${values - present} nulls, not ${nulls}`);
  if (rows !== count(said.num_rows, 'rows of a page')) throw new Damage(`a page with ${rows} rows, not ${said.num_rows}`);
  const rest = header.uncompressed_page_size - at;
  const plain = unpacked(said.is_compressed === false ? 'UNCOMPRESSED' : codec, packed.subarray(at), rest);
  return {
    header: {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: 0,
      compressed_page_size: 0,
      data_page_header_v2: { ...said, is_compressed: false },
    },
    page: Buffer.concat([packed.subarray(0, at), plain]),
    at,
    encoding: said.encoding,
    form: 2,
    values,
    present,
    rows,
    startsInside: (repetitions?.[0] ?? 0) > 0,
  };
}

function appendDictionary(writer: ByteWriter, header: PageHeader, leaf: Leaf, page: Uint8Array): number {
  const said = header.dictionary_page_header;
  if (!said) throw new Damage('a page without its header');
  if (said.encoding !== 'PLAIN' && said.encoding !== 'PLAIN_DICTIONARY') throw new Damage(`a dictionary as ${said.encoding}`);
  const length = count(said.num_values, 'values of a dictionary');
  checkPlain(page, 0, leaf, length);
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: page.length,
    compressed_page_size: page.length,
    dictionary_page_header: said,
  });
  writer.appendBytes(page);
  return length;
}

function levels(view: DataView, start: number, end: number, most: number, values: number): Uint32Array {
  if (end > view.byteLength) throw new Damage('a page ends within its levels');
  const found = readRuns(view, start, end, 32 - Math.clz32(most), values);
  for (const level of found) if (level > most) throw new Damage(`a level of ${level} where ${most} is the most`);
  return found;
}

function times(levels: Uint32Array, level: number): number {
  let sum = 0;
  for (const one of levels) if (one === level) sum++;
  return sum;
}

function unpacked(codec: CompressionCodec, bytes: Uint8Array, size: number): Uint8Array {
  const plain = size === 0 && codec !== 'UNCOMPRESSED' ? new Uint8Array(0) : decompressed(codec, bytes, size);
  if (plain.length !== size) throw new Damage(`a page of ${plain.length} bytes, not ${size}`);
  return plain;
}

function decompressed(codec: CompressionCodec, bytes: Uint8Array, size: number): Uint8Array {
  switch (codec) {
    case 'UNCOMPRESSED':
      return bytes;
    case 'GZIP':
      return unzipSync(bytes, { maxOutputLength: size });
    case 'BROTLI':
      return brotliDecompressSync(bytes, { maxOutputLength: size });
    case 'SNAPPY': {
      const [length] = numberAt(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
      if (length !== size) throw new Damage(`a page of ${length} bytes, not ${size}`);
    }
  }
  const decompress = compressors[codec];
  if (!decompress) throw new Damage(`compressed as ${codec}, which is not read here`);
  return decompress(bytes, size);
}
