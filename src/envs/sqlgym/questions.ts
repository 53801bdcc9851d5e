/** What SQLGym asks: questions with their gold SQL, by item number and in splits. BIRD's and our own have this shape. */
import type { Database } from '../../sandbox/sqlite/sqlite.ts';
import type { Schema } from './schema.ts';

export interface Question {
  readonly database: Database;
  readonly schema: Schema;
  /** The schema in sentences. */
  readonly description: string;
  readonly text: string;
  /** The gold query. */
  readonly sql: string;
  /** What results are broken down by. */
  readonly category: string;
}

export interface Questions {
  /** Named in the version: where they come from. */
  readonly source: string;
  /** Item numbers of each split. */
  readonly splits: ReadonlyMap<string, readonly number[]>;
  /** Throws ENV_UNKNOWN_TASK. */
  question(item: number): Question;
}
