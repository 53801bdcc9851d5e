/** Whoever finds passages: our own BM25, vectors, or a server that a group already runs. */

export interface Passage {
  readonly id: string;
  /** The title in a first line of its own, then the text, as in wiki-18. */
  readonly contents: string;
}

export interface Retriever {
  /** Named in an environment's version: other passages make another environment. */
  readonly name: string;
  /** The best passages, best first; fewer where there are not so many. */
  search(query: string, limit: number, signal?: AbortSignal): readonly Passage[] | Promise<readonly Passage[]>;
  close?(): Promise<void>;
}
