/**
 * Row by row: can it be read, does its task exist, does it replay. `fix` writes the good rows (with wrong labels put right)
 * and the bad ones, each to a file of their own.
 */
import { AgogeError } from '../core/error.ts';
import { taskOfItem } from '../agent/items.ts';
import type { FormatName } from './formats/format.ts';
import { formatNamed } from './formats/formats.ts';
import { parseItemId } from './tasks/items.ts';
import { readRows, type ReadOptions } from './read.ts';
import { replayRow, type LoadEnvironment, type ProblemKind, type ReaderName } from './play/replay.ts';
import { Output } from './output.ts';
import type { Row, TaskRow } from './rows.ts';
import { envOf } from './select.ts';
import { RowWriter } from './write.ts';

export interface RowProblem {
  readonly number: number;
  readonly itemId: string | undefined;
  readonly kind: ProblemKind | 'unreadable';
  readonly detail: string;
}

/** What is wrong with a data file, row by row. */
export interface Validation {
  readonly file: string;
  readonly format: FormatName | undefined;
  readonly rows: number;
  readonly good: number;
  readonly turns: number;
  readonly problems: readonly RowProblem[];
  /** Rows whose item_id names another task than the one they show. */
  readonly mislabelled: readonly { readonly number: number; readonly itemId: string | undefined; readonly shows: string }[];
}

export interface ValidateOptions extends ReadOptions {
  readonly load: LoadEnvironment;
  readonly reader?: ReaderName | undefined;
  /** Where to write the good rows, and the bad ones as JSONL with their reasons. */
  readonly fix?: { readonly good: string; readonly bad: string; readonly force?: boolean | undefined } | undefined;
}

/** Checks every row of a data file. */
export async function validateFile(file: string, options: ValidateOptions): Promise<Validation> {
  const problems: RowProblem[] = [];
  const mislabelled: { number: number; itemId: string | undefined; shows: string }[] = [];
  const badRecords: unknown[] = [];
  let format: FormatName | undefined;
  let rows = 0;
  let turns = 0;
  let writer: RowWriter | undefined;
  const bad = (problem: RowProblem, record: unknown): void => {
    problems.push(problem);
    if (options.fix) badRecords.push({ row: problem.number, problem: problem.kind, detail: problem.detail, record });
  };
  try {
    const reading = readRows(file, {
      ...options,
      onBadRow: ({ number, error, record }) => {
        rows++;
        bad({ number, itemId: undefined, kind: 'unreadable', detail: error.message }, record);
      },
    });
    for await (const { row, number, format: its } of reading) {
      rows++;
      format = its;
      if (options.fix && !writer) writer = await RowWriter.open(options.fix.good, formatNamed(its), { force: options.fix.force });
      const checked =
        row.kind === 'conversation'
          ? await replayRow(row, its, options.load, options.reader)
          : await taskExists(row, options.load);
      turns += checked.turns;
      if (checked.itemId !== undefined) mislabelled.push({ number, itemId: row.itemId, shows: checked.itemId });
      if (checked.problem) bad({ number, itemId: row.itemId, ...checked.problem }, row);
      else await writer?.add(relabelled(row, checked.itemId));
    }
    if (options.fix) {
      if (writer && writer.rows > 0) await writer.finish();
      await writeBad(options.fix.bad, badRecords, options.fix.force);
    }
  } finally {
    await writer?.[Symbol.asyncDispose]();
  }
  problems.sort((a, b) => a.number - b.number);
  return { file, format, rows, good: rows - problems.length, turns, problems, mislabelled };
}

type Checked = Awaited<ReturnType<typeof replayRow>>;

async function taskExists(row: TaskRow, load: LoadEnvironment): Promise<Checked> {
  const { itemId } = row;
  if (itemId === undefined) return { turns: 0, problem: { kind: 'unknown-task', detail: 'the row names no task' } };
  try {
    const environment = await load(envOf(row) ?? parseItemId(itemId).env);
    taskOfItem(environment, itemId);
    return { turns: 0 };
  } catch (thrown) {
    if (!(thrown instanceof AgogeError)) throw thrown;
    return { turns: 0, problem: { kind: 'unknown-task', detail: thrown.message } };
  }
}

function relabelled(row: Row, itemId: string | undefined): Row {
  return itemId === undefined ? row : { ...row, itemId };
}

async function writeBad(path: string, records: readonly unknown[], force: boolean | undefined): Promise<void> {
  if (records.length === 0) return;
  await using output = await Output.open(path, { force });
  await output.write(Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
  await output.finish();
}
