/**
 * What of the book is no text: one page with a demo and an evaluation that were really made, and with every task to play that needs no
 * server. The runs ship as data (`docs/runs.json.gz`; `scripts/book-runs.ts` makes them anew) and are put into the page that shows runs.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportPage } from '../server/single-file.ts';
import { packageRoot } from './docs-pages.ts';

export const runsFile = 'docs/runs.json.gz';
/** The page's path in the book. */
export const runsPath = 'runs.html';

/** What there is to try, by where it is. */
export interface Tried {
  readonly title: string;
  readonly chinese?: string;
  readonly path: string;
}

export const shippedRuns = { demo: 'textcraft-demo', evaluation: 'three-worlds' } as const;

export const tried: readonly Tried[] = [
  { title: 'Play a task', chinese: '试玩一个任务', path: `${runsPath}#/play` },
  { title: 'A training run', chinese: '一次训练', path: `${runsPath}#/run/${shippedRuns.demo}` },
  { title: 'An evaluation', chinese: '一次评估', path: `${runsPath}#/run/${shippedRuns.evaluation}` },
];

export async function runsPage(): Promise<string> {
  return reportPage(await readFile(join(packageRoot, runsFile)));
}
