/** The episodes of one run: listed from the index, opened one at a time from the compressed file of their step. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { AgogeError } from '../core/error.ts';
import { EpisodeIndex, indexed, type IndexedEpisode } from '../run/episode-index.ts';
import { parseEpisodeRecord } from '../run/episode-record.ts';
import type { Decoder } from './decoder.ts';
import { episodeView } from './episode-view.ts';
import type { EpisodePage, EpisodeQuery, EpisodeView } from './model.ts';

/** A text search opens at most this many episodes before it answers with what it has. */
const mostSearched = 20_000;
/** Without an index (an evaluation, an older run) the files themselves are read, at most this many lines. */
const mostScanned = 20_000;

export class EpisodeShelf {
  private readonly index = new EpisodeIndex();
  private readonly problems: string[] = [];
  private scanned = false;
  private complete = true;

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
    const candidates: number[] = [];
    for (let i = this.index.size - 1; i >= 0; i--) if (fits(this.index.at(i), query)) candidates.push(i);
    const offset = query.offset ?? 0;
    const limit = query.limit ?? 100;
    const categories = this.index.categories;
    if (query.text === undefined) {
      const rows = candidates.slice(offset, offset + limit).map((i) => this.index.at(i));
      return { total: candidates.length, partial: !this.complete, rows, categories };
    }
    const searched = candidates.slice(0, mostSearched).map((i) => this.index.at(i));
    const matching = await this.containing(searched, query.text, offset + limit);
    const partial = !this.complete || candidates.length > mostSearched || matching.length >= offset + limit;
    return { total: matching.length, partial, rows: matching.slice(offset, offset + limit), categories };
  }

  async episode(step: number, row: number): Promise<EpisodeView> {
    for await (const line of this.lines(step)) {
      if (line.row === row) return episodeView(parseEpisodeRecord(JSON.parse(line.text)).record, step, row, await this.decoder.pieces());
    }
    throw new AgogeError('REPORT_NO_EPISODE', `step ${step} has no episode ${row}: choose one from the list`);
  }

  /** Episodes whose text contains the words, newest first, until enough are found. */
  private async containing(rows: readonly IndexedEpisode[], text: string, enough: number): Promise<IndexedEpisode[]> {
    const byStep = Map.groupBy ? Map.groupBy(rows, (row) => row.step) : groupBySteps(rows);
    const found: IndexedEpisode[] = [];
    for (const [step, wanted] of byStep) {
      const rest = new Map(wanted.map((row) => [row.row, row]));
      for await (const line of this.lines(step)) {
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
    for (const step of await this.stepsOnDisk()) await this.scan(step);
    // A run that is being written may not have its first index line yet: look again next time.
    if (this.index.size === 0) this.scanned = false;
  }

  private async scan(step: number): Promise<void> {
    for await (const { row, text } of this.lines(step)) {
      if (this.index.size >= mostScanned) {
        this.complete = false;
        return;
      }
      try {
        this.index.add(indexed(parseEpisodeRecord(JSON.parse(text)).record, step, row));
      } catch (thrown) {
        this.note(`${this.fileOf(step)} line ${String(row + 1)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
  }

  /** Lines of a step's file; a file that ends early gives what it has and leaves a note. */
  private async *lines(step: number): AsyncGenerator<{ readonly row: number; readonly text: string }> {
    const source = createReadStream(join(this.folder, this.fileOf(step)));
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
    if (trouble !== undefined) this.note(`${this.fileOf(step)} ends early after ${String(row)} episodes (${trouble instanceof Error ? trouble.message : 'unreadable'})`);
  }

  private fileOf(step: number): string {
    return step < 0 ? 'episodes.jsonl.gz' : join('episodes', `step_${String(step).padStart(6, '0')}.jsonl.gz`);
  }

  private async stepsOnDisk(): Promise<number[]> {
    const names = await readdir(join(this.folder, 'episodes')).catch(() => []);
    const steps = names.flatMap((name) => /^step_(\d+)\.jsonl\.gz$/.exec(name)?.[1] ?? []).map(Number);
    const evaluation = (await readdir(this.folder).catch(() => [])).includes('episodes.jsonl.gz');
    return [...(evaluation ? [-1] : []), ...steps.sort((a, b) => a - b)];
  }

  private note(problem: string): void {
    if (!this.problems.includes(problem) && this.problems.length < 20) this.problems.push(problem);
  }
}

function fits(row: IndexedEpisode, query: EpisodeQuery): boolean {
  return (
    (query.step === undefined || row.step === query.step) &&
    (query.task === undefined || row.task === query.task) &&
    (query.category === undefined || row.category === query.category) &&
    (query.outcome === undefined || row.outcome === query.outcome) &&
    (query.policy === undefined || row.policy === query.policy) &&
    (query.minReward === undefined || (row.reward ?? -Infinity) >= query.minReward) &&
    (query.maxReward === undefined || (row.reward ?? Infinity) <= query.maxReward)
  );
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

function groupBySteps(rows: readonly IndexedEpisode[]): Map<number, IndexedEpisode[]> {
  const groups = new Map<number, IndexedEpisode[]>();
  for (const row of rows) groups.set(row.step, [...(groups.get(row.step) ?? []), row]);
  return groups;
}
