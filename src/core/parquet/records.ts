/**
 * Records out of a parquet file, one row group at a time: snappy, gzip, zstd, lz4, brotli; lists and structs nested at will. Footer, offsets
 * and pages are checked before anything is decoded, so that a damaged file is an error that says where, never a wrong size that is believed.
 */
import { open } from 'node:fs/promises';
import { parquetReadObjects, type AsyncBuffer, type FileMetaData, type RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { AgogeError } from '../error.ts';
import { chunksOf, readFooter, type Footer } from './footer.ts';
import { appendPages } from './pages.ts';

/** At most so many records are decoded at once, however large a row group is. */
const batchRows = 20_000;

export interface ParquetBatch {
  readonly records: readonly Record<string, unknown>[];
  /** Number of the first record, from 1. */
  readonly number: number;
  /** How many records the file has. */
  readonly all: number;
}

/** All records of a file, as hyparquet decodes them; throws DATA_BAD_PARQUET. */
export async function* parquetRecords(path: string): AsyncGenerator<ParquetBatch, void> {
  await using file = await opened(path);
  const { metadata } = file.footer;
  const all = Number(metadata.num_rows);
  let before = 0;
  for (const [index, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (rows === 0) continue;
    const plain = await unpackedGroup(path, file, index);
    for (let rowStart = 0; rowStart < rows; rowStart += batchRows) {
      const rowEnd = Math.min(rows, rowStart + batchRows);
      const where = `row group ${index + 1}, rows ${before + rowStart + 1} to ${before + rowEnd}`;
      const records = await parquetReadObjects({ ...plain, rowStart, rowEnd }).catch((thrown: unknown) => {
        throw damaged(path, where, thrown);
      });
      if (records.length !== rowEnd - rowStart) throw damaged(path, where, new Error(`only ${records.length} can be decoded`));
      yield { records, number: before + rowStart + 1, all };
    }
    before += rows;
  }
}

interface OpenFile extends AsyncDisposable {
  readonly source: AsyncBuffer;
  readonly footer: Footer;
}

/** A row group in memory, as a file of its own without compression. */
async function unpackedGroup(
  path: string,
  { source, footer }: OpenFile,
  index: number,
): Promise<{ file: AsyncBuffer; metadata: FileMetaData }> {
  const group = footer.metadata.row_groups[index] as RowGroup;
  const bodyEnd = source.byteLength - 8 - footer.metadata.metadata_length;
  const writer = new ByteWriter();
  let where = `row group ${index + 1}`;
  try {
    const columns: RowGroup['columns'] = [];
    for (const chunk of chunksOf(footer, index, bodyEnd)) {
      where = `row group ${index + 1}, column ${chunk.leaf.path.join('.')}`;
      const start = writer.offset;
      appendPages(writer, chunk, new Uint8Array(await source.slice(chunk.start, chunk.end)), Number(group.num_rows));
      const { dictionary_page_offset: _, ...meta } = chunk.meta;
      columns.push({
        file_offset: BigInt(start),
        meta_data: {
          ...meta,
          codec: 'UNCOMPRESSED',
          data_page_offset: BigInt(start),
          total_compressed_size: BigInt(writer.offset - start),
        },
      });
    }
    const bytes = writer.getBuffer();
    return {
      file: { byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) },
      metadata: { ...footer.metadata, num_rows: group.num_rows, row_groups: [{ ...group, columns }] },
    };
  } catch (thrown) {
    throw damaged(path, where, thrown);
  }
}

async function opened(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r').catch((thrown: unknown) => {
    throw new AgogeError('DATA_NO_FILE', `${path} cannot be read: check the name and its permissions`, { cause: thrown });
  });
  try {
    const { size } = await handle.stat();
    const source: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        if (bytesRead < bytes.length) throw new Error('the file ends too early');
        return bytes.buffer;
      },
    };
    return { source, footer: await readFooter(source), [Symbol.asyncDispose]: () => handle.close() };
  } catch (thrown) {
    await handle.close();
    throw new AgogeError(
      'DATA_BAD_PARQUET',
      `${path} is not a whole parquet file (${words(thrown)}): it is cut off, damaged or of another kind; copy or write it again`,
      { cause: thrown },
    );
  }
}

function damaged(path: string, where: string, thrown: unknown): AgogeError {
  return new AgogeError('DATA_BAD_PARQUET', `${path}: ${where}: ${words(thrown)}: the file is damaged; copy or write it again`, {
    cause: thrown,
  });
}

/** What was thrown, in one line. */
function words(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 200).replaceAll(/\s+/g, ' ');
}
