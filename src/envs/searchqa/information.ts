/** Passages in memory, found by BM25, and how the server shows passages to an agent. */
import type { Passage, Retriever } from '../../retrieval/retriever.ts';
import { SearchIndex } from '../../retrieval/text/index.ts';
import { pythonStrip } from '../../core/python/strings.ts';

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
  return `<information>${pythonStrip(shown.join(''))}</information>`;
}
