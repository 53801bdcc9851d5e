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
  const search = element(reply, 'search');
  const answer = element(reply, 'answer');
  if (search && (!answer || search.start < answer.start)) return { kind: 'search', query: search.text };
  return { kind: answer ? 'answer' : 'neither' };
}

/** What stands in the last answer; null where there is none. */
export function lastAnswer(reply: string): string | null {
  let last: string | null = null;
  for (let found = element(reply, 'answer'); found; found = element(reply, 'answer', found.end)) last = found.text;
  return last;
}

/** The first element of this name. Looked for by hand: an expression takes quadratic time on a reply of tags that are never closed. */
function element(reply: string, tag: string, from = 0): { text: string; start: number; end: number } | undefined {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const start = reply.indexOf(open, from);
  const end = start < 0 ? -1 : reply.indexOf(close, start + open.length);
  if (end < 0) return undefined;
  return { text: reply.slice(start + open.length, end).replace(ends, ''), start, end: end + close.length };
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
