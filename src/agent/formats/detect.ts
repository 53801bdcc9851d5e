/**
 * Which prompt format replies were written in, told from the replies themselves: files of other systems do not say it, and a
 * model learns what the replies look like, not what a recipe calls them.
 */
import { withoutThinking } from '../format.ts';

export interface FormatCounts {
  readonly [format: string]: number;
}

/** The format of one reply; `direct` is a single line without any mark, undefined what fits none. */
export function formatOfReply(reply: string): string | undefined {
  const text = withoutThinking(reply).trim();
  if (/^\{[\s\S]*"function_name"\s*:/.test(text)) return 'function_calling';
  if (/^\{[\s\S]*"name"\s*:[\s\S]*"arguments"\s*:/.test(text)) return 'tools';
  if (/(^|\n)[ \t]*\**action\**:/i.test(text)) return 'react';
  if (/^```(python)?\n[\s\S]*```/i.test(text)) return 'code';
  if (/^>\s*\S/.test(text) || /^(> *)?think: /i.test(text)) return 'adapt';
  return text !== '' && !text.includes('\n') ? 'direct' : undefined;
}

/**
 * The format that replies as a whole are in, or undefined where they follow none. ADaPT's data mix lines with and without their
 * prompt sign, so a small share of signs decides; a single line alone proves little.
 */
export function formatOfCounts(counts: FormatCounts): string | undefined {
  const total = Object.values(counts).reduce((a, b) => a + b, 0);
  const share = (name: string): number => (counts[name] ?? 0) / Math.max(1, total);
  const marked = ['react', 'function_calling', 'tools', 'code', 'adapt'].find((name) => share(name) >= 0.5);
  if (marked !== undefined) return marked;
  if (share('adapt') >= 0.05 && share('adapt') + share('direct') >= 0.9) return 'adapt';
  return share('direct') >= 0.9 ? 'direct' : undefined;
}

/** Formats that write the same and differ only in how replies are read. */
const sameWords: Readonly<Record<string, string>> = { 'adapt-last': 'adapt', code_as_action: 'code' };

/** Would replies in one format be replies in the other? */
export function writtenAlike(a: string, b: string): boolean {
  return (sameWords[a] ?? a) === (sameWords[b] ?? b);
}
