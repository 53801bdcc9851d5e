import { createServer, type IncomingMessage } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { onProgress, type Progress } from '../core/progress.ts';
import { Random } from '../core/random/random.ts';
import { Graph } from '../engine/embedded/graph/graph.ts';
import { makeEncyclopaedia } from '../envs/searchqa/encyclopaedia/encyclopaedia.ts';
import { SearchIndex } from './text/index.ts';
import { writeArray } from './arrays.ts';
import { Hnsw } from './vectors/hnsw.ts';
import { openRetriever } from './open.ts';
import { Vectors } from './vectors/vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-retrieval-'));
const path = (name: string): string => join(folder, name);
const { passages } = makeEncyclopaedia(0);
const lines = (some: typeof passages): string => some.map((one) => `${JSON.stringify(one)}\n`).join('');
afterAll(() => rmSync(folder, { recursive: true }));

describe('BM25 on disk', () => {
  it.each(['corpus.jsonl', 'corpus.jsonl.gz'])(
    'finds what the index in memory finds, is kept, and follows the file (%s)',
    async (name) => {
      const write = (some: typeof passages): void =>
        writeFileSync(path(name), name.endsWith('.gz') ? gzipSync(lines(some)) : lines(some));
      write(passages);
      const told: Progress[] = [];
      onProgress((progress) => told.push(progress));
      const memory = new SearchIndex(passages);
      for (const attempt of ['made', 'kept']) {
        told.length = 0;
        const retriever = await openRetriever({ retriever: 'bm25', corpus: path(name) });
        expect([attempt, told.at(-1)?.ended]).toEqual([attempt, attempt === 'made' ? true : undefined]);
        for (const query of ['novel Mercer', 'city on the river', 'Ardenia capital', 'zzz', '']) {
          expect(await retriever.search(query, 5)).toEqual(memory.search(query, 5).map(({ position }) => passages[position]));
        }
        await retriever.close?.();
      }
      write(passages.slice(0, 10));
      const small = await openRetriever({ retriever: 'bm25', corpus: path(name) });
      expect(small.name).toBe('bm25-10');
      onProgress(undefined);
    },
  );
});

describe('vectors', () => {
  const [rows, dimension] = [1500, 24];
  const random = Random.of(1, 'vectors');
  const data = Float32Array.from({ length: rows * dimension }, () => random.normal());
  writeArray(path('vectors.f32'), data);
  const vectors = new Vectors(path('vectors.f32'), dimension);
  const queries = Array.from({ length: 50 }, () => Float32Array.from({ length: dimension }, () => random.normal()));

  it('are searched exactly where they lie on disk', () => {
    expect(vectors.size).toBe(rows);
    for (const query of queries) {
      const scores = Array.from({ length: rows }, (_, row) =>
        data.subarray(row * dimension, (row + 1) * dimension).reduce((sum, value, i) => sum + value * query[i]!, 0),
      );
      const best = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 5);
      expect(vectors.nearest(query, 5).map(({ row }) => row)).toEqual(best);
    }
  });

  it('are found through the graph nearly always, also after it was kept', () => {
    const graph = Hnsw.build(vectors, 0);
    const again = Hnsw.of(vectors, graph.data);
    let found = 0;
    for (const query of queries) {
      const exact = new Set(vectors.nearest(query, 10).map(({ row }) => row));
      const near = graph.nearest(query, 10);
      expect(again.nearest(query, 10)).toEqual(near);
      found += near.filter(({ row }) => exact.has(row)).length;
    }
    expect(found / (10 * queries.length)).toBeGreaterThan(0.9);
  });
});

describe('a dense retriever', () => {
  const few = passages.slice(0, 40);
  writeFileSync(path('few.jsonl'), lines(few));

  it('embeds through any OpenAI-compatible server, once', async () => {
    let asked = 0;
    await using server = await serve(async (request) => {
      const { input, model } = (await json(request)) as { input: string[]; model: string };
      asked += input.length;
      expect([request.url, model]).toEqual(['/v1/embeddings', 'e5-tiny']);
      // Letters counted: near texts have near counts. Given back in another order, as the protocol allows.
      return {
        data: input.map((text, index) => ({ index, embedding: letters(text.replace(/^(query|passage): /, '')) })).reverse(),
      };
    });
    for (const vectors of ['flat', 'hnsw']) {
      const settings = {
        retriever: 'dense',
        corpus: path('few.jsonl'),
        embeddings: `${server.url}/v1`,
        model: 'e5-tiny',
        vectors,
      };
      const retriever = await openRetriever(settings);
      expect(await retriever.search(few[7]!.contents, 1)).toEqual([few[7]]);
      await retriever.close?.();
    }
    expect(asked).toBe(few.length + 2);
    const wrong = { retriever: 'dense', corpus: path('few.jsonl'), embeddings: `${server.url}/nothing`, model: 'other' };
    await expect(openRetriever(wrong)).rejects.toMatchObject({ code: 'SEARCH_NO_EMBEDDINGS' });
  });

  it('embeds with an ONNX model on this machine', async () => {
    const model = path('tiny-e5');
    mkdirSync(model);
    const words = [
      ...new Set(few.flatMap(({ contents }) => contents.toLowerCase().match(/\w+|[^\w\s]+/g) ?? [])),
      'query',
      'passage',
      ':',
    ];
    const vocab = Object.fromEntries(['[UNK]', ...words].map((word, id) => [word, id]));
    const size = words.length + 1;
    const graph = new Graph();
    const ids = graph.input('input_ids', 'int64', ['batch', 'words']);
    const random = Random.of(2, 'table');
    const values = Float32Array.from({ length: size * 16 }, () => random.normal());
    const table = graph.constant('float32', [size, 16], values);
    const compiled = graph.compile({ last_hidden_state: graph.node('Gather', [table, ids], { shape: ['batch', 'words', 16] }) });
    writeFileSync(join(model, 'model.onnx'), compiled.model);
    writeFileSync(join(model, 'config.json'), JSON.stringify({ hidden_size: 16 }));
    writeFileSync(
      join(model, 'tokenizer.json'),
      JSON.stringify({
        version: '1.0',
        added_tokens: [],
        normalizer: { type: 'Lowercase' },
        pre_tokenizer: { type: 'Whitespace' },
        post_processor: null,
        decoder: null,
        model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
      }),
    );
    const retriever = await openRetriever({ retriever: 'dense', corpus: path('few.jsonl'), embeddings: model });
    for (const passage of few.slice(0, 5)) expect(await retriever.search(passage.contents, 1)).toEqual([passage]);
    await retriever.close?.();
    await expect(openRetriever({ retriever: 'dense', corpus: path('few.jsonl'), embeddings: folder })).rejects.toMatchObject({
      message: /model\.onnx/,
    });
  });
});

describe("Search-R1's server", () => {
  it('is asked as it expects, with scores or without', async () => {
    const asked: unknown[] = [];
    let scores = true;
    await using server = await serve(async (request) => {
      asked.push([request.url, await json(request)]);
      const found = passages.slice(0, 3);
      return {
        result: [
          scores ? found.map((document) => ({ document, score: 1 })) : found.map(({ contents }) => ({ contents, title: 'x' })),
        ],
      };
    });
    const retriever = await openRetriever({ retriever: server.url });
    expect(await retriever.search('who', 2)).toEqual(passages.slice(0, 2));
    expect(asked).toEqual([['/retrieve', { queries: ['who'], topk: 2, return_scores: true }]]);
    scores = false;
    expect((await retriever.search('who', 3)).map(({ contents }) => contents)).toEqual(
      passages.slice(0, 3).map(({ contents }) => contents),
    );
  });

  it('says so when it is not there or answers otherwise', async () => {
    await using server = await serve(async () => ({ error: 'what?' }));
    const wrong = await openRetriever({ retriever: `${server.url}/retrieve` });
    await expect(wrong.search('x', 3)).rejects.toMatchObject({ code: 'SEARCH_NO_SERVER' });
  });

  it('refuses settings that name nothing', async () => {
    await expect(openRetriever({ retriever: 'bm25' })).rejects.toMatchObject({ code: 'ENV_BAD_SETTING' });
    await expect(openRetriever({ retriever: 'faiss', corpus: path('few.jsonl') })).rejects.toMatchObject({
      code: 'ENV_BAD_SETTING',
    });
    await expect(openRetriever({ retriever: 'bm25', corpus: path('absent.jsonl') })).rejects.toMatchObject({
      code: 'ENV_BAD_CORPUS',
    });
    expect(() => statSync(path('absent.jsonl.agoge'))).toThrow();
    expect(readFileSync(path('few.jsonl'), 'utf8').length).toBeGreaterThan(0);
  });
});

function letters(text: string): number[] {
  const counts = Array.from({ length: 64 }, () => 0);
  for (let i = 0; i + 1 < text.length; i++) counts[(text.charCodeAt(i) * 31 + text.charCodeAt(i + 1)) % 64]! += 1;
  return counts;
}

async function serve(answer: (request: IncomingMessage) => Promise<unknown>): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    void answer(request).then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
