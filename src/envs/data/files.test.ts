/** Rows as users have them, read into tasks; and what is said about those that are none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readRows, splitOfFile, type ColumnNames } from './files.ts';
import type { DataRow } from './row.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

async function read(content: string | Buffer, extension = '.json', columns: ColumnNames = {}): Promise<DataRow[]> {
  const path = join(folder, `${files++}${extension}`);
  writeFileSync(path, content);
  return readRows(path, columns);
}

const asked = [{ role: 'user', text: 'q' }];

describe('a row', () => {
  it.each<[string, object, ColumnNames?]>([
    ['verl’s', { data_source: 'x', prompt: [{ role: 'user', content: 'q' }], reward_model: { ground_truth: '1' } }],
    [
      'verl’s, kept as texts of JSON',
      { data_source: 'x', prompt: 'q', reward_model: '{"style":"rule","ground_truth":"1"}', extra_info: '{"index":5}' },
    ],
    ['a question and an answer', { question: 'q', answer: '1' }],
    ['a problem and a solution (MATH)', { problem: 'q', solution: '1' }],
    ['an instruction and its output (Alpaca)', { instruction: 'q', output: '1' }],
    ['columns of its own', { frage: 'q', antwort: '1', answer: '9' }, { prompt: 'frage', answer: 'antwort' }],
    ['a prompt before a question', { prompt: 'q', question: 'other', answer: '1' }],
  ])('%s', async (_, record, columns = {}) => {
    const [row] = await read(JSON.stringify([record]), '.json', columns);
    expect(row).toMatchObject({ prompt: asked, groundTruth: '1' });
  });

  it('keeps what stands beside: index, source, solution, category', async () => {
    const record = { prompt: 'q', answer: '1', data_source: 's', ability: 'math', extra_info: { index: 7, answer: 'because' } };
    expect(await read(JSON.stringify([record, { prompt: 'q', answer: 0 }]))).toMatchObject([
      { dataSource: 's', category: 'math', solution: 'because', extraInfo: { index: 7, answer: 'because' } },
      // An answer of 0 is an answer; the row's place is its index.
      { dataSource: '', groundTruth: 0, extraInfo: { index: 1 } },
    ]);
  });

  it('of a source that is said for all', async () => {
    expect(await read('[{"prompt":"q","answer":"1"}]', '.json', { source: 'openai/gsm8k' })).toMatchObject([
      { dataSource: 'openai/gsm8k' },
    ]);
  });

  it.each<[unknown, RegExp]>([
    [{ answer: '1' }, /row 1 has no prompt \(columns: answer\): name its column with data\.prompt/],
    [{ prompt: '  ', answer: '1' }, /has no prompt/],
    [{ prompt: [], answer: '1' }, /has no prompt/],
    [{ prompt: [{ role: 'robot', content: 'q' }], answer: '1' }, /has no prompt/],
    [{ prompt: [{ role: 'user', content: 5 }], answer: '1' }, /has no prompt/],
    [{ prompt: 'q' }, /has no ground truth: name its column with data\.answer/],
    [{ prompt: 'q', answer: null }, /has no ground truth/],
    [null, /row 1 is no object but null/],
    [5, /row 1 is no object but 5/],
    [['q', '1'], /row 1 is no object/],
  ])('%j is refused with its place', async (record, message) => {
    await expect(read(JSON.stringify([record]))).rejects.toThrow(message);
  });
});

describe('a file', () => {
  const line = '{"prompt":"q","answer":"1"}';
  it.each<[string, string | Buffer, string]>([
    ['a list', `[${line},${line}]`, '.json'],
    ['lines', `${line}\n${line}\n`, '.jsonl'],
    ['lines of Windows, with blank ones', `${line}\r\n\r\n${line}\r\n`, '.jsonl'],
    ['lines called .json', `${line}\n${line}`, '.json'],
    ['a byte order mark before a list', `\ufeff[${line},${line}]`, '.json'],
    ['a byte order mark before lines', `\ufeff${line}\n${line}`, '.jsonl'],
    ['packed', gzipSync(`${line}\n${line}\n`), '.jsonl.gz'],
    ['CSV', 'prompt,answer\nq,1\n"q",1\n', '.csv'],
    [
      'CSV with nested names and JSON in cells',
      'prompt,reward_model.ground_truth\n"[{""role"":""user"",""content"":""q""}]",1\nq,1\n',
      '.csv',
    ],
  ])('%s', async (_, content, extension) => {
    const rows = await read(content, extension);
    expect(rows.map(({ prompt, groundTruth }) => [prompt, groundTruth])).toEqual([
      [asked, '1'],
      [asked, '1'],
    ]);
  });
  it.each<[string, string, string, RegExp]>([
    ['nothing', '', '.jsonl', /holds no rows/],
    ['an empty list', '[]', '.json', /holds no rows/],
    ['a list that is cut off', `[${line},`, '.json', /cannot be read .*give parquet, JSON, JSONL or CSV/],
    ['a line that is cut off', `${line}\n{"prompt":`, '.jsonl', /cannot be read/],
    ['something else', 'PAR1', '.parquet', /is not a whole parquet file/],
    ['CSV with a stray comma', 'prompt,answer\nq, really,1\n', '.csv', /row 1 has 3 fields, the header 2/],
  ])('%s is refused', async (_, content, extension, message) => {
    await expect(read(content, extension)).rejects.toThrow(message);
  });
});

it.each<[string, string]>([
  ['train.parquet', 'train'],
  ['test.parquet', 'test'],
  ['gsm8k_test.jsonl', 'test'],
  ['Test-00000-of-00001.parquet', 'test'],
  ['val.parquet', 'validation'],
  ['math-dev.csv', 'validation'],
  ['validation-0.parquet', 'validation'],
  ['eval.json', 'validation'],
  ['latest.parquet', 'train'],
  ['values.csv', 'train'],
  ['device.json', 'train'],
  ['/data/test/train.parquet', 'train'],
])('%s is %s', (name, split) => expect(splitOfFile(name)).toBe(split));
