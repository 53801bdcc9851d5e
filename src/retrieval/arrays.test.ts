import { mkdirSync, mkdtempSync, openSync, closeSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ProtoWriter } from '../engine/tinker/wire/protobuf.ts';
import { fitting, mapFile, readArray, writeArray, writeFolder } from './arrays.ts';
import { passagesOf, readPassage } from './corpus-files.ts';
import { onnxNames } from './vectors/onnx-names.ts';
import { Vectors } from './vectors/vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-arrays-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

describe('arrays on disk', () => {
  it('come back as they were, parts of larger ones too', () => {
    const whole = Float64Array.of(1, 2, 3, 4);
    writeArray(path('part'), whole.subarray(1, 3));
    expect(Array.from(readArray(path('part'), Float64Array))).toEqual([2, 3]);
    writeArray(path('none'), new Int32Array());
    expect(readArray(path('none'), Int32Array)).toHaveLength(0);
  });
  it('are mapped from a page on', () => {
    const values = Float32Array.from({ length: 3000 }, (_, at) => at);
    writeArray(path('mapped'), values);
    const file = openSync(path('mapped'), 'r');
    const seen = new Float32Array(mapFile(file, 4096, 4 * (3000 - 1024)));
    expect([seen[0], seen.at(-1)]).toEqual([1024, 2999]);
    closeSync(file);
  });
  it('stand in a folder that fits all that is wanted, or not at all', async () => {
    const about = { model: 'e5', dimension: 4, whole: true };
    const target = path('index');
    expect(fitting(target, about)).toBeUndefined();
    await writeFolder(target, async () => ({ ...about, more: 1 }));
    expect(fitting(target, about)).toEqual({ ...about, more: 1 });
    expect(fitting(target, { ...about, dimension: 5 })).toBeUndefined();
    writeFileSync(join(target, 'about.json'), '{');
    expect(fitting(target, about)).toBeUndefined();
  });
  it('leave what was there where filling fails, and nothing beside it', async () => {
    const place = path('beside');
    mkdirSync(place);
    await writeFolder(join(place, 'index'), async () => ({ version: 1 }));
    const failing = writeFolder(join(place, 'index'), () => Promise.reject(new Error('the disk is full')));
    await expect(failing).rejects.toMatchObject({ code: 'SEARCH_NO_FOLDER', message: /the disk is full/ });
    expect(fitting(join(place, 'index'), { version: 1 })).toBeDefined();
    expect(readdirSync(place)).toEqual(['index']);
  });
});

describe('vectors', () => {
  it('are found nearest first, of equals the first row, as many as there are', () => {
    writeArray(path('vectors'), Float32Array.of(1, 0, 0, 1, 9, 0, 0, 2, 0, 1, 0, 0, 3, 0, 0));
    const vectors = new Vectors(path('vectors'), 3);
    const query = Float32Array.of(1, 0, 0.5);
    expect(vectors.nearest(query, 3)).toEqual([
      { row: 4, score: 3 },
      { row: 0, score: 1 },
      { row: 1, score: 1 },
    ]);
    expect(vectors.nearest(query, 99).map(({ row }) => row)).toEqual([4, 0, 1, 3, 2]);
    expect(vectors.nearest(query, 0)).toEqual([]);
    expect(Array.from(vectors.row(1))).toEqual([1, 9, 0]);
    vectors.close();
  });
});

describe('a corpus', () => {
  const read = async (name: string): Promise<{ ids: string[]; places: string[] }> => {
    const [ids, places]: [string[], string[]] = [[], []];
    for await (const { passage, line } of passagesOf(path(name))) {
      ids.push(passage.id);
      places.push(`${line.start}+${line.length}`);
    }
    return { ids, places };
  };
  const lines = '{"id": "ü", "contents": "a"}\n\n{"id": 2, "contents": "b"}';
  it.each(['plain.jsonl', 'packed.jsonl.gz'])('is read line by line, with where each stands in bytes (%s)', async (name) => {
    writeFileSync(path(name), name.endsWith('.gz') ? gzipSync(lines) : lines);
    expect(await read(name)).toEqual({ ids: ['ü', '2'], places: ['0+29', '31+26'] });
  });
  it.each([
    ['empty.jsonl', '', /holds no passages/],
    ['text.jsonl', 'hello', /line 1 of text\.jsonl is not JSON/],
    ['fields.jsonl', '{"id": 1, "contents": "a"}\n{"id": 1}', /line 2 of fields\.jsonl has no id or no contents/],
    ['broken.jsonl.gz', 'no gzip', /cannot be read/],
  ])('%s is refused with the reason', async (name, text, why) => {
    writeFileSync(path(name), text);
    await expect(read(name)).rejects.toMatchObject({ code: 'ENV_BAD_CORPUS', message: why });
  });
  it.each(['null', '[]', '5', '{"id": {}, "contents": "a"}', '{"id": 1, "contents": 5}'])('the line %s is no passage', (line) => {
    expect(() => readPassage(line, 'it')).toThrow('it has no id or no contents');
  });
});

describe('the names of a model', () => {
  const value = (name: string) => (writer: ProtoWriter) => writer.string(1, name).varint(9, 5);
  it('are read without its weights, which old models list among the inputs', () => {
    const model = new ProtoWriter()
      .varint(1, 8)
      .message(7, (graph) => {
        graph.message(5, (weight) => weight.varint(2, 1).string(8, 'w'));
        graph.message(11, value('ids')).message(11, value('w')).message(11, value('mask')).message(12, value('out'));
      })
      .finish();
    expect(onnxNames(model)).toEqual({ inputs: ['ids', 'mask'], outputs: ['out'] });
  });
  it('of bytes that are no model are none, at once', () => {
    for (const bytes of [
      new Uint8Array(),
      Uint8Array.of(255, 255, 255),
      Uint8Array.of(58, 255, 255, 255, 255, 15),
      new Uint8Array(1000).fill(128),
    ])
      expect(onnxNames(bytes)).toEqual({ inputs: [], outputs: [] });
  });
});
