/** What is asked of the SQLite program and what it answers. */
import type { WireValue } from './values.ts';

/** A database of the query's: a file, or content that is built in memory when it is first asked for. */
export interface Database {
  /** Equal keys are the same database. */
  readonly key: string;
  /** A database file, opened read-only. */
  readonly file?: string;
  /** Statements that make the tables, and their rows. */
  readonly content?: () => Content;
}

export interface Content {
  readonly schema: readonly string[];
  readonly tables: readonly { readonly name: string; readonly rows: readonly (readonly (string | number | null)[])[] }[];
}

export type SqliteRequest =
  | { readonly kind: 'open'; readonly key: string; readonly file?: string | undefined; readonly content?: Content | undefined }
  | { readonly kind: 'query'; readonly key: string; readonly sql: string; readonly show: number };

export type SqliteAnswer =
  | { readonly kind: 'opened' }
  /** The database is not open in this worker. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'error'; readonly message: string }
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      /** The first `show` rows. */
      readonly rows: readonly (readonly WireValue[])[];
      readonly count: number;
      /** Equal for results with the same set of rows under Python's equality. */
      readonly digest: string;
    };
