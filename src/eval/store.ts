/**
 * The folder of an evaluation. While it runs, finished episodes go to a journal line by line, so that an interruption loses
 * nothing; at the end they are packed into episodes.jsonl.gz and the results are written.
 *
 *   eval.json               request, panels, scores, comparisons
 *   summary.txt .csv .md    one table over policies, checkpoints and seeds
 *   episodes.jsonl.gz       every episode (EpisodeRecord), with a reward or with its failure
 *   episodes.jsonl          the journal; only while unfinished
 *   status.json             what is evaluated, since when, by which process, and how it ended: EvaluationStatus
 *   logs/eval_TS.log        what happened, line by line
 *   <env>/<policy>/eval_results_TS.jsonl  eval_summary_TS.txt  eval_task_stats_TS.json    as AgentGym's scripts name them
 */
import { appendFile, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { isDiskFull } from '../core/disk-full.ts';
import { AgogeError } from '../core/error.ts';
import { printable } from '../core/printable.ts';
import { episodeRecordSchema, parseEpisodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
import type { Cause } from '../run/cause.ts';
import { fileLines, type ReadLimits } from '../run/file-lines.ts';
import { writeInto, writeWhole } from '../run/files.ts';
import { keepInside, readInside } from '../run/inside.ts';
import { evaluationLayout, type FormatGap } from '../run/layout.ts';
import { folderVersion, refuseNewer } from '../run/version.ts';
import { takeFolder, type Ownership } from '../run/ownership.ts';
import { clearEvaluation, refuseForeign } from './evaluation-folder.ts';
import type { Score } from './score.ts';
import { makeFolder } from '../core/make-folder.ts';

/** One's own evaluation may be as large as the disk allows; only a line has a limit. */
const limits: ReadLimits = { packed: Infinity, plain: Infinity, line: 2 ** 28, milliseconds: Infinity };

export interface EvaluationEpisode {
  readonly record: EpisodeRecord;
  /** What the panel was when it was played; an episode of another panel is not this evaluation's. */
  readonly panel: string;
  /** Short hash of the policy's identity and sampling. */
  readonly identity: string;
  /** Tries that failed before, by what failed. */
  readonly retried: readonly string[];
  /** Hash of the file that its environment was loaded from, where it was one. */
  readonly source?: string | undefined;
}

/** status.json. A status of `running` whose `pid` is gone was killed; the same command goes on with it. */
export interface EvaluationStatus {
  /** Of the folder's layout (run/version.ts). */
  readonly v?: number;
  readonly status: 'running' | 'finished' | 'interrupted' | 'failed';
  /** `evaluation · textcraft/test · base, expert` */
  readonly title: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly pid: number;
  /** Why it ended early. */
  readonly reason?: string;
  /** The same as data. */
  readonly cause?: Cause;
  /** The scores without their tasks, so that a list of a thousand evaluations need not open their results. */
  readonly scores?: readonly ListedScore[];
  /** Policies that were taught another format than they are asked in. */
  readonly formats?: readonly FormatGap[];
}

export type ListedScore = Pick<
  Score,
  'env' | 'split' | 'standIn' | 'policy' | 'scored' | 'success' | 'failures' | 'truncated' | 'unreadable' | 'tokens' | 'usage'
>;

export class EvaluationStore {
  private readonly startedAt = new Date().toISOString();
  private readonly waiting: string[] = [];
  private writing: Promise<void> = Promise.resolve();

  private failure: AgogeError | undefined;

  private constructor(
    readonly folder: string,
    readonly stamp: string,
    private readonly owner: Ownership,
  ) {}

  /**
   * Opens a folder and what an earlier start left in it; `problems` says what of that cannot be read and is played again. With `fresh`
   * that is removed instead, once it is certain that the folder may be written to and that nobody else writes there.
   */
  static async open(folder: string, stamp: string, { fresh = false } = {}): Promise<OpenedStore> {
    await makeFolder(folder);
    await refuseForeign(folder);
    if (!fresh) await refuseNewerFolder(folder);
    await keepInside(folder, ['logs', ...Object.values(evaluationLayout)]);
    const owner = await takeFolder(folder);
    try {
      if (fresh) await clearEvaluation(folder);
      await mkdir(join(folder, 'logs'), { recursive: true });
      const problems: string[] = [];
      const episodes = [
        ...(await readEpisodes(folder, evaluationLayout.episodes, problems)),
        ...(await readEpisodes(folder, evaluationLayout.journal, problems)),
      ];
      await endLine(join(folder, evaluationLayout.journal));
      return { store: new EvaluationStore(folder, stamp, owner), episodes, problems };
    } catch (thrown) {
      await owner.release();
      throw thrown;
    }
  }

  /** Notes a finished episode. Lines are appended in batches; `flush` waits for them. Throws when they can no longer be written. */
  add(episode: EvaluationEpisode): void {
    if (this.failure) throw this.failure;
    this.waiting.push(`${lineOf(episode)}\n`);
    if (this.waiting.length > 1) return;
    this.writing = this.writing.then(() => this.append()).catch((thrown: unknown) => this.fail(thrown));
  }

  async flush(): Promise<void> {
    await this.writing;
    if (this.failure) throw this.failure;
  }

  /** Lets go of the folder. */
  async close(): Promise<void> {
    await this.owner.release();
  }

  private async append(): Promise<void> {
    const lines = this.waiting.splice(0).join('');
    await appendFile(join(this.folder, evaluationLayout.journal), lines);
  }

  private fail(thrown: unknown): void {
    const remedy = isDiskFull(thrown) ? 'the disk is full: free some space' : 'check its disk and permissions';
    this.failure ??= new AgogeError(
      'EVAL_CANNOT_WRITE',
      `episodes can no longer be written to ${this.folder}; ${remedy} and run the same command again to go on`,
      { cause: thrown },
    );
  }

  async log(line: string): Promise<void> {
    await appendFile(join(this.folder, 'logs', `eval_${this.stamp}.log`), `${new Date().toISOString()} ${printable(line)}\n`);
  }

  /** Notes how the evaluation stands, for whoever looks at the folder meanwhile. */
  async note(
    status: EvaluationStatus['status'],
    title: string,
    more: Pick<EvaluationStatus, 'reason' | 'cause' | 'scores' | 'formats'> = {},
  ): Promise<void> {
    const { startedAt } = this;
    const now: EvaluationStatus = {
      v: folderVersion,
      status,
      title,
      startedAt,
      updatedAt: new Date().toISOString(),
      pid: process.pid,
      ...more,
    };
    await keepInside(this.folder, [evaluationLayout.status]);
    await writeInto(join(this.folder, evaluationLayout.status), `${JSON.stringify(now)}\n`);
  }

  /** Packs all episodes and drops the journal. */
  async pack(episodes: readonly EvaluationEpisode[]): Promise<void> {
    await this.flush();
    const packed = Readable.from(lines(episodes)).pipe(createGzip({ level: 6 }));
    await writeWhole(join(this.folder, evaluationLayout.episodes), packed);
    await rm(join(this.folder, evaluationLayout.journal), { force: true });
  }

  async write(name: string, text: string | Iterable<string>): Promise<void> {
    await keepInside(this.folder, [name]);
    await writeWhole(join(this.folder, name), text);
  }
}

export interface OpenedStore {
  readonly store: EvaluationStore;
  readonly episodes: EvaluationEpisode[];
  readonly problems: readonly string[];
}

/** What a newer version has begun is not gone on with: its episodes would look damaged and be played again. */
async function refuseNewerFolder(folder: string): Promise<void> {
  const text = await readInside(folder, evaluationLayout.status, 1 << 20).catch(() => undefined);
  if (text === undefined) return;
  let status: unknown;
  try {
    status = JSON.parse(text);
  } catch {
    return; // damaged, and written again
  }
  refuseNewer(status, folder);
}

/** The episodes of a packed file. */
export function readPacked(path: string): Promise<EvaluationEpisode[]> {
  return readEpisodes(dirname(path), basename(path), []);
}

/** What can be read; a line that cannot, such as one that was cut by a kill, is left out and told. */
async function readEpisodes(folder: string, name: string, problems: string[]): Promise<EvaluationEpisode[]> {
  const episodes: EvaluationEpisode[] = [];
  let bad = 0;
  for await (const { text } of fileLines(folder, name, (problem) => problems.push(problem), limits)) {
    const episode = parseLine(text);
    if (episode) episodes.push(episode);
    else bad++;
  }
  if (bad > 0) problems.push(`${name}: ${bad} ${bad === 1 ? 'line' : 'lines'} cannot be read; those episodes are played again`);
  return episodes;
}

/** A journal that was cut in a line goes on in a new one. */
async function endLine(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(() => undefined);
  if (!file) return;
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    if (size > 0 && last.toString() !== '\n') await file.write('\n', size);
  } finally {
    await file.close();
  }
}

function* lines(episodes: readonly EvaluationEpisode[]): Generator<string> {
  for (const episode of episodes) yield `${lineOf(episode)}\n`;
}

function lineOf({ record, panel, identity, retried, source }: EvaluationEpisode): string {
  return JSON.stringify({ ...record, panel, identity, ...(retried.length > 0 ? { retried } : {}), source });
}

function parseLine(line: string): EvaluationEpisode | undefined {
  try {
    const json = JSON.parse(line) as { panel?: string; identity?: string; retried?: string[]; source?: string };
    const { panel, identity, retried, source, ...rest } = json;
    const parsed = episodeRecordSchema.safeParse(rest);
    const record = parsed.success ? parsed.data : parseEpisodeRecord(rest).record;
    return { record, panel: panel ?? '', identity: identity ?? '', retried: retried ?? [], source };
  } catch {
    return undefined;
  }
}
