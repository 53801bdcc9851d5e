/** A whole run as one HTML file: the page with the run's data inside, compressed; it opens from disk without a network. */
import { readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { AgogeError } from '../../core/error.ts';
import { writeWhole } from '../../run/files.ts';
import type { RunLibrary } from '../runs/library.ts';
import type { EpisodeSummary, EpisodeView, ReportBundle } from '../model.ts';
import { page } from './page.ts';

export interface ReportOptions {
  /** How many episodes go into the file: the last step's and the last evaluation's first, then a spread over the run. */
  readonly episodes: number;
}

/** Writes the report of a run; the file is there whole or not at all. Gives its size in bytes. */
export async function writeReport(library: RunLibrary, id: string, file: string, { episodes }: ReportOptions): Promise<number> {
  const run = await library.detail(id);
  const chosen = await choose(library, id, episodes);
  const bundle: ReportBundle = {
    version: 1,
    writtenAt: new Date().toISOString(),
    run,
    metrics: await library.metrics(id),
    log: await library.log(id),
    episodes: chosen,
    left: Math.max(0, run.episodes - chosen.length),
  };
  const html = await page();
  const marker = '<!--agoge-report-->';
  if (!html.includes(marker))
    throw new AgogeError('REPORT_NO_PAGE', 'the built page has no place for a report: run `npm run build` again');
  const data = gzipSync(JSON.stringify(bundle), { level: 9 }).toString('base64');
  // A function, because "$&" in a replacement string would be read as a pattern.
  const text = html.replace(marker, () => `<script ${reportMark}>${data}</script>`);
  await writeWhole(file, text);
  return Buffer.byteLength(text);
}

/** A report may take the place of a report, and of nothing else: throws REPORT_FILE_TAKEN. */
export async function refuseForeignFile(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (!there) return;
  const ours = there.isFile() && there.size < 2 ** 30 && (await readFile(file)).includes(reportMark);
  if (ours) return;
  const what = there.isDirectory() ? 'is a folder' : 'is there and is not a report';
  throw new AgogeError(
    'REPORT_FILE_TAKEN',
    `${file} ${what}: choose another name${there.isFile() ? ', or replace it with --force' : ''}`,
  );
}

/** What tells a report from any other page. */
const reportMark = 'type="application/gzip-json" id="agoge-report"';

async function choose(library: RunLibrary, id: string, most: number): Promise<EpisodeView[]> {
  if (most <= 0) return [];
  const newest = await library.episodes(id, { limit: Math.ceil(most / 2) });
  const spread: EpisodeSummary[] = [];
  const stride = Math.max(1, Math.floor(newest.total / Math.max(1, Math.floor(most / 2))));
  for (let offset = newest.rows.length; offset < newest.total && spread.length + newest.rows.length < most; offset += stride) {
    spread.push(...(await library.episodes(id, { offset, limit: 1 })).rows);
  }
  const views: EpisodeView[] = [];
  for (const { place } of [...newest.rows, ...spread]) views.push(await library.episode(id, place));
  return views;
}
