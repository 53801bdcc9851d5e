/** SearchQA for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const searchQAEntry: EnvironmentEntry = {
  name: 'searchqa',
  summary: 'answer questions by searching a library of passages',
  settings: {
    test: 'file of test questions: JSON, JSONL or parquet of FlashRAG or AgentGym (default: questions about our own encyclopaedia)',
    train: 'file of training questions, likewise',
    dataset: 'data set that the files are of (nq, hotpotqa, …), so that ids such as test_17 get their AgentGym number',
    corpus: 'passages as in wiki-18.jsonl (.gz as well), one {id, contents} a line',
    retriever: 'bm25 (default), dense, or the address of a Search-R1 retrieval server (http://host:8000/retrieve)',
    index: 'folder in which the index of the corpus is kept (default: beside the corpus)',
    embeddings: 'for dense: address of an OpenAI-compatible /embeddings, or a folder with an ONNX model and its tokenizer.json',
    model: 'for dense: name of the embedding model at that address',
    vectors: 'for dense: flat (default, exact) or hnsw (faster on millions)',
    passages: 'passages that a search gives (default 3, as in the original)',
    text: 'full (default: the opening as in the original) or short: the question alone, for small policies',
    seed: 'seed of our own encyclopaedia (default 0)',
  },
  limits: { turns: 5 },
  items: { parameter: 'id', also: ['nq', 'triviaqa', 'popqa', 'hotpotqa', '2wikimultihopqa', 'musique', 'bamboogle'] },
  rows: { ability: 'qa', request: 'Please answer the question that the environment gives you.', format: 'direct' },
  load: async (settings) => (await import('./searchqa.ts')).searchQA(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
