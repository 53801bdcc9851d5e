/** A damaged parquet file reads as it was or is an error that names it: never a hang, an exhausted heap or a stack. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { afterAll, expect, it } from 'vitest';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { parquetBatches } from './read.ts';
import { snappyCompress } from './snappy.ts';
import { ParquetFileWriter } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'damaged.parquet');

async function read(bytes: Uint8Array): Promise<unknown[] | AgogeError> {
  writeFileSync(path, bytes);
  try {
    const rows: unknown[] = [];
    for await (const { records } of parquetBatches(path)) rows.push(...records);
    return rows;
  } catch (thrown) {
    if (thrown instanceof AgogeError) return thrown;
    throw thrown;
  }
}

/** As `agoge data` writes it. */
async function ours(): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  using writer = new ParquetFileWriter((bytes) => Promise.resolve(void parts.push(bytes)));
  for (let i = 0; i < 24; i++) {
    const prompt = [
      { role: 'user', content: `craft ${i} oak planks` },
      { role: 'assistant', content: i % 4 === 0 ? null : 'get 1 oak log' },
    ];
    const rest = { index: i, score: i / 3, ok: i % 2 === 0, later: i > 20 ? 'x' : null };
    await writer.add({ data_source: 'textcraft', prompt, tags: i % 3 === 0 ? [] : ['a', 'b'], ...rest }, 60);
  }
  await writer.finish();
  return Buffer.concat(parts);
}

/** As others write it: without check sums. */
function theirs(codec: 'SNAPPY' | 'GZIP' | 'BROTLI' | 'UNCOMPRESSED', isDelta = false): Buffer {
  const data = Array.from({ length: 30 }, (_, i) => `text ${i % 7}`);
  const compressors = { SNAPPY: snappyCompress, GZIP: gzipSync, BROTLI: brotliCompressSync };
  const columnData = [
    { name: 'prompt', data, type: 'STRING' as const, ...(isDelta ? { encoding: 'DELTA_BYTE_ARRAY' as const } : {}) },
    {
      name: 'n',
      data: data.map((_, i) => i),
      type: 'INT32' as const,
      ...(isDelta ? { encoding: 'DELTA_BINARY_PACKED' as const } : {}),
    },
    { name: 'list', data: data.map((text, i) => (i % 3 === 0 ? [] : [text, text])) },
  ];
  return Buffer.from(parquetWriteBuffer({ columnData, codec, compressors }));
}

function* damages(whole: Buffer, count: number): Generator<Buffer> {
  for (let i = 0; i < count; i++) {
    const random = Random.of(8, 'parquet', i);
    if (i % 10 === 0) {
      yield whole.subarray(0, random.below(whole.length));
      continue;
    }
    const bytes = Buffer.from(whole);
    const at = random.below(bytes.length);
    const byte = bytes[at] ?? 0;
    bytes[at] = random.pick([0, 0xff, 0x7f, byte ^ 1, byte ^ 2, byte ^ 0x80, byte + 16]);
    yield bytes;
  }
}

const named = expect.stringContaining(path) as string;

it('400 damages of our own files: equal rows, or the error', async () => {
  const whole = await ours();
  const truth = await read(whole);
  expect(truth).toHaveLength(24);
  let told = 0;
  for (const bytes of damages(whole, 400)) {
    const found = await read(bytes);
    if (isDeepStrictEqual(found, truth)) continue;
    expect(found, `one of ${whole.length} bytes`).toMatchObject({ code: 'DATA_BAD_PARQUET', message: named });
    told++;
  }
  expect(told).toBeGreaterThan(300);
});

it.each([
  ['SNAPPY', theirs('SNAPPY')],
  ['GZIP', theirs('GZIP')],
  ['BROTLI', theirs('BROTLI')],
  ['no compression', theirs('UNCOMPRESSED')],
  ['differences', theirs('UNCOMPRESSED', true)],
])("100 damages of others' files, %s: some rows, or the error", async (_, whole) => {
  expect(await read(whole)).toHaveLength(30);
  for (const bytes of damages(whole, 100)) {
    const found = await read(bytes);
    if (!Array.isArray(found)) expect(found).toMatchObject({ code: 'DATA_BAD_PARQUET', message: named });
  }
});

interface Said {
  readonly values?: number;
  readonly pageValues?: number;
  readonly rows?: number;
  readonly offset?: number;
  readonly size?: number;
  readonly run?: number;
  readonly dictionary?: number;
}

/** A file of one column of texts, of which the footer and the page say what they are told to. */
function made({ values = 3, offset = 4, size = 0, dictionary = 1, ...said }: Said): Buffer {
  const { pageValues = values, rows = values, run = values * 2 } = said;
  const writer = new ByteWriter();
  const dictionaryHeader = { num_values: dictionary, encoding: 'PLAIN' as const };
  writer.appendUint32(0x31524150);
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: 5,
    compressed_page_size: 5,
    dictionary_page_header: dictionaryHeader,
  });
  writer.appendBytes(Uint8Array.of(1, 0, 0, 0, 65));
  const page = new ByteWriter();
  page.appendUint8(1);
  page.appendVarInt(run);
  page.appendUint8(0);
  writePageHeader(writer, {
    type: 'DATA_PAGE',
    uncompressed_page_size: page.offset + size,
    compressed_page_size: page.offset + size,
    data_page_header: {
      num_values: pageValues,
      encoding: 'RLE_DICTIONARY',
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    },
  });
  writer.appendBytes(page.getBytes());
  const meta = {
    type: 'BYTE_ARRAY' as const,
    encodings: ['RLE_DICTIONARY' as const],
    path_in_schema: ['text'],
    codec: 'UNCOMPRESSED' as const,
    num_values: BigInt(values),
    total_uncompressed_size: BigInt(writer.offset - 4),
    total_compressed_size: BigInt(writer.offset - 4),
    data_page_offset: BigInt(offset),
  };
  writeMetadata(writer, {
    version: 2,
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    ],
    num_rows: BigInt(rows),
    row_groups: [{ columns: [{ file_offset: 4n, meta_data: meta }], total_byte_size: 100n, num_rows: BigInt(rows) }],
    metadata_length: 0,
  });
  writer.appendUint32(0x31524150);
  return Buffer.from(writer.getBytes());
}

it('says which row group and column contradict themselves, and how', async () => {
  expect(await read(made({}))).toEqual([{ text: 'A' }, { text: 'A' }, { text: 'A' }]);
  const message = async (bytes: Buffer): Promise<string> => ((await read(bytes)) as AgogeError).message;
  const where = `${path}: row group 1, column text: `;
  expect(await message(made({ run: 2 ** 31 - 2 }))).toBe(
    `${where}a run of 1073741823 where 3 values are left: the file is damaged; copy or write it again`,
  );
  expect(await message(made({ run: 2 ** 29 + 1 }))).toContain(`${where}2147483648 packed values where 3 are left`);
  expect(await message(made({ pageValues: 2 ** 30 }))).toContain(`${where}its pages have more than its 3 values`);
  expect(await message(made({ dictionary: 0 }))).toContain(`${where}index 0 in a dictionary of 0`);
  expect(await message(made({ dictionary: 9 }))).toContain(`${where}a page ends within its values`);
  expect(await message(made({ size: 2 ** 30 }))).toMatch(/row group 1, column text: a page of \d+ bytes where \d+ are left/);
  expect(await message(made({ offset: 2 ** 40 }))).toContain('column text is said to lie outside of the file');
  expect(await message(made({ rows: 4 }))).toContain('column text has 3 values for 4 rows');
  expect(await message(made({ values: 2 ** 28, run: 2 ** 29 }))).toContain('more than 134217728 values in one row group');
});
