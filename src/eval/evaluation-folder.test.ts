import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clearEvaluation, refuseForeign } from './evaluation-folder.ts';

const base = await mkdtemp(join(tmpdir(), 'agoge-evaluation-folder-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function made(name: string, files: readonly string[]): Promise<string> {
  for (const file of files) {
    await mkdir(join(base, name, file, '..'), { recursive: true });
    await writeFile(join(base, name, file), 'x');
  }
  return join(base, name);
}

it.each([
  ['a thesis', ['thesis.tex', 'figures/one.pdf']],
  ['a trained run', ['run.json', 'config.yaml', 'logs/train_20261115_142501.log']],
  ['a run that was evaluated in place', ['run.json', 'eval.json']],
  ['a folder of logs of others', ['logs/x.log', 'y.txt']],
])('%s is neither removed nor written to', async (name, files) => {
  const folder = await made(name, files);
  const before = await readdir(folder, { recursive: true });
  await expect(clearEvaluation(folder)).rejects.toMatchObject({ code: 'EVAL_FOLDER_TAKEN' });
  await expect(refuseForeign(folder)).rejects.toMatchObject({ code: 'EVAL_FOLDER_TAKEN' });
  expect(await readdir(folder, { recursive: true })).toEqual(before);
});

it('starting anew removes the files of an evaluation and leaves what somebody put beside them', async () => {
  const ours = ['eval.json', 'status.json', 'episodes.jsonl', 'episodes.jsonl.gz', 'logs/eval_20261115_142501.log'];
  const results = ['textcraft/base/eval_results_20261115_142501.jsonl', 'textcraft/base/eval_summary_20261115_142501.txt'];
  const summaries = ['summary.txt', 'summary.csv', 'summary.md'];
  const theirs = ['notes.md', 'logs/train.log', 'figures/one.pdf', 'webshop/random/remarks.txt'];
  const folder = await made('mixed', [
    ...ours,
    ...summaries,
    ...results,
    ...theirs,
    'webshop/random/eval_task_stats_20261115_142501.json',
  ]);
  await clearEvaluation(folder);
  const left = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(left.map(({ name }) => name).sort()).toEqual(['notes.md', 'one.pdf', 'remarks.txt', 'train.log']);
  expect(await readFile(join(folder, 'notes.md'), 'utf8')).toBe('x');
  expect(await readdir(folder)).not.toContain('textcraft');
});

it('an evaluation that was started anew is free, so that it can be started anew again', async () => {
  const folder = await made('again', ['eval.json', 'summary.txt', 'summary.csv', 'summary.md', 'logs/eval_20261115_142501.log']);
  await clearEvaluation(folder);
  await refuseForeign(folder);
});

it('a folder that is not there or empty is free', async () => {
  await clearEvaluation(join(base, 'none'));
  await mkdir(join(base, 'empty'));
  await refuseForeign(join(base, 'empty'));
});
