/**
 * The episodes of a run, one gzipped JSONL file per step, readable with `zcat`. A file is there whole or not at all, and is
 * written on the side: the trainer waits for it at the end of the next step, not at once.
 */
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  fileKey,
  indexed,
  indexLine,
  inOrder,
  parseIndexLine,
  type EpisodePurpose,
  type IndexedEpisode,
} from './episode-index.ts';
import { parseEpisodeRecord, type EpisodeRecord } from './episode-record.ts';
import { namesIn, removeHidden, writeWhole } from './files.ts';
import { readInside } from './inside.ts';
import { episodesFile, layout, stepOf } from './layout.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes of an index, or of a step's episodes unpacked: what a string can hold. */
const mostBytes = 2 ** 29 - 2 ** 20;

export class EpisodeFiles {
  /** Files are written and listed one after the other, so that the index has one order however long each takes. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly directory: string) {}

  /** Writes the episodes of a step and lists them in the index. */
  write(step: number, records: readonly EpisodeRecord[]): Promise<void> {
    return this.add(step, records, 'train');
  }

  writeEvaluation(step: number, records: readonly EpisodeRecord[]): Promise<void> {
    return this.add(step, records, 'eval');
  }

  /** Removes the episodes of later steps: a resumed run plays them again. What the index lost of earlier ones comes back from their files. */
  async cutAfter(step: number): Promise<void> {
    const folder = join(this.directory, layout.episodes);
    await removeHidden(folder);
    for (const name of await namesIn(folder)) {
      const of = stepOf(name) ?? stepOf(name, 'eval');
      if (of !== undefined && of > step) await rm(join(folder, name), { force: true });
    }
    const text = await this.indexText();
    const listed = parsedLines(text).filter((one) => one.step <= step);
    const read = await this.unlisted(wholeFiles(listed));
    const readFiles = new Set(read.map(fileKey));
    const kept = listed.filter((one) => !readFiles.has(fileKey(one)));
    if (text !== '' || read.length > 0) await this.writeIndex([...kept, ...read].sort(inOrder));
  }

  /** Removes what one evaluation has left: it is played again. */
  async dropEvaluation(step: number): Promise<void> {
    await rm(episodesFile(this.directory, step, 'eval'), { force: true });
    const listed = parsedLines(await this.indexText());
    const kept = listed.filter((one) => one.step !== step || one.purpose !== 'eval');
    if (kept.length < listed.length) await this.writeIndex(kept);
  }

  private add(step: number, records: readonly EpisodeRecord[], purpose: EpisodePurpose): Promise<void> {
    const writing = this.last.then(async () => {
      await this.file(episodesFile(this.directory, step, purpose === 'eval' ? 'eval' : 'step'), records);
      const index = join(this.directory, layout.episodeIndex);
      await mkdir(dirname(index), { recursive: true });
      await appendFile(index, records.map((record, row) => indexLine(indexed(record, step, row, purpose))).join(''));
    });
    this.last = writing.catch(() => undefined); // told to whoever waits for it
    return writing;
  }

  /** Rows of the packed files that the index does not have whole. A file that cannot be read has none. */
  private async unlisted(whole: ReadonlySet<number>): Promise<IndexedEpisode[]> {
    const found: IndexedEpisode[] = [];
    for (const name of await namesIn(join(this.directory, layout.episodes))) {
      const purpose = name.startsWith('eval') ? 'eval' : 'train';
      const step = stepOf(name, purpose === 'eval' ? 'eval' : 'step');
      if (step === undefined || whole.has(fileKey({ step, purpose }))) continue;
      const values = await readEpisodes(join(this.directory, layout.episodes, name)).catch(() => []);
      for (const [row, value] of values.entries()) found.push(...indexedValue(value, step, row, purpose));
    }
    return found;
  }

  private async indexText(): Promise<string> {
    return (await readInside(this.directory, layout.episodeIndex, mostBytes)) ?? '';
  }

  private async writeIndex(rows: readonly IndexedEpisode[]): Promise<void> {
    await writeWhole(join(this.directory, layout.episodeIndex), rows.map(indexLine).join(''));
  }

  private async file(path: string, records: readonly EpisodeRecord[]): Promise<void> {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await writeWhole(path, await compress(text, { level: 4 }));
  }
}

/** The episodes of one file as JSON values. */
export async function readEpisodes(path: string): Promise<unknown[]> {
  const text = (await expand(await readFile(path), { maxOutputLength: mostBytes })).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Lines of an index that can be read: a torn one goes. */
function parsedLines(text: string): IndexedEpisode[] {
  return text.split('\n').flatMap((line) => parseIndexLine(line) ?? []);
}

/** Files whose rows are all listed. The newest may have been cut short by the end of the machine: it is looked at again. */
function wholeFiles(listed: readonly IndexedEpisode[]): ReadonlySet<number> {
  const rows = new Map<number, number>();
  for (const one of listed) {
    const key = fileKey(one);
    const next = rows.get(key) ?? 0;
    rows.set(key, one.row === next ? next + 1 : NaN);
  }
  const newest = listed.at(-1);
  if (newest) rows.set(fileKey(newest), NaN);
  return new Set([...rows].flatMap(([key, next]) => (Number.isNaN(next) ? [] : [key])));
}

function indexedValue(value: unknown, step: number, row: number, purpose: EpisodePurpose): IndexedEpisode[] {
  try {
    return [indexed(parseEpisodeRecord(value).record, step, row, purpose)];
  } catch {
    return []; // whoever opens the episode is told
  }
}
