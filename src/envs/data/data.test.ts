import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkLaws } from '../../lint/laws.ts';
import { parseCsv } from './csv.ts';
import { dataEnvironment } from './opened.fixture.ts';
import { splitOfFile } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verlRow = (question: string, truth: string) => ({
  data_source: 'openai/gsm8k',
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: question },
  ],
  ability: 'math',
  reward_model: { style: 'rule', ground_truth: truth },
  extra_info: { split: 'train', index: 7, answer: `because\n#### ${truth}`, question },
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('rows of files', () => {
  const rows = [verlRow('1 + 1?', '2'), verlRow('2 + 2?', '4')];
  it('are tasks with their own prompts, splits by the names of files', async () => {
    const train = write('train.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const test = write('gsm8k_test.json', JSON.stringify(rows.slice(1)));
    const env = await dataEnvironment({ file: `${train},${test}` });
    expect(env.splits).toEqual(['train', 'test']);
    expect(env.tasks('train').size).toBe(2);
    expect(env.tasks('test').info(0)).toEqual({ category: 'math', itemId: 'gsm8k_test_0', title: '2 + 2?' });
    const task = { env: 'data', split: 'train', index: 1 };
    const episode = env.open(task);
    expect(episode.prompt).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: '2 + 2?' },
    ]);
    expect(await episode.step('<think>#### 5</think>\n#### 4')).toMatchObject({ reward: 1, done: true, success: true });
    expect(await episode.step('#### 4')).toMatchObject({ reward: 0, done: true });
    expect(env.truth(task)).toMatchObject({ dataSource: 'openai/gsm8k', groundTruth: '4', extraInfo: { index: 7 } });
    expect(env.expert(task).next('')).toBe('because\n#### 4');
    expect(() => env.open({ ...task, index: 2 })).toThrow(/0 to 1/);
  });
  it('may be CSV with columns of their own', async () => {
    const path = write('dev.csv', 'id,q,a\n1,"What, exactly, is ""x""?\nx + 1 = 3",2\n2,And y?,\\frac12\n');
    const env = await dataEnvironment({ file: path, prompt: 'q', answer: 'a', score: 'math' });
    expect(env.splits).toEqual(['validation']);
    const episode = env.open({ env: 'data', split: 'validation', index: 0 });
    expect(episode.observation).toBe('What, exactly, is "x"?\nx + 1 = 3');
    expect(await episode.step('\\boxed{2}')).toMatchObject({ reward: 1 });
  });
  it('say what is wrong with them and where', async () => {
    const file = write('bad.jsonl', '{"question":"a","answer":"1"}\n{"question":"b"}\n');
    await expect(dataEnvironment({ file })).rejects.toThrow(/bad.jsonl: row 2 has no ground truth.*data.answer/);
    await expect(dataEnvironment({ file: write('no.jsonl', '') })).rejects.toThrow(/no rows/);
    await expect(dataEnvironment({ file: write('torn.jsonl', '{"a"') })).rejects.toThrow(/cannot be read/);
    await expect(dataEnvironment({ score: 'gsm9k' })).rejects.toThrow(/gsm8k/);
    await expect(dataEnvironment({ file, level: '2' })).rejects.toThrow(/without files/);
  });
  it('have the split that their name says', () => {
    const names = ['train.parquet', 'a/test-00000.parquet', 'gsm8k_validation.csv', 'latest.jsonl', 'dev.json'];
    expect(names.map(splitOfFile)).toEqual(['train', 'test', 'validation', 'train', 'validation']);
  });
});

it('reads CSV', () => {
  expect(parseCsv('a,b\r\n1,\r\n"x\n""y""",2')).toEqual([
    { a: '1', b: '' },
    { a: 'x\n"y"', b: '2' },
  ]);
  expect(() => parseCsv('a\n"x')).toThrow(/quote/);
});

describe('generated problems', () => {
  it.each([{}, { level: '0' }, { level: '4' }, { kind: 'countdown' }])('keep the laws: %o', async (settings) => {
    const env = await dataEnvironment(settings);
    const options = { cases: 15, expertTasks: 40, memorySteps: 2000 };
    for await (const { law, violation } of checkLaws(env, options)) expect([law, violation]).toEqual([law, undefined]);
  });
});
