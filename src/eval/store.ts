/**
 * The folder of an evaluation. While it runs, finished episodes go to a journal line by line, so that an interruption loses
 * nothing; at the end they are packed into episodes.jsonl.gz and the results are written.
 *
 *   eval.json               request, panels, scores, comparisons
 *   episodes.jsonl.gz       every episode (EpisodeRecord), with a reward or with its failure
 *   episodes.jsonl          the journal; only while unfinished
 *   status.json             what is evaluated, since when, by which process, and how it ended: EvaluationStatus
 *   logs/eval_TS.log        what happened, line by line
 *   <env>/<policy>/eval_results_TS.jsonl  eval_summary_TS.txt  eval_task_stats_TS.json    as the reference's scripts name them
 */
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AgogeError } from '../core/error.ts';
import { printable } from '../core/printable.ts';
import { episodeRecordSchema, parseEpisodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
import { writeWhole } from '../run/files.ts';
import { keepInside } from '../run/inside.ts';
import { evaluationLayout } from '../run/layout.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes of all episodes, unpacked: what a string can hold. */
const mostBytes = 2 ** 29 - 2 ** 20;

export interface EvaluationEpisode {
  readonly record: EpisodeRecord;
  /** What the panel was when it was played; an episode of another panel is not this evaluation's. */
  readonly panel: string;
  /** Short hash of the policy's identity and sampling. */
  readonly identity: string;
  /** Tries that failed before, by what failed. */
  readonly retried: readonly string[];
}

/** status.json. A status of `running` whose `pid` is gone was killed; the same command goes on with it. */
export interface EvaluationStatus {
  readonly status: 'running' | 'finished' | 'interrupted' | 'failed';
  /** `evaluation · textcraft/test · base, expert` */
  readonly title: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly pid: number;
  /** Why it ended early. */
  readonly reason?: string;
}

export class EvaluationStore {
  private readonly startedAt = new Date().toISOString();
  private readonly waiting: string[] = [];
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly folder: string,
    readonly stamp: string,
  ) {}

  /** Opens a folder and what an earlier start left in it. */
  static async open(folder: string, stamp: string): Promise<{ store: EvaluationStore; episodes: EvaluationEpisode[] }> {
    await mkdir(folder, { recursive: true });
    await keepInside(folder, ['logs', ...Object.values(evaluationLayout)]);
    await mkdir(join(folder, 'logs'), { recursive: true });
    const earlier = [
      ...(await readPacked(join(folder, evaluationLayout.episodes))),
      ...(await readLines(join(folder, evaluationLayout.journal))),
    ];
    return { store: new EvaluationStore(folder, stamp), episodes: earlier };
  }

  /** Notes a finished episode. Lines are appended in batches; `flush` waits for them. */
  add(episode: EvaluationEpisode): void {
    this.waiting.push(`${lineOf(episode)}\n`);
    if (this.waiting.length > 1) return;
    this.writing = this.writing.then(async () => {
      const lines = this.waiting.splice(0).join('');
      await appendFile(join(this.folder, evaluationLayout.journal), lines);
    });
  }

  async flush(): Promise<void> {
    await this.writing;
  }

  async log(line: string): Promise<void> {
    await appendFile(join(this.folder, 'logs', `eval_${this.stamp}.log`), `${new Date().toISOString()} ${printable(line)}\n`);
  }

  /** Notes how the evaluation stands, for whoever looks at the folder meanwhile. */
  async note(status: EvaluationStatus['status'], title: string, reason?: string): Promise<void> {
    const { startedAt } = this;
    const now: EvaluationStatus = {
      status,
      title,
      startedAt,
      updatedAt: new Date().toISOString(),
      pid: process.pid,
      ...(reason === undefined ? {} : { reason }),
    };
    await this.write(evaluationLayout.status, `${JSON.stringify(now)}\n`);
  }

  /** Packs all episodes and drops the journal. */
  async pack(episodes: readonly EvaluationEpisode[]): Promise<void> {
    await this.flush();
    const text = episodes.map((episode) => `${lineOf(episode)}\n`).join('');
    await writeWhole(join(this.folder, evaluationLayout.episodes), await compress(text, { level: 6 }));
    await rm(join(this.folder, evaluationLayout.journal), { force: true });
  }

  async write(name: string, text: string): Promise<void> {
    await keepInside(this.folder, [name]);
    await writeWhole(join(this.folder, name), text);
  }
}

/** The episodes of a packed file. */
export async function readPacked(path: string): Promise<EvaluationEpisode[]> {
  let packed: Buffer;
  try {
    packed = await readFile(path);
  } catch {
    return [];
  }
  const text = (await expand(packed, { maxOutputLength: mostBytes })).toString('utf8');
  return text.split('\n').filter(Boolean).map(parseLine);
}

/** The journal; a last line that was cut by a kill is dropped. */
async function readLines(path: string): Promise<EvaluationEpisode[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const cut = lines.pop() ?? '';
  if (cut !== '') await writeWhole(path, text.slice(0, text.length - cut.length));
  return lines.filter(Boolean).map(parseLine);
}

function lineOf({ record, panel, identity, retried }: EvaluationEpisode): string {
  return JSON.stringify({ ...record, panel, identity, ...(retried.length > 0 ? { retried } : {}) });
}

function parseLine(line: string): EvaluationEpisode {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (thrown) {
    throw new AgogeError(
      'EVAL_BAD_EPISODES',
      'the episodes of this evaluation cannot be read: remove its folder, or start anew with --fresh',
      {
        cause: thrown,
      },
    );
  }
  const { panel, identity, retried, ...rest } = json as { panel?: string; identity?: string; retried?: string[] };
  const parsed = episodeRecordSchema.safeParse(rest);
  const record = parsed.success ? parsed.data : parseEpisodeRecord(rest).record;
  return { record, panel: panel ?? '', identity: identity ?? '', retried: retried ?? [] };
}
