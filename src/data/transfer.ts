/**
 * Whole files from format to format: the inputs are recognised, filtered, converted and written as streams. A folder
 * becomes a folder with one output per input; several files into one output are joined.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { convertRow, defaultTarget, envOfRow, type ConvertOptions } from './convert.ts';
import type { Format, FormatName } from './formats/format.ts';
import { formatNamed } from './formats/formats.ts';
import { refuseExisting } from './output.ts';
import { dataFiles, readBatches, type BadRow } from './read.ts';
import type { DataMessage, Row } from './rows.ts';
import { RowWriter } from './write.ts';

export interface TransferOptions extends Omit<ConvertOptions, 'index' | 'position' | 'prompt'> {
  /** What a verl RL row asks the policy: asked once for each environment that has rows. */
  readonly prompt?: ((env: string) => readonly DataMessage[] | Promise<readonly DataMessage[]>) | undefined;
  readonly from?: FormatName | undefined;
  readonly to?: FormatName | undefined;
  readonly force?: boolean | undefined;
  /** Stop after so many rows are written. */
  readonly limit?: number | undefined;
  readonly filter?: ((row: Row) => boolean) | undefined;
  readonly onShare?: ((file: string, share: number) => void) | undefined;
  /** Bad rows are told and left out; without it the first one ends the work. */
  readonly onBadRow?: ((bad: BadRow) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Transfer {
  readonly inputs: readonly { readonly file: string; readonly format: FormatName | undefined; readonly rows: number }[];
  readonly output: string;
  readonly format: FormatName;
  readonly written: number;
  /** Rows that a filter left out. */
  readonly filtered: number;
}

/** Converts; returns one report per file written. */
export async function transfer(inputs: readonly string[], output: string, options: TransferOptions = {}): Promise<Transfer[]> {
  const [first] = inputs;
  const isFolder =
    inputs.length === 1 && first !== undefined && (await stat(first).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder || /\.(json|jsonl|ndjson|parquet)(\.gz)?$/i.test(output))
    return [await join1(await dataFiles(inputs), output, options)];
  const done: Transfer[] = [];
  for (const file of await dataFiles(inputs)) {
    const kind = await formatOf(file, options);
    const to = formatNamed(options.to ?? defaultTarget(kind, kind.kind === 'task' ? '.parquet' : '.parquet'));
    const name = join(
      dirname(relative(first, file)),
      `${basename(file).replace(/\.(json|jsonl|ndjson|parquet)(\.gz)?$/i, '')}${to.extension}`,
    );
    done.push(await join1([file], join(output, name), { ...options, to: to.name }));
  }
  return done;
}

async function join1(files: readonly string[], output: string, options: TransferOptions): Promise<Transfer> {
  await refuseExisting(output, options);
  const [first = ''] = files;
  const extension = /(\.json|\.jsonl|\.ndjson|\.parquet)(\.gz)?$/i.exec(output)?.[1]?.toLowerCase() ?? '';
  const to = formatNamed(options.to ?? defaultTarget(await formatOf(first, options), extension));
  const inputs: { file: string; format: FormatName | undefined; rows: number }[] = [];
  const limit = options.limit ?? Infinity;
  const prompts = new Map<string, readonly DataMessage[]>();
  // One object for all rows: making one for each was a fifth of the work.
  const asked: { -readonly [K in keyof ConvertOptions]: ConvertOptions[K] } = {
    ...options,
    prompt: options.prompt && ((env) => prompts.get(env) ?? []),
  };
  let filtered = 0;
  await using writer = await RowWriter.open(output, to, { force: options.force });
  for (const file of files) {
    const input = { file, format: undefined as FormatName | undefined, rows: 0 };
    inputs.push(input);
    for await (const batch of readBatches(file, readOptions(file, options))) {
      for (const { row, format, number, bytes } of batch) {
        input.format = format;
        input.rows++;
        if (writer.rows >= limit) break;
        if (options.filter && !options.filter(row)) {
          filtered++;
          continue;
        }
        try {
          const env = to.name === 'verl-rl' && options.prompt ? envOfRow(row, options) : undefined;
          if (env !== undefined && !prompts.has(env)) prompts.set(env, (await options.prompt?.(env)) ?? []);
          asked.index = writer.rows;
          asked.position = number - 1;
          const converted = convertRow(row, format, to, asked);
          const pending = writer.add(converted, to.kind === 'conversation' ? bytes : 0);
          if (pending) await pending;
        } catch (thrown) {
          throw placed(thrown, file, number);
        }
      }
      options.signal?.throwIfAborted();
      if (writer.rows >= limit) break;
    }
  }
  if (writer.rows === 0) {
    const why = filtered > 0 ? `the filters left none of ${filtered} rows` : 'the input holds none';
    throw new AgogeError('DATA_EMPTY', `no rows to write to ${output}: ${why}; nothing was written`);
  }
  await writer.finish();
  return { inputs, output, format: to.name, written: writer.rows, filtered };
}

/** The format of a file by its first row. */
export async function formatOf(file: string, options: Pick<TransferOptions, 'from' | 'signal'> = {}): Promise<Format> {
  if (options.from) return formatNamed(options.from);
  let found: Format | undefined;
  for await (const batch of readBatches(file, { onFormat: (format) => (found = format), onBadRow: () => undefined })) {
    if (found ?? batch.length > 0) break;
  }
  if (!found) throw new AgogeError('DATA_EMPTY', `${file} holds no rows: check that it is the file you meant`);
  return found;
}

function readOptions(file: string, { from, onShare, onBadRow, signal }: TransferOptions): Parameters<typeof readBatches>[1] {
  return {
    ...(from ? { format: formatNamed(from) } : {}),
    ...(onShare ? { onShare: (share: number) => onShare(file, share) } : {}),
    onBadRow,
    signal,
  };
}

function placed(thrown: unknown, file: string, number: number): unknown {
  if (!(thrown instanceof AgogeError) || !thrown.code.startsWith('DATA_CANNOT_CON')) return thrown;
  return new AgogeError(thrown.code, `${file}: row ${number}: ${thrown.message}`, { cause: thrown });
}
