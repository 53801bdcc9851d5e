/** Whoever finds passages: our own BM25, vectors, or a server that a group already runs. */
import { SearchIndex } from '../../search/index.ts';

export interface Passage {
  readonly id: string;
  /** The title in a first line of its own, then the text, as in wiki-18. */
  readonly contents: string;
}

export interface Retriever {
  /** Named in the environment's version: other passages make another environment. */
  readonly name: string;
  /** The best passages, best first; fewer where there are not so many. */
  search(query: string, limit: number, signal?: AbortSignal): readonly Passage[] | Promise<readonly Passage[]>;
  close?(): Promise<void>;
}

/** BM25 over passages in memory, as Lucene ranks under pyserini. */
export function bm25Retriever(name: string, passages: readonly Passage[]): Retriever {
  const index = new SearchIndex(passages);
  return { name, search: (query, limit) => index.search(query, limit).map(({ position }) => passages[position] as Passage) };
}

/** Passages as the server shows them to an agent. */
export function informationText(passages: readonly Passage[]): string {
  const shown = passages.map(({ contents }, i) => {
    const [title = '', ...text] = contents.split('\n');
    return `Doc ${i + 1}(Title: ${title}) ${text.join('\n')}\n`;
  });
  return `<information>${shown.join('').trim()}</information>`;
}
