/**
 * The pre-tokenizer of a tokenizer.json in words that @huggingface/tokenizers reads as the original library does. Two of its
 * parts have patterns of their own that differ: `Digits` knows only ASCII digits (the original: every numeral, ½ and ٣ too),
 * and `ByteLevel` counts U+FEFF as a blank and U+0085 not. As `Split` with a pattern both are right.
 */
import { isPlainPhrase } from './plain-phrase.ts';

type Part = Readonly<Record<string, unknown>>;

const gpt2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** Patterns of families that are used every day: each alternative begins with another kind of character, so none goes back far. */
const usual: ReadonlySet<string> = new Set([
  gpt2,
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
]);

/** Does it split or replace by a pattern that is not among the usual ones? Such a pattern may take for ever. */
export function hasForeignPattern(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { Regex: pattern } = part as Part;
  if (typeof pattern === 'string' && !isUsual(pattern)) return true;
  const { model: _, added_tokens: __, ...rest } = part as Part;
  return Object.values(rest).some((inner) => hasForeignPattern(inner));
}

/** One of the usual patterns, perhaps after phrases as `policy.fresh.phrases` puts them before it. */
function isUsual(pattern: string): boolean {
  if (usual.has(pattern)) return true;
  const phrases = pattern.endsWith(`|${gpt2}`) ? pattern.slice(0, -gpt2.length - 1) : undefined;
  return phrases !== undefined && phrases.split('|').every(isPlainPhrase);
}

export function spelledOut(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const { type, pretokenizers } = part as Part;
  if (type === 'Sequence' && Array.isArray(pretokenizers)) return { ...part, pretokenizers: pretokenizers.map(spelledOut) };
  if (type === 'Digits') return split((part as Part)['individual_digits'] === true ? '\\p{N}' : '\\p{N}+');
  if (type === 'ByteLevel') return byteLevel(part as Part);
  return part;
}

/** A space that is put before the text would be put before every piece: such a part stays as it is. */
function byteLevel(part: Part): unknown {
  if (part['use_regex'] === false || part['add_prefix_space'] === true) return part;
  return { type: 'Sequence', pretokenizers: [split(gpt2), { ...part, use_regex: false }] };
}

function split(pattern: string): Part {
  return { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false };
}

/**
 * Normaliser and pre-tokenizer without the space that they put before a text, for text that goes on from other text; undefined where
 * they put none.
 */
export function withoutPrefix(tokenizer: Part): { readonly normalizer: unknown; readonly pre_tokenizer: unknown } | undefined {
  const found: Part[] = [];
  const normalizer = stripped(tokenizer['normalizer'], found) ?? null;
  const preTokenizer = stripped(tokenizer['pre_tokenizer'], found) ?? null;
  return found.length > 0 ? { normalizer, pre_tokenizer: preTokenizer } : undefined;
}

/** The part without its prefix, undefined where nothing is left of it; adds what had one to `found`. */
function stripped(part: unknown, found: Part[]): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const one = part as Part;
  for (const list of ['normalizers', 'pretokenizers']) {
    const parts = one[list];
    if (Array.isArray(parts)) return { ...one, [list]: parts.map((inner) => stripped(inner, found)).filter((inner) => inner !== undefined) };
  }
  const { type } = one;
  const metaspace = type === 'Metaspace' && one['prepend_scheme'] !== 'never' && one['add_prefix_space'] !== false;
  const byteLevel = type === 'ByteLevel' && one['add_prefix_space'] === true;
  if (type !== 'Prepend' && !metaspace && !byteLevel) return one;
  found.push(one);
  if (type === 'Prepend') return undefined;
  return { ...one, add_prefix_space: false, ...(metaspace ? { prepend_scheme: 'never' } : {}) };
}
