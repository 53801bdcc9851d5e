/** What a format of records is, and what its files have in common: the check of a record, and the refusal of a row it has no place for. */
import type { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { ConversationRow, Fields, Row } from '../rows.ts';

/** Names of the data formats. */
export type FormatName = 'agenttraj' | 'ids' | 'sampling' | 'chat' | 'verl-sft' | 'verl-rl' | 'episodes';

/** A data format: how its rows are recognised, read and written. */
export interface Format {
  readonly name: FormatName;
  /** For people: what `inspect` says it saw. */
  readonly title: string;
  readonly kind: Row['kind'];
  /** Extension of files in this format. */
  readonly extension: '.json' | '.jsonl' | '.parquet' | '.jsonl.gz';
  /** Does a record look like one of this format? */
  recognises(record: Fields): boolean;
  read(record: unknown): Row;
  /** Throws DATA_CANNOT_WRITE for a row that this format has no place for. */
  write(row: Row): Fields;
}

export function parse<S extends z.ZodType>(schema: S, record: unknown): z.output<S> {
  const result = schema.safeParse(record);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new AgogeError('DATA_BAD_ROW', `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'is not as it should be'}`);
}

export function asConversation(row: Row, format: FormatName): ConversationRow {
  if (row.kind === 'conversation') return row;
  throw cannotWrite(format, 'it is a task without a conversation: play it with "agoge data sample" or "agoge data demonstrate"');
}

export function cannotWrite(format: FormatName, why: string): AgogeError {
  return new AgogeError('DATA_CANNOT_WRITE', `a row cannot be written as ${format}: ${why}`);
}
