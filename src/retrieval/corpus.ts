/**
 * A corpus and what is kept about it on disk: where each passage's line is, and an index. Both are made in one pass over the file,
 * which may be of any length, and made again when the file changes. A gzipped corpus is unpacked into the folder on the way.
 */
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { tellProgress } from '../core/progress.ts';
import { passagesOf } from './corpus-files.ts';
import type { Passage } from './retriever.ts';
import { IndexBuilder, type IndexData } from './text/builder.ts';
import { fitting, readArray, writeArray, writeFolder, type About } from './arrays.ts';
import { Texts } from './texts.ts';

const VERSION = 1;
const UNPACKED = 'passages.jsonl';

export interface CorpusPlace {
  readonly path: string;
  /** The folder that holds what is kept. */
  readonly folder: string;
}

/** Name, size and time of a corpus: while they stay, so does what was kept about it. */
export function aboutCorpus(path: string): About {
  try {
    const { size, mtimeMs } = statSync(path);
    return { version: VERSION, size, time: Math.round(mtimeMs) };
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError('ENV_BAD_CORPUS', `${path} cannot be read (${words}): check the path, or fetch the file again`, {
      cause,
    });
  }
}

/** Reads the corpus once: writes where its lines are, and hands each passage on. */
export async function scan(
  { path }: CorpusPlace,
  hidden: string,
  what: string,
  take: (passage: Passage) => void | Promise<void>,
): Promise<number> {
  const packed = path.endsWith('.gz');
  const unpacked = packed ? createWriteStream(join(hidden, UNPACKED)) : undefined;
  const starts: number[] = [];
  const lengths: number[] = [];
  const total = packed ? undefined : statSync(path).size;
  for await (const { passage, line } of passagesOf(path)) {
    await take(passage);
    starts.push(line.start);
    lengths.push(line.length);
    if (unpacked && !unpacked.write(`${line.text}\n`)) await once(unpacked, 'drain');
    if (starts.length % 4096 === 0)
      tellProgress({ what, done: packed ? starts.length : line.start, total, unit: packed ? 'passages' : 'bytes' });
  }
  if (unpacked) {
    unpacked.end();
    await once(unpacked, 'finish');
  }
  writeArray(join(hidden, 'starts.f64'), Float64Array.from(starts));
  writeArray(join(hidden, 'lengths.i32'), Int32Array.from(lengths));
  tellProgress({ what, done: total ?? starts.length, total, unit: packed ? 'passages' : 'bytes', ended: true });
  return starts.length;
}

export function textsOf({ path, folder }: CorpusPlace): Texts {
  const file = path.endsWith('.gz') ? join(folder, UNPACKED) : path;
  return new Texts(file, readArray(join(folder, 'starts.f64'), Float64Array), readArray(join(folder, 'lengths.i32'), Int32Array));
}

/** The BM25 index of a corpus: what is kept, or made and kept. */
export async function bm25Data(place: CorpusPlace): Promise<IndexData> {
  const wanted = { kind: 'bm25', ...aboutCorpus(place.path) };
  const { folder } = place;
  const about =
    fitting(folder, wanted) ??
    (await writeFolder(folder, async (hidden) => {
      const builder = new IndexBuilder();
      await scan(place, hidden, `indexing ${place.path}`, ({ id, contents }) => builder.add(id, contents));
      const { ids, terms, starts, documents, often, lengths, total, filled } = builder.build();
      // Neither can hold a line break: terms are words, and ids with one are refused as they would be by any line-based tool.
      writeFileSync(join(hidden, 'ids.txt'), ids.join('\n'));
      writeFileSync(join(hidden, 'terms.txt'), terms.join('\n'));
      writeArray(join(hidden, 'postings.i32'), starts);
      writeArray(join(hidden, 'documents.i32'), documents);
      writeArray(join(hidden, 'often'), often);
      writeArray(join(hidden, 'lengths.u8'), lengths);
      return { ...wanted, total, filled, wide: often instanceof Uint32Array };
    }));
  const file = (name: string): string => join(folder, name);
  return {
    ids: readFileSync(file('ids.txt'), 'utf8').split('\n'),
    terms: readFileSync(file('terms.txt'), 'utf8').split('\n'),
    starts: readArray(file('postings.i32'), Int32Array),
    documents: readArray(file('documents.i32'), Int32Array),
    often: about['wide'] === true ? readArray(file('often'), Uint32Array) : readArray(file('often'), Uint16Array),
    lengths: readArray(file('lengths.u8'), Uint8Array),
    total: Number(about['total']),
    filled: Number(about['filled']),
  };
}
