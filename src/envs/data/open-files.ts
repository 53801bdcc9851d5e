/** The splits of the files that settings name. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readRows, splitOfFile } from './files.ts';
import type { DataRow, NamedRows } from './row.ts';
import type { DataSettings } from './settings.ts';

export interface OpenedFiles {
  readonly splits: ReadonlyMap<string, NamedRows>;
  /** Changes with what is asked and what is right. */
  readonly version: string;
}

export async function openFiles(given: DataSettings): Promise<OpenedFiles> {
  const columns = { prompt: given.prompt, answer: given.answer, source: given.source };
  const files = [
    ...list(given.file).map((path) => [splitOfFile(path), path] as const),
    ...(['train', 'validation', 'test'] as const).flatMap((split) => list(given[split]).map((path) => [split, path] as const)),
  ];
  const found = new Map<string, { names: string[]; rows: DataRow[] }>();
  const hash = createHash('sha256');
  for (const [split, path] of files) {
    const rows = await readRows(path, columns);
    for (const { prompt, groundTruth, dataSource } of rows) hash.update(JSON.stringify([prompt, groundTruth, dataSource]));
    const before = found.get(split) ?? { names: [], rows: [] };
    found.set(split, { names: [...before.names, basename(path).replace(/\..*$/, '')], rows: [...before.rows, ...rows] });
  }
  const splits = new Map(
    [...found].map(([split, { names, rows }]) => [
      split,
      { name: names.join('+'), size: rows.length, at: (index: number) => rows[index] as DataRow },
    ]),
  );
  return { splits, version: hash.digest('hex').slice(0, 12) };
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((path) => path.trim());
}
