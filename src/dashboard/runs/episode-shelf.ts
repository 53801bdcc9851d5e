/** The episodes of one run: listed from the index, opened one at a time from the compressed file of their step. */
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { EpisodeIndex, indexed, type EpisodeFilter, type EpisodePurpose, type IndexedEpisode } from '../../run/episode-index.ts';
import { parseEpisodeRecord } from '../../run/episode-record.ts';
import { fileLines, readLimits, type NumberedLine, type ReadLimits } from '../../run/file-lines.ts';
import { GrowingLines } from '../../run/growing-lines.ts';
import { namesInside } from '../../run/inside.ts';
import { episodesFile, evaluationLayout, layout, stepOf } from '../../run/layout.ts';
import type { Decoder } from './decoder.ts';
import { episodeSummary, episodeView } from './episode-view.ts';
import type { EpisodePage, EpisodeQuery, EpisodeView } from '../model.ts';
import { firstLine } from './run-files.ts';

/** A text search opens at most this many episodes before it answers with what it has. */
const mostSearched = 20_000;
/** What no index lists (an evaluation, an older run) is read from the files themselves, at most this many lines. */
const mostScanned = 20_000;

/** An evaluation of its own keeps its episodes in one file, and in a journal before that while it runs. */
const { episodes: packedFile, journal: journalFile } = evaluationLayout;

interface EpisodeFile {
  readonly purpose: EpisodePurpose;
  readonly step: number;
}

export class EpisodeShelf {
  private readonly index = new EpisodeIndex();
  private readonly problems: string[] = [];
  /** The folder of episodes when files were last looked for that the index does not list. */
  private searched = '';
  /** Lines read from files for want of an index. */
  private scanned = 0;
  private complete = true;
  /** Of an evaluation of its own: which packed file was read, and what came in the journal since. */
  private packed: string | undefined;
  private journal = new GrowingLines();
  private rows = 0;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly decoder: Decoder,
    private readonly limits: ReadLimits = readLimits,
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
    const { matching, whole } = await this.containing(searched, query.text, offset + limit);
    const partial = !this.complete || !whole || candidates.length > mostSearched;
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

  /** Episodes whose text contains the words, newest first, until enough are found or the time is over. */
  private async containing(
    rows: readonly IndexedEpisode[],
    text: string,
    enough: number,
  ): Promise<{ matching: IndexedEpisode[]; whole: boolean }> {
    const found: IndexedEpisode[] = [];
    const until = performance.now() + this.limits.milliseconds;
    for (const wanted of byFile(rows)) {
      const [first] = wanted;
      if (!first) continue;
      const rest = new Map(wanted.map((row) => [row.row, row]));
      for await (const line of this.lines(first)) {
        const row = rest.get(line.row);
        if (row && spoken(line.text).includes(text)) found.push(row);
        if (found.length >= enough || performance.now() > until) return { matching: found, whole: false };
      }
    }
    return { matching: found, whole: true };
  }

  /** Everything that the list has, or what of it fits, the newest first. */
  async *listed(filter: EpisodeFilter = {}): AsyncGenerator<IndexedEpisode> {
    await this.refresh();
    for (const i of this.index.select(filter)) yield this.index.at(i);
  }

  /** Questions that come together share one look, so that no row is added twice. */
  private refresh(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<void> {
    if (await this.isEvaluation()) return this.lookAtEvaluation();
    await this.index.catchUp(this.folder).catch((thrown: unknown) => this.note(firstLine(thrown)));
    // A file that was written a moment ago may not be listed yet: it is read once, here or from the index.
    const stamp = await stampOf(join(this.folder, layout.episodes));
    if (stamp === this.searched) return;
    this.searched = stamp;
    for (const file of await this.onDisk()) {
      if (this.index.hasFile(file)) continue;
      this.index.passOver(file);
      for await (const line of this.lines(file)) this.add(line, file);
    }
  }

  /** The packed file is read again when it was written anew; the journal only where it grew. */
  private async lookAtEvaluation(): Promise<void> {
    const file: EpisodeFile = { purpose: 'eval', step: 0 };
    const packed = await stampOf(join(this.folder, packedFile));
    if (packed !== this.packed) {
      this.index.clear();
      this.scanned = 0;
      this.packed = packed;
      this.rows = 0;
      this.journal = new GrowingLines(() => (this.packed = undefined));
      if (packed !== '')
        for await (const line of this.linesOf(packedFile)) {
          this.add(line, file);
          this.rows = line.row + 1;
        }
    }
    await this.journal
      .catchUp(this.folder, journalFile, (text) => this.add({ row: this.rows++, text }, file))
      .catch((thrown: unknown) => this.note(firstLine(thrown)));
  }

  private async isEvaluation(): Promise<boolean> {
    const stamps = await Promise.all([packedFile, journalFile].map((name) => stampOf(join(this.folder, name))));
    return stamps.some((stamp) => stamp !== '');
  }

  private add({ row, text }: NumberedLine, { step, purpose }: EpisodeFile): void {
    if (this.scanned >= mostScanned) {
      this.complete = false;
      return;
    }
    this.scanned++;
    try {
      this.index.add(indexed(parseEpisodeRecord(JSON.parse(text)).record, step, row, purpose));
    } catch (thrown) {
      const where = this.packed === undefined ? this.pathOf({ step, purpose }) : packedFile;
      this.note(`${where} line ${String(row + 1)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }

  /** Lines of a step's file, or of an evaluation's: the packed ones and those of the journal after them. */
  private async *lines(file: EpisodeFile): AsyncGenerator<NumberedLine> {
    if (!(await this.isEvaluation())) {
      yield* this.linesOf(this.pathOf(file));
      return;
    }
    let row = 0;
    for await (const line of this.linesOf(packedFile)) {
      yield line;
      row = line.row + 1;
    }
    for await (const { text } of this.linesOf(journalFile)) yield { row: row++, text };
  }

  private linesOf(name: string): AsyncGenerator<NumberedLine> {
    return fileLines(this.folder, name, (problem) => this.note(problem), this.limits);
  }

  private pathOf({ purpose, step }: EpisodeFile): string {
    return relative(this.folder, episodesFile(this.folder, step, purpose === 'eval' ? 'eval' : 'step'));
  }

  private async onDisk(): Promise<EpisodeFile[]> {
    const names = await namesInside(this.folder, layout.episodes);
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

/** Changes whenever the file does; '' where there is none. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${String(found.mtimeMs)} ${String(found.size)}` : '';
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
