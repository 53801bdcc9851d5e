/**
 * SearchQA's files: questions as FlashRAG and AgentGym distribute them, passages as wiki-18 does. The only file of this environment
 * that touches a disk or a network; it is loaded when a file is named.
 */
import type { Settings } from '../registry.ts';
import type { Questions } from './questions.ts';
import { bm25Retriever, type Passage, type Retriever } from './retriever.ts';
import { passagesOf } from './corpus-files.ts';
import { readQuestions } from './question-files.ts';

export interface Library {
  readonly questions: Questions;
  readonly retriever: Retriever;
}

export async function openLibrary(given: Settings): Promise<Library> {
  const questions = await readQuestions({ test: given['test'], train: given['train'], dataset: given['dataset'] });
  const passages: Passage[] = [];
  for await (const { passage } of passagesOf(given['corpus'] ?? '')) passages.push(passage);
  return { questions, retriever: bm25Retriever(`bm25-${passages.length}`, passages) };
}
