/** Opens the retriever that SearchQA's settings name: BM25 or vectors over a corpus, with the index kept on disk, or a server. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { tellProgress } from '../core/progress.ts';
import type { Passage, Retriever } from './retriever.ts';
import { SearchIndex } from './text/index.ts';
import { fitting, readArray, writeArray, writeFolder } from './arrays.ts';
import { aboutCorpus, bm25Data, scan, textsOf, type CorpusPlace } from './corpus.ts';
import { endpointEmbedder, type Embedder } from './vectors/embedder.ts';
import { Hnsw } from './vectors/hnsw.ts';
import { searchR1Retriever } from './search-r1.ts';
import { Vectors, type Near } from './vectors/vectors.ts';

export interface RetrieverSettings {
  /** bm25, dense, or the address of a server. */
  readonly retriever: string;
  readonly corpus?: string | undefined;
  readonly index?: string | undefined;
  readonly embeddings?: string | undefined;
  readonly model?: string | undefined;
  readonly vectors?: string | undefined;
}

export async function openRetriever(settings: RetrieverSettings): Promise<Retriever> {
  const { retriever, corpus, embeddings } = settings;
  if (/^https?:\/\//.test(retriever)) return searchR1Retriever(retriever);
  if (corpus === undefined) throw bad('corpus', 'absent', 'a file of passages, or set searchqa.retriever to a server');
  const place = (kind: string): CorpusPlace => ({ path: corpus, folder: join(settings.index ?? `${corpus}.agoge`, kind) });
  switch (retriever) {
    case 'bm25':
      return bm25(place('bm25'));
    case 'dense': {
      if (embeddings === undefined) throw bad('embeddings', 'absent', 'an address of /embeddings or a folder with an ONNX model');
      const kind = settings.vectors ?? 'flat';
      if (kind !== 'flat' && kind !== 'hnsw') throw bad('vectors', kind, 'flat or hnsw');
      const embedder = await openEmbedder(embeddings, settings.model);
      return dense(place(`dense-${embedder.name.replace(/[^\w.-]+/g, '_')}`), embedder, kind);
    }
    default:
      throw bad('retriever', retriever, 'bm25, dense, or the address of a server');
  }
}

async function bm25(place: CorpusPlace): Promise<Retriever> {
  const index = new SearchIndex(await bm25Data(place));
  const texts = textsOf(place);
  return {
    name: `bm25-${index.size}`,
    search: (query, limit) => index.search(query, limit).map(({ position }) => texts.at(position)),
    close: async () => texts.close(),
  };
}

async function openEmbedder(where: string, model: string | undefined): Promise<Embedder> {
  if (!/^https?:\/\//.test(where)) return (await import('./vectors/onnx-embedder.ts')).onnxEmbedder(where);
  if (model === undefined) throw bad('model', 'absent', 'the name of the embedding model at searchqa.embeddings');
  return endpointEmbedder(where, model);
}

async function dense(place: CorpusPlace, embedder: Embedder, kind: 'flat' | 'hnsw'): Promise<Retriever> {
  const { folder } = place;
  const wanted = { kind: 'dense', model: embedder.name, ...aboutCorpus(place.path) };
  const about =
    fitting(folder, wanted) ??
    (await writeFolder(folder, async (hidden) => ({ ...wanted, dimension: await embedCorpus(place, hidden, embedder) })));
  const vectors = new Vectors(join(folder, 'vectors.f32'), Number(about['dimension']));
  const texts = textsOf(place);
  const graph = kind === 'hnsw' ? await graphOf(join(folder, 'hnsw'), vectors) : undefined;
  const nearest = (query: Float32Array, limit: number): Near[] => (graph ?? vectors).nearest(query, limit);
  return {
    name: `dense-${embedder.name}-${kind}-${vectors.size}`,
    async search(query, limit, signal) {
      const [vector] = await embedder.embed([query], 'query', signal);
      return vector ? nearest(vector, limit).map(({ row }) => texts.at(row)) : [];
    },
    close: async () => {
      texts.close();
      vectors.close();
      embedder.close?.();
    },
  };
}

/** Embeds a corpus passage by passage into a file; gives the dimension. */
async function embedCorpus(place: CorpusPlace, hidden: string, embedder: Embedder): Promise<number> {
  const file = openSync(join(hidden, 'vectors.f32'), 'w');
  let dimension = 0;
  let waiting: Passage[] = [];
  const flush = async (): Promise<void> => {
    const rows = await embedder.embed(
      waiting.map(({ contents }) => contents),
      'passage',
    );
    for (const row of rows) {
      dimension ||= row.length;
      if (row.length !== dimension)
        throw new AgogeError(
          'SEARCH_NO_EMBEDDINGS',
          `${embedder.name} gives vectors of ${dimension} and of ${row.length} numbers: use one model`,
        );
      writeSync(file, new Uint8Array(row.buffer, row.byteOffset, row.byteLength));
    }
    waiting = [];
  };
  try {
    await scan(place, hidden, `embedding ${place.path}`, async (passage) => {
      waiting.push(passage);
      if (waiting.length >= embedder.batch) await flush();
    });
    if (waiting.length > 0) await flush();
  } finally {
    closeSync(file);
  }
  return dimension;
}

async function graphOf(folder: string, vectors: Vectors): Promise<Hnsw> {
  const wanted = { kind: 'hnsw', rows: vectors.size };
  const file = (name: string): string => join(folder, name);
  const what = 'linking vectors';
  const about =
    fitting(folder, wanted) ??
    (await writeFolder(folder, async (hidden) => {
      const { near, far, entry } = Hnsw.build(vectors, 0, (done) =>
        tellProgress({ what, done, total: vectors.size, unit: 'vectors' }),
      ).data;
      tellProgress({ what, done: vectors.size, total: vectors.size, unit: 'vectors', ended: true });
      writeArray(join(hidden, 'near.i32'), near);
      writeArray(join(hidden, 'far.i32'), far);
      return { ...wanted, entry };
    }));
  const [near, far] = [readArray(file('near.i32'), Int32Array), readArray(file('far.i32'), Int32Array)];
  return Hnsw.of(vectors, { near, far, entry: Number(about['entry']) });
}

function bad(key: string, value: string, remedy: string): AgogeError {
  return new AgogeError('ENV_BAD_SETTING', `searchqa.${key} is ${JSON.stringify(value)}: set it to ${remedy}`);
}
