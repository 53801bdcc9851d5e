/** Reads evaluations and runs into summary rows, and writes a summary in its three forms. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { writeWhole } from '../run/files.ts';
import { evaluationLayout, layout } from '../run/layout.ts';
import { readEvaluations } from '../run/metrics-log.ts';
import { readRunInfo } from '../run/run-info.ts';
import { isUnfinished, readEvaluation } from './read.ts';
import { resultFiles, resultRows } from './recorded-results.ts';
import { evaluationRows, runRows, summaryCsv, summaryMarkdown, summaryText, type SummaryRow } from './summary.ts';

/** The rows of a folder: an evaluation's, a run's, or of every one of them below it. */
export async function summaryRows(folder: string): Promise<SummaryRow[]> {
  if (existsSync(join(folder, evaluationLayout.results)) || (await isUnfinished(folder)))
    return evaluationRows(await readEvaluation(folder));
  if (existsSync(join(folder, layout.info))) {
    const { seed } = await readRunInfo(folder);
    return runRows(folder, seed, await readEvaluations(folder));
  }
  if (!existsSync(folder))
    throw new AgogeError('EVAL_NOT_FOUND', `there is no ${folder}: give the folders that agoge eval, train or sft wrote`);
  const recorded = await resultFiles(folder);
  if (recorded.length > 0) return (await Promise.all(recorded.map(resultRows))).flat();
  throw new AgogeError(
    'EVAL_UNREADABLE',
    `${folder} is neither an evaluation nor a run: give the folders that agoge eval, train or sft wrote, or one with eval_results_….jsonl`,
  );
}

/** Writes <base>.txt, <base>.csv and <base>.md. */
export async function writeSummary(base: string, rows: readonly SummaryRow[]): Promise<string[]> {
  const files = [
    [`${base}.txt`, summaryText(rows)],
    [`${base}.csv`, summaryCsv(rows)],
    [`${base}.md`, summaryMarkdown(rows)],
  ] as const;
  for (const [path, text] of files) await writeWhole(path, text);
  return files.map(([path]) => path);
}
