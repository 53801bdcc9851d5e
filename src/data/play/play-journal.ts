/**
 * What was played so far for an output that is not written yet, in `<output>.partial.jsonl` beside it: each finished episode is
 * appended at once, so that Ctrl-C, a crash or a spent budget loses nothing, and the same command goes on. Rows are read back one
 * at a time; only where each one stands is held in memory.
 */
import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import type { ConversationRow } from '../rows.ts';

export interface PlayedFacts {
  /** Index of the task in its split. */
  readonly task: number;
  readonly sample: number;
  readonly reward: number;
  /** The task was solved. */
  readonly success: boolean;
  readonly finished: boolean;
}

export interface JournalCounts {
  readonly episodes: number;
  readonly solved: number;
  /** Rewards of all of them together. */
  readonly total: number;
}

interface Entry extends PlayedFacts {
  readonly at: number;
  readonly length: number;
}

export class PlayJournal implements AsyncDisposable {
  private readonly entries = new Map<string, Entry>();
  private end = 0;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static pathFor(output: string): string {
    return `${output}.partial.jsonl`;
  }

  /** Opens what an earlier start of the same request left, or begins; another request's journal is refused unless `force`. */
  static async open(output: string, request: unknown, force: boolean): Promise<PlayJournal> {
    const path = PlayJournal.pathFor(output);
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
    await makeFolder(dirname(path));
    const file = await open(path, 'a+').catch((thrown: unknown) => {
      throw new AgogeError('DATA_CANNOT_WRITE', `${path} cannot be written: check that its folder is writable`, {
        cause: thrown,
      });
    });
    const journal = new PlayJournal(path, file);
    try {
      const found = await journal.read();
      if (found !== undefined && found !== hash && !force)
        throw new AgogeError(
          'DATA_OTHER_PARTIAL',
          `${path} holds the start of another request (other policy, format, sampling or seed): finish that one, or drop it with --force`,
        );
      if (found !== hash) await journal.begin(hash);
      return journal;
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  get size(): number {
    return this.entries.size;
  }

  get(task: number, sample: number): PlayedFacts | undefined {
    return this.entries.get(`${task} ${sample}`);
  }

  /** Of these tasks, each played so many times. */
  counts(tasks: readonly number[], samples: number): JournalCounts {
    let [episodes, solved, total] = [0, 0, 0];
    for (const task of tasks) {
      for (let sample = 0; sample < samples; sample++) {
        const one = this.get(task, sample);
        if (!one) continue;
        episodes++;
        total += one.reward;
        if (one.success) solved++;
      }
    }
    return { episodes, solved, total };
  }

  async add(facts: PlayedFacts, row: ConversationRow): Promise<void> {
    const line = Buffer.from(`${JSON.stringify({ facts, row })}\n`);
    const at = this.end;
    this.end += line.length;
    this.note(facts, at, line.length);
    await this.file.appendFile(line);
  }

  async row(task: number, sample: number): Promise<ConversationRow | undefined> {
    const entry = this.entries.get(`${task} ${sample}`);
    if (!entry) return undefined;
    const { buffer } = await this.file.read(Buffer.alloc(entry.length), 0, entry.length, entry.at);
    return (JSON.parse(buffer.toString('utf8')) as { row: ConversationRow }).row;
  }

  /** The output holds everything now. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
    if (this.entries.size === 0) await this.remove();
  }

  private note({ task, sample, reward, success, finished }: PlayedFacts, at: number, length: number): void {
    this.entries.set(`${task} ${sample}`, { task, sample, reward, success, finished, at, length });
  }

  private async begin(hash: string): Promise<void> {
    this.entries.clear();
    await this.file.truncate(0);
    const head = Buffer.from(`${JSON.stringify({ request: hash })}\n`);
    await this.file.appendFile(head);
    this.end = head.length;
  }

  /** Reads all lines; a torn last one is cut off. Returns the request's hash, or undefined for an empty file. */
  private async read(): Promise<string | undefined> {
    let hash: string | undefined;
    let at = 0;
    let rest = Buffer.alloc(0);
    let position = 0;
    for (;;) {
      const { buffer, bytesRead } = await this.file.read(Buffer.alloc(1 << 20), 0, 1 << 20, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let newline; (newline = rest.indexOf(10)) >= 0;) {
        const length = newline + 1;
        const line = parsed(rest.subarray(0, newline).toString('utf8'));
        if (line?.request !== undefined) hash = line.request;
        if (line?.facts) this.note(line.facts, at, length);
        at += length;
        rest = rest.subarray(length);
      }
    }
    if (at < position) await this.file.truncate(at);
    this.end = at;
    return hash;
  }
}

function parsed(line: string): { request?: string; facts?: PlayedFacts } | undefined {
  try {
    return JSON.parse(line) as { request?: string; facts?: PlayedFacts };
  } catch {
    return undefined;
  }
}
