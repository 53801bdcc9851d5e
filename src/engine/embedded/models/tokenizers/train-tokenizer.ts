/**
 * Trains a byte-level BPE tokenizer, at development time: the tokenizer.json it gives is read by @huggingface/tokenizers and
 * by transformers. The most frequent pair is merged until the vocabulary is full (the smaller pair in code-unit order among
 * equals, so the result is a function of the texts); then every word of `words` is made one token, with and without the space before it.
 */
import { bounded } from '../../../../core/bounded.ts';
import { AgogeError } from '../../../../core/error.ts';
import { byteCharacters, bytesToUnicode } from './byte-level.ts';
import { parseTokenizerJson, type TokenizerFiles } from './tokenizer.ts';

export interface TokenizerTraining {
  readonly texts: Iterable<string>;
  /** Tokens in all; those that `words` need come on top when there is no room. */
  readonly vocabulary: number;
  /** Each becomes one token. Letters only, or digits only: a token never crosses what the pre-tokenizer splits. */
  readonly words?: Iterable<string>;
  /** Never split and never made by chance; they get the first ids. */
  readonly special?: readonly string[];
  readonly bos?: string;
  readonly eos?: string;
  readonly chatTemplate?: string;
  /** Regular expressions of texts that may become one token although they hold spaces, such as a verb with its number. */
  readonly phrases?: readonly string[];
  /** Every digit a token of its own. Default false: a number is split only where it is rare. */
  readonly singleDigits?: boolean;
}

const pieces = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** How long one text may keep a phrase's pattern busy, in milliseconds. */
const patience = 2000;
/** Between two looks at the clock and the signal, in milliseconds. */
const stretch = 40;

export function trainTokenizer(training: TokenizerTraining): TokenizerFiles {
  const work = steps(training);
  for (;;) {
    const { value, done } = work.next();
    if (done === true) return value;
  }
}

/** The same in short stretches, so that others have their turn and the signal is heard; throws its reason. */
export async function trainTokenizerSlowly(training: TokenizerTraining, signal?: AbortSignal): Promise<TokenizerFiles> {
  const work = steps(training);
  let until = performance.now() + stretch;
  const next = (): IteratorResult<undefined, TokenizerFiles> => {
    try {
      return work.next();
    } catch (thrown) {
      signal?.throwIfAborted(); // a pattern may be ended by the same signal
      throw thrown;
    }
  };
  for (;;) {
    const { value, done } = next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    until = performance.now() + stretch;
  }
}

/** Gives the thread back after each text and each merge. */
function* steps(training: TokenizerTraining): Generator<undefined, TokenizerFiles, undefined> {
  const special = training.special ?? ['<|endoftext|>'];
  const merges: [string, string][] = [];
  const tokens = [...special, ...byteCharacters];
  const known = new Set(tokens);
  const split = splitter(training);
  const words = yield* countWords(training.texts, split);
  const add = (left: string, right: string): void => {
    merges.push([left, right]);
    const merged = left + right;
    if (known.has(merged)) return;
    known.add(merged);
    tokens.push(merged);
  };
  const pairs = new PairCounts(words);
  while (tokens.length < training.vocabulary) {
    const pair = pairs.mostFrequent();
    if (!pair) break;
    add(...pair);
    pairs.merge(pair);
    yield;
  }
  for (const word of training.words ?? []) {
    for (const text of [` ${word}`, word]) {
      let parts = applyMerges(Array.from(bytesToUnicode(text)), merges);
      if (split(text).length !== 1) {
        throw new AgogeError('MODEL_BAD_TOKENIZER', `"${text}" cannot be one token: give words of letters only or digits only`);
      }
      while (parts.length > 1) {
        const pair: [string, string] = [parts[0] ?? '', parts[1] ?? ''];
        add(...pair);
        parts = merge(parts, pair);
      }
    }
  }
  return files(training, special, tokens, merges);
}

interface Word {
  parts: string[];
  count: number;
}

type Split = (text: string) => string[];

function splitter({ phrases, singleDigits }: TokenizerTraining): Split {
  const pattern = phrases ? new RegExp(withPhrases(phrases), 'gu') : pieces;
  return (text) => {
    const sections = singleDigits === true ? text.split(/(\p{N})/u).filter((part) => part !== '') : [text];
    const found = (): string[] => sections.flatMap((section) => section.match(pattern) ?? []);
    return phrases ? bounded(patience, found, 'MODEL_BAD_TOKENIZER', 'a pattern of policy.fresh.phrases') : found();
  };
}

function withPhrases(phrases: readonly string[]): string {
  return [...phrases, pieces.source].join('|');
}

function* countWords(texts: Iterable<string>, split: Split): Generator<undefined, Word[], undefined> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const piece of split(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
    yield;
  }
  return [...counts].map(([piece, count]) => ({ parts: Array.from(bytesToUnicode(piece)), count }));
}

interface PairCount {
  readonly pair: [string, string];
  count: number;
  /** Words that may hold it. */
  readonly words: Set<Word>;
}

/** How often each pair stands in the words. A merge counts again only the words that hold the pair. */
class PairCounts {
  private readonly counts = new Map<string, PairCount>();

  constructor(words: readonly Word[]) {
    for (const word of words) this.note(word, 1);
  }

  mostFrequent(): [string, string] | undefined {
    let best: { count: number; key: string; pair: [string, string] } | undefined;
    for (const [key, { count, pair }] of this.counts) {
      if (!best || count > best.count || (count === best.count && key < best.key)) best = { count, key, pair };
    }
    return best && best.count > 1 ? best.pair : undefined;
  }

  merge(pair: [string, string]): void {
    for (const word of this.counts.get(pair.join(' '))?.words ?? []) {
      this.note(word, -1);
      word.parts = merge(word.parts, pair);
      this.note(word, 1);
    }
    this.counts.delete(pair.join(' '));
  }

  private note(word: Word, sign: 1 | -1): void {
    const { parts, count } = word;
    for (let i = 0; i + 1 < parts.length; i++) {
      const pair: [string, string] = [parts[i] ?? '', parts[i + 1] ?? ''];
      const key = pair.join(' ');
      let entry = this.counts.get(key);
      if (!entry) this.counts.set(key, (entry = { pair, count: 0, words: new Set() }));
      entry.count += sign * count;
      if (sign === 1) entry.words.add(word);
    }
  }
}

function merge(parts: readonly string[], [left, right]: readonly [string, string]): string[] {
  const out: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    if (part === left && parts[i + 1] === right) {
      out.push(left + right);
      i++;
    } else out.push(part);
  }
  return out;
}

/** As a tokenizer does it: the earliest merge first. */
function applyMerges(start: string[], merges: readonly (readonly [string, string])[]): string[] {
  let parts = start;
  for (const pair of merges) if (parts.length > 1) parts = merge(parts, pair);
  return parts;
}

function files(
  training: TokenizerTraining,
  special: readonly string[],
  tokens: readonly string[],
  merges: readonly (readonly [string, string])[],
): TokenizerFiles {
  const { phrases, singleDigits } = training;
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: phrases === undefined };
  const before = [
    ...(singleDigits === true ? [{ type: 'Digits', individual_digits: true }] : []),
    ...(phrases ? [{ type: 'Split', pattern: { Regex: withPhrases(phrases) }, behavior: 'Isolated', invert: false }] : []),
  ];
  const tokenizer = parseTokenizerJson(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: special.map((content, id) => ({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: null,
      pre_tokenizer: before.length > 0 ? { type: 'Sequence', pretokenizers: [...before, byteLevel] } : byteLevel,
      post_processor: null,
      decoder: byteLevel,
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: false,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges,
      },
    },
    'the trained tokenizer',
  );
  return {
    tokenizer,
    config: {
      tokenizer_class: 'PreTrainedTokenizerFast',
      clean_up_tokenization_spaces: false,
      ...(training.bos === undefined ? {} : { bos_token: training.bos }),
      ...(training.eos === undefined ? {} : { eos_token: training.eos }),
      ...(training.chatTemplate === undefined ? {} : { chat_template: training.chatTemplate }),
    },
  };
}
