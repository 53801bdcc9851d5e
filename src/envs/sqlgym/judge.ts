/**
 * What a statement is worth: 1 where its rows are the gold query's as a set under Python's equality, else 0; errors of SQLite are
 * texts worth 0. A gold query that fails itself cannot be met; one that the sandbox had to stop says nothing about the agent, so it is an
 * error of the harness. Gold results are remembered by their digest.
 */
import { AgogeError } from '../../core/error.ts';
import type { Database, SqlResult } from '../../sandbox/sqlite/sqlite.ts';
import type { Question } from './questions.ts';
import { rowsText } from './repr.ts';

/** Whoever runs statements: the sandboxed SQLite, or another engine of the same manners. */
export interface QueryEngine {
  query(
    database: Database,
    sql: string,
    options?: { readonly show?: number; readonly signal?: AbortSignal | undefined },
  ): Promise<SqlResult>;
}

export interface Verdict {
  readonly result: SqlResult;
  readonly reward: 0 | 1;
}

/** Rows that are looked at; more than the texts below can show. */
const SHOWN = 50;

export class Judge {
  private readonly gold = new Map<string, string | null>();

  constructor(private readonly engine: QueryEngine) {}

  run({ database }: Question, sql: string, signal?: AbortSignal): Promise<SqlResult> {
    return this.engine.query(database, sql, { show: SHOWN, signal });
  }

  async judge(question: Question, sql: string, signal?: AbortSignal): Promise<Verdict> {
    const result = await this.run(question, sql, signal);
    if (result.kind === 'error') return { result, reward: 0 };
    return { result, reward: result.digest === (await this.goldDigest(question, signal)) ? 1 : 0 };
  }

  private async goldDigest(question: Question, signal: AbortSignal | undefined): Promise<string | null> {
    const key = `${question.database.key}\n${question.sql}`;
    const known = this.gold.get(key);
    if (known !== undefined) return known;
    const result = await this.run(question, question.sql, signal);
    if (result.kind === 'error' && result.stopped !== undefined)
      throw new AgogeError(
        result.stopped,
        `the gold query of "${question.text.slice(0, 100)}" was stopped (${result.message}): raise sqlgym.seconds or sqlgym.memory, or leave the question out`,
      );
    const digest = result.kind === 'rows' ? result.digest : null;
    this.gold.set(key, digest);
    return digest;
  }
}

/** A result as SQLGym's server prints it: Python's text of the rows or the error, 100 characters of it. */
export function resultText(result: SqlResult, longest = 100): string {
  const text = result.kind === 'error' ? result.message : shownRows(result);
  const start = Array.from(text.slice(0, 2 * longest + 2));
  return start.length > longest ? `${start.slice(0, longest).join('')}...` : text;
}

/** Rows beyond those that were looked at are dots, so that nobody takes the first ones for all. */
function shownRows({ rows, count }: SqlResult & { readonly kind: 'rows' }): string {
  const text = rowsText(rows);
  return rows.length < count ? `${text.slice(0, -1)}, ...]` : text;
}

/** The statement in a reply, as AgentGym's client cuts it out: behind the last "```sql", up to the next fence. */
export function statementOf(reply: string): string {
  const fenced = reply.split('```sql').at(-1) ?? '';
  return (fenced.split('```')[0] ?? '').trim();
}
