/**
 * The episodes of a run, one gzipped JSONL file per step, readable with `zcat`. A file is there whole or not at all, and is
 * written on the side: the trainer waits for it at the end of the next step, not at once.
 */
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { indexLine, type EpisodePurpose } from './episode-index.ts';
import { type EpisodeRecord } from './episode-record.ts';
import { namesIn, removeHidden, writeWhole } from './files.ts';
import { readInside } from './inside.ts';
import { episodesFile, layout, stepOf } from './layout.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes of an index, or of a step's episodes unpacked: what a string can hold. */
const mostBytes = 2 ** 29 - 2 ** 20;

export class EpisodeFiles {
  constructor(private readonly directory: string) {}

  /** Writes the episodes of a step and lists them in the index. */
  async write(step: number, records: readonly EpisodeRecord[]): Promise<void> {
    await this.file(episodesFile(this.directory, step), records);
    await this.list(step, records, 'train');
  }

  async writeEvaluation(step: number, records: readonly EpisodeRecord[]): Promise<void> {
    await this.file(episodesFile(this.directory, step, 'eval'), records);
    await this.list(step, records, 'eval');
  }

  /** Removes the episodes of later steps: a resumed run plays them again. */
  async cutAfter(step: number): Promise<void> {
    const folder = join(this.directory, layout.episodes);
    await removeHidden(folder);
    for (const name of await namesIn(folder)) {
      const of = stepOf(name) ?? stepOf(name, 'eval');
      if (of !== undefined && of > step) await rm(join(folder, name), { force: true });
    }
    await this.rewriteIndex((of) => of <= step);
  }

  /** Removes what one evaluation has left in the index; its file is written again whole. */
  async dropEvaluation(step: number): Promise<void> {
    await this.rewriteIndex((of, line) => of !== step || !line.endsWith('"eval"]'));
  }

  /** Keeps whole lines that are wanted; a torn one goes. */
  private async rewriteIndex(wanted: (step: number, line: string) => boolean): Promise<void> {
    const text = (await readInside(this.directory, layout.episodeIndex, mostBytes)) ?? '';
    if (text === '') return;
    const kept = text.split('\n').filter((line) => {
      const of = /^\[(\d+),/.exec(line)?.[1];
      return of !== undefined && line.endsWith(']') && wanted(Number(of), line);
    });
    await writeWhole(join(this.directory, layout.episodeIndex), kept.map((line) => `${line}\n`).join(''));
  }

  private async list(step: number, records: readonly EpisodeRecord[], purpose: EpisodePurpose): Promise<void> {
    const index = join(this.directory, layout.episodeIndex);
    await mkdir(dirname(index), { recursive: true });
    await appendFile(index, records.map((record, row) => indexLine(record, step, row, purpose)).join(''));
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
