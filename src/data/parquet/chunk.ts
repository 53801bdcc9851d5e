/**
 * A column of a row group as parquet writes it: a page of distinct texts where there is one, then one page of levels and values. Each has a
 * check sum, so that whoever reads it notices damage within a text, too.
 */
import { crc32 } from 'node:zlib';
import type { ColumnChunk } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { Values } from './columns.ts';

export interface PackedChunk {
  readonly values: Omit<Values, 'page' | 'dictionary'>;
  readonly page: PackedPage;
  readonly dictionary: (PackedPage & { readonly count: number }) | undefined;
}

interface PackedPage {
  /** Length before it was compressed. */
  readonly length: number;
  readonly packed: Uint8Array;
}

type Compress = (page: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export async function packedChunk({ page, dictionary, ...values }: Values, compress: Compress): Promise<PackedChunk> {
  const lengths = { page: page.length, dictionary: dictionary?.bytes.length ?? 0 };
  const [packed, texts] = await Promise.all([compress(page), dictionary && compress(dictionary.bytes)]);
  return {
    values,
    page: { length: lengths.page, packed },
    dictionary: dictionary && texts && { length: lengths.dictionary, packed: texts, count: dictionary.count },
  };
}

/** Writes a chunk; returns what the file's footer says about it. */
export function appendChunk(writer: ByteWriter, { values, page, dictionary }: PackedChunk): ColumnChunk {
  const start = writer.offset;
  if (dictionary) {
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: dictionary.length,
      compressed_page_size: dictionary.packed.length,
      crc: checkSum(dictionary.packed),
      dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.packed);
  }
  const { repetitions, definitions, count } = values;
  const levels = repetitions.length + definitions.length;
  const dataOffset = BigInt(writer.offset);
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels + page.length,
    compressed_page_size: levels + page.packed.length,
    crc: checkSum(repetitions, definitions, page.packed),
    data_page_header_v2: {
      num_values: count,
      num_nulls: values.nulls,
      num_rows: values.rows,
      encoding: dictionary ? 'RLE_DICTIONARY' : 'PLAIN',
      definition_levels_byte_length: definitions.length,
      repetition_levels_byte_length: repetitions.length,
      is_compressed: true,
    },
  });
  for (const bytes of [repetitions, definitions, page.packed]) writer.appendBytes(bytes);
  const size = writer.offset - start;
  const saved = page.length - page.packed.length + (dictionary ? dictionary.length - dictionary.packed.length : 0);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: values.type,
      encodings: dictionary ? ['PLAIN', 'RLE', 'RLE_DICTIONARY'] : ['PLAIN', 'RLE'],
      path_in_schema: [...values.path],
      codec: 'SNAPPY',
      num_values: BigInt(count),
      total_uncompressed_size: BigInt(size + saved),
      total_compressed_size: BigInt(size),
      data_page_offset: dataOffset,
      ...(dictionary ? { dictionary_page_offset: BigInt(start) } : {}),
    },
  };
}

/** Of the bytes of a page as they are written, as a signed number: so the format has it. */
function checkSum(...parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, bytes) => crc32(bytes, sum), 0) | 0;
}
