/** A whole run, or several, as one HTML file: the page with the run's data inside, compressed; it opens from disk without a network. */
import { readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { AgogeError } from '../../core/error.ts';
import { writeWhole } from '../../run/files.ts';
import type { RunLibrary } from '../runs/library.ts';
import { sum } from '../../learn/rows.ts';
import type { EpisodeSummary, EpisodeView } from '../model.ts';
import type { ReportBundle, RunReport } from '../together-model.ts';
import { page } from './page.ts';

/** Of a gallery: more is no page to look at. */
export const mostRuns = 50;

export interface ReportOptions {
  /** How many episodes go into the file: the last step's and the last evaluation's first, then a spread over the run. */
  readonly episodes: number;
}

export interface WrittenReport {
  readonly bytes: number;
  /** Episodes that were to be in it and cannot be read, with the reason of the first. */
  readonly unreadable: number;
  readonly because: string | undefined;
}

/**
 * Writes the report of a run, or the gallery of several, among which the episodes are shared out; the file is there whole or not at all.
 * An episode that cannot be read is left out and counted.
 */
export async function writeReport(
  library: RunLibrary,
  runs: string | readonly string[],
  file: string,
  options: ReportOptions,
): Promise<WrittenReport> {
  const { bundle, ...left } = await bundleOf(library, runs, options);
  const text = await reportPage(gzipSync(JSON.stringify(bundle), { level: 9 }));
  await writeWhole(file, text);
  return { bytes: Buffer.byteLength(text), ...left };
}

/** The page with a bundle inside, given as gzipped JSON. */
export async function reportPage(bundle: Buffer): Promise<string> {
  const html = await page();
  const marker = '<!--agoge-report-->';
  if (!html.includes(marker))
    throw new AgogeError('REPORT_NO_PAGE', 'the built page has no place for a report: run `npm run build` again');
  // A function, because "$&" in a replacement string would be read as a pattern.
  return html.replace(marker, () => `<script ${reportMark}>${bundle.toString('base64')}</script>`);
}

/** What a report carries, and what of it could not be read. */
export async function bundleOf(
  library: RunLibrary,
  runs: string | readonly string[],
  { episodes }: ReportOptions,
): Promise<Omit<WrittenReport, 'bytes'> & { readonly bundle: ReportBundle }> {
  const ids = typeof runs === 'string' ? [runs] : runs;
  if (ids.length === 0 || ids.length > mostRuns)
    throw new AgogeError('REPORT_NO_RUN', `a report has 1 to ${mostRuns} runs, not ${ids.length}: give a folder with fewer`);
  const made: { readonly report: RunReport; readonly chosen: Chosen }[] = [];
  for (const id of ids) {
    const chosen = await choose(library, id, Math.ceil(episodes / ids.length));
    made.push({ report: await reportOf(library, id, chosen), chosen });
  }
  const { runs: _, metrics: __, ...together } = await library.compare(ids, []);
  const bundle: ReportBundle = {
    version: 1,
    writtenAt: new Date().toISOString(),
    reports: made.map(({ report }) => report),
    together,
  };
  return {
    bundle,
    unreadable: sum(made.map(({ chosen }) => chosen.unreadable)),
    because: made.find(({ chosen }) => chosen.because !== undefined)?.chosen.because,
  };
}

async function reportOf(library: RunLibrary, id: string, { chosen }: Chosen): Promise<RunReport> {
  const run = await library.detail(id);
  return {
    run,
    metrics: await library.metrics(id),
    log: await library.log(id),
    episodes: chosen,
    left: Math.max(0, run.episodes - chosen.length),
  };
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

interface Chosen extends Omit<WrittenReport, 'bytes'> {
  readonly chosen: readonly EpisodeView[];
}

async function choose(library: RunLibrary, id: string, most: number): Promise<Chosen> {
  if (most <= 0) return { chosen: [], unreadable: 0, because: undefined };
  const newest = await library.episodes(id, { limit: Math.ceil(most / 2) });
  const spread: EpisodeSummary[] = [];
  const stride = Math.max(1, Math.floor(newest.total / Math.max(1, Math.floor(most / 2))));
  for (let offset = newest.rows.length; offset < newest.total && spread.length + newest.rows.length < most; offset += stride) {
    spread.push(...(await library.episodes(id, { offset, limit: 1 })).rows);
  }
  const chosen: EpisodeView[] = [];
  const reasons: string[] = [];
  for (const { place } of [...newest.rows, ...spread]) {
    try {
      chosen.push(await library.episode(id, place));
    } catch (thrown) {
      reasons.push(AgogeError.from(thrown, 'REPORT_FAILED', 'an episode cannot be read').message);
    }
  }
  return { chosen, unreadable: reasons.length, because: reasons[0] };
}
