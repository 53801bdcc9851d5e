/**
 * Exact match as Search-R1 scores it (and SQuAD before it): lower case, no ASCII punctuation, no articles, blanks collapsed; the last
 * `<answer>` counts, against any of the golden answers. Character classes are Python's.
 */

/** Between blanks and tags as the server reads a reply: the first search or answer decides what it is. */
export type Move =
  { readonly kind: 'search'; readonly query: string } | { readonly kind: 'answer' } | { readonly kind: 'neither' };

const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const blanks = new RegExp(`${SPACE}+`, 'gu');
const ends = new RegExp(`^${SPACE}+|${SPACE}+$`, 'gu');
/** A word of Python: letters, digits and the underscore of every script. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;
const punctuation = /[!-/:-@[-`{-~]/g;

export function readMove(reply: string): Move {
  const match = /<(search|answer)>([\s\S]*?)<\/\1>/.exec(reply);
  if (!match) return { kind: 'neither' };
  return match[1] === 'search' ? { kind: 'search', query: (match[2] ?? '').replace(ends, '') } : { kind: 'answer' };
}

/** What stands in the last answer; null where there is none. */
export function lastAnswer(reply: string): string | null {
  const last = [...reply.matchAll(/<answer>([\s\S]*?)<\/answer>/g)].at(-1);
  return last ? (last[1] ?? '').replace(ends, '') : null;
}

export function normalizeAnswer(text: string): string {
  const plain = text.toLowerCase().replace(punctuation, '').replace(articles, ' ');
  return plain.replace(blanks, ' ').replace(/^ | $/g, '');
}

export function exactMatch(answer: string, golden: readonly string[]): boolean {
  const said = normalizeAnswer(answer);
  return golden.some((one) => normalizeAnswer(one) === said);
}

/** 1 where the last answer of a reply matches, else 0. */
export function scoreReply(reply: string, golden: readonly string[]): 0 | 1 {
  const answer = lastAnswer(reply);
  return answer !== null && exactMatch(answer, golden) ? 1 : 0;
}
