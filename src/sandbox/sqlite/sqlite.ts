/**
 * SQLite behind the walls of a sandbox. A query on a read-only database gives its rows or an error in SQLite's words, always: one
 * that never ends, wants all memory or breaks the worker costs an error, and the next query works.
 */
import { AgogeError, type ErrorCode } from '../../core/error.ts';
import { Sandbox, type Limits } from '../sandbox.ts';
import type { Database, SqliteAnswer, SqliteRequest } from './requests.ts';
import { fromWire, type SqlValue } from './values.ts';

export type { Database } from './requests.ts';
export type { SqlValue } from './values.ts';

export type SqlResult =
  /** `stopped`: the code of the limit that the sandbox had to enforce; SQLite itself did not refuse. */
  | { readonly kind: 'error'; readonly message: string; readonly stopped?: ErrorCode }
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      /** The first rows, as many as were asked for. */
      readonly rows: readonly (readonly SqlValue[])[];
      /** How many there are in all. */
      readonly count: number;
      /** Equal for results with the same set of rows under Python's equality (1 == 1.0; order and repetition do not matter). */
      readonly digest: string;
    };

export interface SqliteOptions {
  readonly limits?: Partial<Limits>;
  readonly workers?: number;
}

const sqliteLimits: Limits = { milliseconds: 30_000, memory: 768 * 2 ** 20, output: 32 * 2 ** 20 };
/** What a worker holds beside SQLite's own memory: Node, the hashes of a large result, an answer on its way. */
const BESIDE = 384 * 2 ** 20;

export class Sqlite implements AsyncDisposable {
  private readonly sandbox: Sandbox;
  private readonly limits: Limits;

  constructor({ limits = {}, workers = 1 }: SqliteOptions = {}) {
    this.limits = { ...sqliteLimits, ...limits };
    const program = new URL(import.meta.url.endsWith('.ts') ? './program.ts' : './program.js', import.meta.url).href;
    const data = { heap: Math.max(32 * 2 ** 20, this.limits.memory - BESIDE) };
    this.sandbox = new Sandbox({ program, data, limits: this.limits, workers });
  }

  /** Runs one statement; `show` rows of the result come back (default 100). Throws only when it is cancelled or closed. */
  async query(
    database: Database,
    sql: string,
    { show = 100, signal }: { readonly show?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<SqlResult> {
    const { key, file, content } = database;
    const query: SqliteRequest = { kind: 'query', key, sql, show };
    try {
      const answer = await this.sandbox.lease(
        async (run) => {
          const first = (await run(query)) as SqliteAnswer;
          if (first.kind !== 'unknown') return first;
          const open: SqliteRequest = { kind: 'open', key, file, content: content?.() };
          const opened = (await run(open, OPENING)) as SqliteAnswer;
          return opened.kind === 'opened' ? ((await run(query)) as SqliteAnswer) : opened;
        },
        { signal },
      );
      return answer.kind === 'rows' ? { ...answer, rows: answer.rows.map((row) => row.map(fromWire)) } : failure(answer);
    } catch (thrown) {
      if (!(thrown instanceof AgogeError)) throw thrown;
      const message = inWords[thrown.code];
      if (message === undefined) throw thrown;
      return { kind: 'error', message, stopped: thrown.code };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
  }
}

/** Building a database in memory may take this long, in milliseconds. */
const OPENING = 60_000;

function failure(answer: SqliteAnswer): SqlResult {
  return { kind: 'error', message: answer.kind === 'error' ? answer.message : 'unable to open database file' };
}

/** What an agent is told when the sandbox had to step in; the first is SQLite's own word for a query that it was told to stop. */
const inWords: Readonly<Record<string, string>> = {
  SANDBOX_TIME: 'interrupted',
  SANDBOX_MEMORY: 'out of memory',
  SANDBOX_OUTPUT: 'string or blob too big',
};
