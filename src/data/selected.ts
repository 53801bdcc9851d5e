/** One file read once, its rows handed to several outputs of the same format by their numbers. */
import type { Format } from './formats/format.ts';
import { readBatches, type ReadOptions } from './read.ts';
import { RowWriter } from './write.ts';

export interface SelectedOutput {
  readonly path: string;
  /** Does the row of this number (from 1) go here? */
  readonly takes: (number: number) => boolean;
}

/** Returns how many rows each output got. All outputs appear, or none. */
export async function writeSelected(
  file: string,
  format: Format,
  outputs: readonly SelectedOutput[],
  options: ReadOptions & { readonly force?: boolean | undefined } = {},
): Promise<number[]> {
  const writers: RowWriter[] = [];
  try {
    for (const { path } of outputs) writers.push(await RowWriter.open(path, format, { force: options.force }));
    for await (const batch of readBatches(file, { ...options, format })) {
      for (const { row, number, bytes } of batch) {
        for (const [at, { takes }] of outputs.entries()) {
          const pending = takes(number) ? writers[at]?.add(row, bytes) : undefined;
          if (pending) await pending;
        }
      }
    }
    for (const writer of writers) await writer.finish();
    return writers.map(({ rows }) => rows);
  } finally {
    for (const writer of writers) await writer[Symbol.asyncDispose]();
  }
}
