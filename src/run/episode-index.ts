/**
 * A run's list of episodes without the episodes: one short JSON object per line in `episodes/index.jsonl`, as any reader of
 * JSON lines takes it (older runs: arrays), appended when a step's file is complete. Held as columns, so that half a million episodes are listed and filtered in a few dozen megabytes.
 */
import { at } from '../core/at.ts';
import { fitsTask } from '../core/task.ts';
import type { EpisodeRecord } from './episode-record.ts';
import { GrowingLines } from './growing-lines.ts';
import { layout } from './layout.ts';

const outcomeWords = ['success', 'finished', 'truncated', 'failed'] as const;
export type OutcomeWord = (typeof outcomeWords)[number];

/** Played to learn from, or to evaluate. */
export type EpisodePurpose = 'train' | 'eval';

export interface IndexedEpisode {
  readonly purpose: EpisodePurpose;
  readonly step: number;
  /** Line of its file, from 0. */
  readonly row: number;
  readonly task: string;
  readonly category: string;
  readonly sample: number;
  readonly policy: string;
  readonly outcome: OutcomeWord;
  readonly reward: number | null;
  readonly turns: number;
  readonly tokens: number;
}

export interface EpisodeFilter {
  readonly purpose?: EpisodePurpose;
  readonly step?: number;
  /** One task, `textcraft/test#17`, or all of `textcraft/test` or `textcraft`. */
  readonly task?: string;
  readonly category?: string;
  readonly policy?: string;
  readonly outcome?: OutcomeWord;
  readonly minReward?: number;
  readonly maxReward?: number;
}

/** One line of the index, newline included. */
export function indexLine({ purpose, ...one }: IndexedEpisode): string {
  return `${JSON.stringify({ ...one, purpose })}\n`;
}

/** An episode of a line; undefined for one that is torn or no episode. */
export function parseIndexLine(line: string): IndexedEpisode | undefined {
  try {
    const parsed = JSON.parse(line) as IndexedEpisode | readonly unknown[];
    const one = (Array.isArray(parsed) ? fromArray(parsed) : parsed) as IndexedEpisode;
    return typeof one.step === 'number' && typeof one.task === 'string' ? one : undefined;
  } catch {
    return undefined;
  }
}

/** The packed file that an episode lies in, as a number. */
export function fileKey({ purpose, step }: Pick<IndexedEpisode, 'purpose' | 'step'>): number {
  return step * 2 + Number(purpose === 'eval');
}

/** The order in which a run lists its episodes: by step, what was learned from before what was evaluated. */
export function inOrder(a: IndexedEpisode, b: IndexedEpisode): number {
  return fileKey(a) - fileKey(b) || a.row - b.row;
}

export function indexed(record: EpisodeRecord, step: number, row: number, purpose: EpisodePurpose): IndexedEpisode {
  const { outcome } = record;
  return {
    purpose,
    step,
    row,
    task: record.task,
    category: record.category,
    sample: record.sample,
    policy: record.policy,
    outcome: outcome.kind === 'finished' && outcome.success ? 'success' : outcome.kind,
    reward: outcome.kind === 'failed' ? null : outcome.reward,
    turns: record.turns.length,
    tokens: record.segments.reduce((sum, segment) => sum + segment.tokens.length, 0),
  };
}

/** The index in memory. Reads what was appended since the last look; a torn last line waits for its rest. */
export class EpisodeIndex {
  size = 0;
  private readonly lines = new GrowingLines(() => this.clear());
  private numbers = new Float64Array(1024 * 6);
  private words = new Int32Array(1024 * 5);
  private readonly texts: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly seenFiles = new Set<number>();
  /** Files whose rows were added from the files themselves. */
  private readonly readFiles = new Set<number>();
  private readonly seenCategories = new Set<string>();

  get steps(): readonly number[] {
    return [...new Set([...this.seenFiles].map((key) => Math.floor(key / 2)))].sort((a, b) => a - b);
  }

  get categories(): readonly string[] {
    return [...this.seenCategories].sort();
  }

  /** Adds what was appended to the run's index since the last call. A file that is missing has no rows yet. */
  catchUp(folder: string): Promise<void> {
    return this.lines.catchUp(folder, layout.episodeIndex, (line) => {
      const one = parseIndexLine(line);
      if (one && !this.readFiles.has(fileKey(one))) this.add(one);
    });
  }

  /** Whether any episode of a packed file is listed. */
  hasFile(file: Pick<IndexedEpisode, 'purpose' | 'step'>): boolean {
    return this.seenFiles.has(fileKey(file));
  }

  /** The rows of this file are added by whoever reads it; what the list says of it later is passed over. */
  passOver(file: Pick<IndexedEpisode, 'purpose' | 'step'>): void {
    this.readFiles.add(fileKey(file));
  }

  add(one: IndexedEpisode): void {
    if (this.size * 6 === this.numbers.length) {
      this.numbers = grown(this.numbers, new Float64Array(this.numbers.length * 2));
      this.words = grown(this.words, new Int32Array(this.words.length * 2));
    }
    // Field by field, without an array for each of half a million rows.
    const { numbers, words } = this;
    const number = this.size * 6;
    numbers[number] = one.step;
    numbers[number + 1] = one.row;
    numbers[number + 2] = one.sample;
    numbers[number + 3] = one.reward ?? NaN;
    numbers[number + 4] = one.turns;
    numbers[number + 5] = one.tokens;
    const word = this.size * 5;
    words[word] = this.intern(one.task);
    words[word + 1] = this.intern(one.category);
    words[word + 2] = this.intern(one.policy);
    words[word + 3] = outcomeWords.indexOf(one.outcome);
    words[word + 4] = one.purpose === 'eval' ? 1 : 0;
    this.seenFiles.add(fileKey(one));
    this.seenCategories.add(one.category);
    this.size++;
  }

  /** Numbers of the episodes that fit, newest first. Works on the columns: half a million rows take a few milliseconds. */
  select(filter: EpisodeFilter): number[] {
    const wanted = [filter.category, filter.policy].map((text) => (text === undefined ? -1 : (this.ids.get(text) ?? -2)));
    const tasks = filter.task === undefined ? undefined : this.tasksOf(filter.task);
    if (wanted.includes(-2) || tasks?.size === 0) return [];
    const [category = -1, policy = -1] = wanted;
    const outcome = filter.outcome === undefined ? -1 : outcomeWords.indexOf(filter.outcome);
    const purpose = filter.purpose === undefined ? -1 : Number(filter.purpose === 'eval');
    const { step = -1, minReward = -Infinity, maxReward = Infinity } = filter;
    const rewarded = filter.minReward !== undefined || filter.maxReward !== undefined;
    const { words, numbers } = this;
    const found: number[] = [];
    for (let i = this.size - 1, word = i * 5, number = i * 6; i >= 0; i--, word -= 5, number -= 6) {
      if (tasks && !tasks.has(words[word] ?? -1)) continue;
      if (category >= 0 && words[word + 1] !== category) continue;
      if (policy >= 0 && words[word + 2] !== policy) continue;
      if (outcome >= 0 && words[word + 3] !== outcome) continue;
      if (purpose >= 0 && words[word + 4] !== purpose) continue;
      if (step >= 0 && numbers[number] !== step) continue;
      if (rewarded) {
        const reward = numbers[number + 3] ?? NaN;
        if (!(reward >= minReward && reward <= maxReward)) continue;
      }
      found.push(i);
    }
    return found;
  }

  at(i: number): IndexedEpisode {
    const number = (field: number): number => at(this.numbers, i * 6 + field);
    const text = (field: number): string => at(this.texts, at(this.words, i * 5 + field));
    const reward = number(3);
    return {
      purpose: this.words[i * 5 + 4] === 1 ? 'eval' : 'train',
      step: number(0),
      row: number(1),
      sample: number(2),
      reward: Number.isNaN(reward) ? null : reward,
      turns: number(4),
      tokens: number(5),
      task: text(0),
      category: text(1),
      policy: text(2),
      outcome: outcomeWords[this.words[i * 5 + 3] ?? 3] ?? 'failed',
    };
  }

  /** Forgets all rows. */
  clear(): void {
    this.size = 0;
    this.seenFiles.clear();
    this.readFiles.clear();
    this.seenCategories.clear();
  }

  private tasksOf(wanted: string): ReadonlySet<number> {
    return new Set([...this.ids].flatMap(([text, id]) => (fitsTask(text, wanted) ? [id] : [])));
  }

  private intern(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** A line of a run made before the lines were objects. */
function fromArray(line: readonly unknown[]): unknown {
  const [step, row, task, category, sample, policy, outcome, reward, turns, tokens, purpose = 'train'] = line;
  return { purpose, step, row, task, category, sample, policy, outcome, reward, turns, tokens };
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
