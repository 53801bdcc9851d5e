/** Settings of SearchQA. */
import * as z from 'zod';
import { oneOf, whole, type SettingsOf } from '../settings.ts';
import { generated } from '../stand-in.ts';

export const settings = {
  test: z
    .string()
    .optional()
    .describe(
      'file of test questions: JSON, JSONL or parquet of FlashRAG or AgentGym (default: questions about our own encyclopaedia)',
    ),
  train: z.string().optional().describe('file of training questions, likewise'),
  dataset: z
    .string()
    .optional()
    .describe('data set that the files are of (nq, hotpotqa, …), so that ids such as test_17 get their AgentGym number'),
  corpus: z.string().optional().describe('passages as in wiki-18.jsonl (.gz as well), one {id, contents} a line'),
  retriever: z
    .string()
    .optional()
    .describe('bm25 (default), dense, or the address of a Search-R1 retrieval server (http://host:8000/retrieve)'),
  index: z.string().optional().describe('folder in which the index of the corpus is kept (default: beside the corpus)'),
  embeddings: z
    .string()
    .optional()
    .describe('for dense: address of an OpenAI-compatible /embeddings, or a folder with an ONNX model and its tokenizer.json'),
  model: z.string().optional().describe('for dense: name of the embedding model at that address'),
  vectors: oneOf(['flat', 'hnsw']).optional().describe('for dense: flat (default, exact) or hnsw (faster on millions)'),
  passages: whole(1).default(3).describe('passages that a search gives (default 3, as in the original)'),
  text: oneOf(['full', 'short'])
    .default('full')
    .describe('full (default: the opening as in the original) or short: the question alone, for small policies'),
  generated,
  seed: whole(0).default(0).describe('seed of our own encyclopaedia (default 0)'),
};

export type SearchQASettings = SettingsOf<typeof settings>;
