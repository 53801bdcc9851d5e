/** The episodes of one run: listed from the index, opened one at a time from the compressed file of their step. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { AgogeError } from '../core/error.ts';
import { EpisodeIndex, indexed, type EpisodePurpose, type IndexedEpisode } from '../run/episode-index.ts';
import { parseEpisodeRecord } from '../run/episode-record.ts';
import { episodesFile, stepOf } from '../run/layout.ts';
import type { Decoder } from './decoder.ts';
import { episodeSummary, episodeView } from './episode-view.ts';
import type { EpisodePage, EpisodeQuery, EpisodeView } from './model.ts';

/** A text search opens at most this many episodes before it answers with what it has. */
const mostSearched = 20_000;
/** Without an index (an evaluation, an older run) the files themselves are read, at most this many lines. */
const mostScanned = 20_000;

const evaluationFile = 'episodes.jsonl.gz';

interface EpisodeFile {
  readonly purpose: EpisodePurpose;
  readonly step: number;
}

export class EpisodeShelf {
  private readonly index = new EpisodeIndex();
  private readonly problems: string[] = [];
  private scanned = false;
  private complete = true;
  private alone = false;

  constructor(
    private readonly folder: string,
    private readonly decoder: Decoder,
  ) {}

  async overview(): Promise<{ readonly size: number; readonly steps: readonly number[]; readonly problems: readonly string[] }> {
    await this.refresh();
    return { size: this.index.size, steps: this.index.steps, problems: this.problems };
  }

  async search(query: EpisodeQuery): Promise<EpisodePage> {
    await this.refresh();
    const candidates = this.index.select(query);
    const offset = query.offset ?? 0;
    const limit = query.limit ?? 100;
    const categories = this.index.categories;
    if (query.text === undefined) {
      const rows = candidates.slice(offset, offset + limit).map((i) => episodeSummary(this.index.at(i)));
      return { total: candidates.length, partial: !this.complete, rows, categories };
    }
    const searched = candidates.slice(0, mostSearched).map((i) => this.index.at(i));
    const matching = await this.containing(searched, query.text, offset + limit);
    const partial = !this.complete || candidates.length > mostSearched || matching.length >= offset + limit;
    return { total: matching.length, partial, rows: matching.slice(offset, offset + limit).map(episodeSummary), categories };
  }

  async episode(place: string): Promise<EpisodeView> {
    const [, purpose, step, row] = /^(train|eval)-(\d+)-(\d+)$/.exec(place) ?? [];
    const file: EpisodeFile = { purpose: purpose === 'eval' ? 'eval' : 'train', step: Number(step) };
    for await (const line of this.lines(file)) {
      if (line.row !== Number(row)) continue;
      const { record } = parseEpisodeRecord(JSON.parse(line.text));
      return episodeView(record, indexed(record, file.step, line.row, file.purpose), await this.decoder.pieces());
    }
    throw new AgogeError('REPORT_NO_EPISODE', `there is no episode ${place} in this run: choose one from the list`);
  }

  /** Episodes whose text contains the words, newest first, until enough are found. */
  private async containing(rows: readonly IndexedEpisode[], text: string, enough: number): Promise<IndexedEpisode[]> {
    const found: IndexedEpisode[] = [];
    for (const wanted of byFile(rows)) {
      const [first] = wanted;
      if (!first) continue;
      const rest = new Map(wanted.map((row) => [row.row, row]));
      for await (const line of this.lines(first)) {
        const row = rest.get(line.row);
        if (row && spoken(line.text).includes(text)) found.push(row);
        if (found.length >= enough) return found;
      }
    }
    return found;
  }

  private async refresh(): Promise<void> {
    await this.index.catchUp(join(this.folder, 'episodes', 'index.jsonl'));
    if (this.index.size > 0 || this.scanned) return;
    this.scanned = true;
    for (const file of await this.onDisk()) await this.scan(file);
    // A run that is being written may not have its first index line yet: look again next time.
    if (this.index.size === 0) this.scanned = false;
  }

  private async scan(file: EpisodeFile): Promise<void> {
    for await (const { row, text } of this.lines(file)) {
      if (this.index.size >= mostScanned) {
        this.complete = false;
        return;
      }
      try {
        this.index.add(indexed(parseEpisodeRecord(JSON.parse(text)).record, file.step, row, file.purpose));
      } catch (thrown) {
        this.note(`${this.pathOf(file)} line ${String(row + 1)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
  }

  /** Lines of a step's file; a file that ends early gives what it has and leaves a note. */
  private async *lines(file: EpisodeFile): AsyncGenerator<{ readonly row: number; readonly text: string }> {
    const source = createReadStream(join(this.folder, this.pathOf(file)));
    const unpacked = createGunzip();
    let trouble: unknown;
    source.on('error', (error) => unpacked.destroy(error));
    unpacked.on('error', (error) => (trouble = error));
    let row = 0;
    try {
      for await (const text of createInterface({ input: source.pipe(unpacked), crlfDelay: Infinity })) {
        if (text !== '') yield { row: row++, text };
      }
    } catch (thrown) {
      trouble ??= thrown;
    } finally {
      source.destroy();
      unpacked.destroy();
    }
    if (trouble !== undefined)
      this.note(
        `${this.pathOf(file)} ends early after ${String(row)} episodes (${trouble instanceof Error ? trouble.message : 'unreadable'})`,
      );
  }

  /** An evaluation of its own keeps its episodes in one file; a run keeps one per step. */
  private pathOf({ purpose, step }: EpisodeFile): string {
    if (this.alone) return evaluationFile;
    return relative(this.folder, episodesFile(this.folder, step, purpose === 'eval' ? 'eval' : 'step'));
  }

  private async onDisk(): Promise<EpisodeFile[]> {
    const inside: readonly string[] = await readdir(this.folder).catch(() => []);
    this.alone = inside.includes(evaluationFile);
    if (this.alone) return [{ purpose: 'eval', step: 0 }];
    const names = await readdir(join(this.folder, 'episodes')).catch(() => []);
    const files = names.flatMap((name): EpisodeFile[] => {
      const [train, evaluated] = [stepOf(name), stepOf(name, 'eval')];
      if (train !== undefined) return [{ purpose: 'train', step: train }];
      return evaluated === undefined ? [] : [{ purpose: 'eval', step: evaluated }];
    });
    return files.sort((a, b) => a.step - b.step);
  }

  private note(problem: string): void {
    if (!this.problems.includes(problem) && this.problems.length < 20) this.problems.push(problem);
  }
}

/** What was said in an episode, without its numbers. */
function spoken(line: string): string {
  try {
    const { observation, turns } = parseEpisodeRecord(JSON.parse(line)).record;
    return [observation, ...turns.flatMap((turn) => [turn.reply, turn.observation])].join('\n');
  } catch {
    return '';
  }
}

/** Rows that lie in one file together, so that each file is opened once. */
function byFile(rows: readonly IndexedEpisode[]): Iterable<readonly IndexedEpisode[]> {
  const groups = new Map<string, IndexedEpisode[]>();
  for (const row of rows) {
    const key = `${row.purpose} ${String(row.step)}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups.values();
}
