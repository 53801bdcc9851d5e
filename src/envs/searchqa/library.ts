/**
 * SearchQA's files: questions as FlashRAG and AgentGym distribute them, passages as wiki-18 does, and the retriever over them. Loaded
 * only when a setting names one of these.
 */
import { openRetriever } from '../../retrieval/open.ts';
import { readQuestions } from './question-files.ts';
import type { SearchQASettings } from './settings.ts';
import type { Questions } from './questions.ts';
import type { Retriever } from '../../retrieval/retriever.ts';

export interface Library {
  readonly questions: Questions;
  readonly retriever: Retriever;
}

export async function openLibrary({
  test,
  train,
  dataset,
  retriever = 'bm25',
  ...rest
}: Omit<SearchQASettings, 'passages' | 'text' | 'seed' | 'generated'>): Promise<Library> {
  const questions = await readQuestions({ test, train, dataset });
  return { questions, retriever: await openRetriever({ retriever, ...rest }) };
}
