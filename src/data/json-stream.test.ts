import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonValues } from './json-stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-json-'));
let files = 0;

function file(content: string | Uint8Array, extension = '.json'): string {
  const path = join(folder, `f${files++}${extension}`);
  writeFileSync(path, content);
  return path;
}

async function read(path: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of jsonValues(path)) {
    for (const { value, number } of batch) {
      found.push(value);
      expect(number).toBe(found.length);
    }
  }
  return found;
}

describe('jsonValues', () => {
  it('reads lists, lines, values one after another, gzip, a byte order mark', async () => {
    const values = [{ a: '"]},{[\\' }, { b: [1, { c: null }] }, { d: 'ü\u2028😀' }];
    const texts = values.map((value) => JSON.stringify(value));
    expect(await read(file(JSON.stringify(values)))).toEqual(values);
    expect(await read(file(JSON.stringify(values, null, 2)))).toEqual(values);
    expect(await read(file(`${texts.join('\n')}\n`, '.jsonl'))).toEqual(values);
    expect(await read(file(texts.join('\r\n\r\n'), '.jsonl'))).toEqual(values);
    expect(await read(file(values.map((value) => JSON.stringify(value, null, 1)).join('\n\n')))).toEqual(values);
    expect(await read(file(gzipSync(texts.join('\n')), '.jsonl.gz'))).toEqual(values);
    expect(await read(file(`\uFEFF${JSON.stringify(values)}`))).toEqual(values);
    expect(await read(file('[]'))).toEqual([]);
    expect(await read(file('  '))).toEqual([]);
    expect(await read(file('[1, "two", null]'))).toEqual([1, 'two', null]);
  });

  it('reads what JSON.parse reads, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 30 }), async (values) => {
        const same = JSON.parse(JSON.stringify(values)) as unknown[];
        expect(await read(file(JSON.stringify(values)))).toEqual(same);
        expect(await read(file(values.map((value) => JSON.stringify(value)).join('\n'), '.jsonl'))).toEqual(same);
      }),
      { numRuns: 60 },
    );
  });

  it('reads rows larger than a chunk, and escapes on its border', async () => {
    const values = Array.from({ length: 40 }, (_, i) => ({ text: `${'x'.repeat(65_530 + i)}\\"${'ü"'.repeat(3000)}` }));
    expect(await read(file(JSON.stringify(values)))).toEqual(values);
    const large = { text: 'y'.repeat(10_000_000) };
    expect(await read(file(`${JSON.stringify(large)}\n{"n":1}\n`, '.jsonl'))).toEqual([large, { n: 1 }]);
  });

  it.each([
    ['{"a":1},\n{"a":', '[', /row 2 ends in the middle.*cut off/],
    ['{"a":1},{"a":2}', '[', /the list is not closed|ends in the middle/],
    ['{"a":1},{"a" 2},{"a":3}]', '[', /row 2 is not JSON/],
    ['{"a":1},]', '[', /row 2 is not JSON/],
    ['{"a":1}] trailing', '[', /not JSON after the list of 1 rows/],
  ])('names the row: %s', async (rest, start, message) => {
    await expect(read(file(start + rest))).rejects.toThrow(message);
  });

  it('names the row of bad lines, a cut line, other encodings and pointers', async () => {
    await expect(read(file('{"a":1}\nnonsense\n', '.jsonl'))).rejects.toThrow(/row 2 is not JSON/);
    await expect(read(file('{"a":1}\n{"a":', '.jsonl'))).rejects.toThrow(/row 2 ends in the middle/);
    await expect(read(file(Buffer.from('{"a":1}\n{"a":"\xfc"}\n', 'latin1'), '.jsonl'))).rejects.toThrow(/row 2 is not UTF-8/);
    await expect(read(file(Buffer.from('[{"a":1},{"a":"\xfc"}]', 'latin1')))).rejects.toThrow(/row 2 is not UTF-8/);
    await expect(read(file(Buffer.from('\uFEFF[{"a":1}]', 'utf16le')))).rejects.toThrow(/UTF-16.*save the file as UTF-8/);
    await expect(read(file('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'))).rejects.toThrow(
      /git lfs pull/,
    );
    await expect(read(file(gzipSync('{"a":1}\n').subarray(0, 20), '.jsonl.gz'))).rejects.toThrow(/cannot be read/);
    await expect(read(join(folder, 'nothing.json'))).rejects.toThrow(/cannot be read: check the name/);
  });

  it('notices a file that changes while it is read', async () => {
    const path = file('{"a":1}\n'.repeat(100_000), '.jsonl');
    const reading = async (): Promise<void> => {
      let first = true;
      for await (const batch of jsonValues(path)) {
        if (first && batch.length > 0) appendFileSync(path, '{"a":2}\n');
        first = false;
      }
    };
    await expect(reading()).rejects.toThrow(/changed while it was read/);
  });
});
