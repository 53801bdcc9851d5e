/**
 * Whose folder it is: an evaluation is written into an empty folder or into one of an evaluation, and starting anew removes only files
 * that an evaluation writes, by name. Whatever else lies there stays.
 */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { namesIn } from '../run/files.ts';
import { evaluationLayout, layout } from '../run/layout.ts';

const own: readonly string[] = Object.values(evaluationLayout);
/** Written beside them; a folder with nothing else is not known by these. */
const summaries: readonly string[] = ['summary.txt', 'summary.csv', 'summary.md'];
const logName = /^eval_\d{8}_\d{6}\.log$/;
const resultName = /^eval_(results|summary|task_stats)_\d{8}_\d{6}\.(jsonl|txt|json)$/;

/** Throws EVAL_FOLDER_TAKEN where something lies that is not an evaluation. */
export async function refuseForeign(folder: string): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
  const isRun = names.includes(layout.info);
  const isEvaluation = names.some((name) => own.includes(name)) || (names.length === 1 && names[0] === 'logs');
  if (names.length === 0 || (isEvaluation && !isRun)) return;
  throw new AgogeError(
    'EVAL_FOLDER_TAKEN',
    `${folder} holds ${isRun ? 'a run' : 'something else'}, not an evaluation: nothing was changed; choose another folder with --out`,
  );
}

/** Removes what an evaluation has written into its folder; throws EVAL_FOLDER_TAKEN where it holds something else. */
export async function clearEvaluation(folder: string): Promise<void> {
  await refuseForeign(folder);
  // The status last: a folder that still has it is known for what it is, however early this ends.
  const files: string[] = [...summaries, ...own.filter((name) => name !== evaluationLayout.status)].map((name) =>
    join(folder, name),
  );
  const folders = new Set<string>();
  for (const name of await namesIn(join(folder, 'logs'))) if (logName.test(name)) files.push(join(folder, 'logs', name));
  for (const environment of await foldersIn(folder)) {
    folders.add(environment);
    for (const policy of await foldersIn(environment)) {
      const results = (await namesIn(policy)).filter((name) => resultName.test(name));
      files.push(...results.map((name) => join(policy, name)));
      folders.add(policy);
    }
  }
  for (const file of [...files, join(folder, evaluationLayout.status)]) await rm(file, { force: true });
  // The inner ones first; what holds a file of somebody else stays.
  for (const each of [...folders].reverse()) await rmdir(each).catch(() => undefined);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
