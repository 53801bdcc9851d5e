/**
 * A model's tokenizer: tokenizer.json (and tokenizer_config.json) read by @huggingface/tokenizers, as the Engine contract
 * wants it. Ids decode to exactly the bytes they stand for; the files themselves are kept so that saving returns them.
 */
import * as library from '@huggingface/tokenizers';
import { z } from 'zod';
import { bounded } from '../../../../core/bounded.ts';
import { AgogeError } from '../../../../core/error.ts';
import type { TokenIds } from '../../../../core/trajectory.ts';
import type { Tokenizer } from '../../../engine.ts';
import { pieceBytes, type PieceBytes } from './piece-bytes.ts';
import { hasForeignPattern, spelledOut, withoutPrefix } from './pre-tokenizer.ts';
import { addedPattern, KnownWords, wordSplitters, type Splitter } from './words.ts';

/** What we use of the library; its own declarations name their files without extension, which TypeScript cannot follow here. */
interface HuggingFaceTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
  decode(ids: number[], options: { skip_special_tokens: boolean }): string;
  token_to_id(token: string): number | undefined;
  id_to_token(id: number): string | undefined;
  get_vocab(withAddedTokens: boolean): Map<string, number>;
  model: object;
  readonly pre_tokenizer: Splitter | null;
}
const { Tokenizer: HuggingFaceTokenizer } = library as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => HuggingFaceTokenizer;
};

/** The two files as parsed JSON. */
export interface TokenizerFiles {
  readonly tokenizer: TokenizerJson;
  readonly config: Readonly<Record<string, unknown>>;
}

export type TokenizerJson = z.infer<typeof tokenizerJson>;

const tokenizerJson = z.looseObject({
  added_tokens: z.array(z.looseObject({ id: z.int(), content: z.string(), special: z.boolean().default(false) })).default([]),
  normalizer: z.unknown().default(null),
  pre_tokenizer: z.unknown().default(null),
  post_processor: z.unknown().default(null),
  decoder: z.unknown().default(null),
  model: z.looseObject({ type: z.string().optional() }),
});

/** Checks what tokenizer.json holds; `where` names the file in errors. */
export function parseTokenizerJson(json: unknown, where: string): TokenizerJson {
  const parsed = tokenizerJson.safeParse(json);
  if (parsed.success) {
    checkIds(parsed.data, where);
    return parsed.data;
  }
  const why = z.prettifyError(parsed.error).replaceAll('\n', ' ');
  throw new AgogeError('MODEL_BAD_TOKENIZER', `${where} is not a tokenizer: ${why}; use the tokenizer.json of the model`);
}

/** No vocabulary is larger; an id beyond it would make lists of that length. */
const mostTokens = 2 ** 24;

function checkIds({ added_tokens: added, model }: TokenizerJson, where: string): void {
  const { vocab } = model;
  const ids: unknown[] = typeof vocab === 'object' && vocab !== null && !Array.isArray(vocab) ? Object.values(vocab) : [];
  const wrong = [...added.map(({ id }) => id), ...ids].find(
    (id) => typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= mostTokens,
  );
  if (wrong === undefined) return;
  throw new AgogeError(
    'MODEL_BAD_TOKENIZER',
    `${where} has a token with the id ${JSON.stringify(wrong)}; ids lie between 0 and ${mostTokens - 1}: use the tokenizer.json of the model`,
  );
}

/** For a file of somebody's: every merge of a BPE joins two tokens into a third, all of them in the vocabulary: what is not so was never a tokenizer's. */
export function demandMerges({ model: read }: TokenizerJson, where: string): void {
  const { type, vocab, merges, continuing_subword_prefix: prefix } = read;
  if (type !== 'BPE' || !Array.isArray(merges) || typeof vocab !== 'object' || vocab === null) return;
  const known = (token: string): boolean => Object.hasOwn(vocab, token);
  const dropped = typeof prefix === 'string' ? prefix.length : 0;
  merges.forEach((merge: unknown, at) => {
    const parts: unknown = typeof merge === 'string' ? merge.split(' ') : merge;
    const pair = Array.isArray(parts) && parts.length === 2 && parts.every((part) => typeof part === 'string') ? (parts as [string, string]) : undefined;
    if (pair && [pair[0], pair[1], `${pair[0]}${pair[1].slice(dropped)}`].every(known)) return;
    const shown = JSON.stringify(merge).slice(0, 60);
    throw new AgogeError(
      'MODEL_BAD_TOKENIZER',
      `${where}: merge ${at + 1} (${shown}) joins no two tokens of the vocabulary to a third; use the tokenizer.json of the model`,
    );
  });
}

export interface ModelTokenizerOptions {
  /** Ids that end a turn, from generation_config.json or config.json; the end-of-sequence token is always among them. */
  readonly endOfTurn?: readonly number[];
}

export class ModelTokenizer implements Tokenizer {
  readonly size: number;
  readonly bosToken: string | undefined;
  readonly addsBos: boolean;
  readonly eosToken: string | undefined;
  readonly endOfTurn: readonly number[];
  private readonly special: HuggingFaceTokenizer;
  private readonly variants = new Map<string, HuggingFaceTokenizer>();
  /** Does the tokenizer put a space before what it reads? */
  private readonly prefixes: boolean;
  /** It splits texts by patterns that are not known here. */
  private readonly foreign: boolean;
  private readonly added = new Map<number, string>();
  private readonly addedIds = new Map<string, number>();
  private readonly words: Words | undefined;
  private readonly control = new Set<number>();
  /** Special tokens as they are written; undefined where a text may become one only by being normalised. */
  private readonly specialTexts: readonly string[] | undefined;
  private readonly spelling: PieceBytes | undefined;
  private readonly pieces: (Uint8Array | undefined)[] = [];
  private readonly utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(
    readonly files: TokenizerFiles,
    options: ModelTokenizerOptions = {},
  ) {
    // Clean-up rewrites spaces before punctuation: never what a model said.
    const config = { ...files.config, clean_up_tokenization_spaces: false };
    try {
      this.special = new HuggingFaceTokenizer(readable(files.tokenizer), config);
    } catch (cause) {
      throw AgogeError.from(cause, 'MODEL_BAD_TOKENIZER', 'the tokenizer cannot be built (use a fast tokenizer.json)');
    }
    for (const { id, content, special } of files.tokenizer.added_tokens) {
      this.added.set(id, content);
      this.addedIds.set(content, id);
      if (special) this.control.add(id);
    }
    this.specialTexts = specialTexts(files.tokenizer);
    let size = 0;
    for (const id of this.special.get_vocab(true).values()) size = Math.max(size, id + 1);
    this.size = size;
    if (this.special.get_vocab(false).size === 0)
      throw new AgogeError('MODEL_BAD_TOKENIZER', 'the tokenizer has an empty vocabulary: use the tokenizer.json of the model');
    this.spelling = pieceBytes(files.tokenizer.decoder);
    this.foreign = hasForeignPattern(files.tokenizer);
    this.prefixes = withoutPrefix(files.tokenizer) !== undefined;
    this.words = this.wordsOf();
    this.bosToken = tokenText(files.config['bos_token']);
    this.eosToken = tokenText(files.config['eos_token']);
    const bos = this.bosToken === undefined ? undefined : this.idOf(this.bosToken);
    this.addsBos = bos !== undefined && this.special.encode('a', { add_special_tokens: true }).ids[0] === bos;
    const ends = new Set(options.endOfTurn ?? []);
    const eos = this.eosToken === undefined ? undefined : this.idOf(this.eosToken);
    if (eos !== undefined) ends.add(eos);
    this.endOfTurn = [...ends].filter((id) => id >= 0 && id < size);
  }

  encode(text: string, options: { readonly plain?: boolean; readonly continues?: boolean } = {}): number[] {
    const plain = options.plain === true;
    const ids = this.idsOf(text, plain, false);
    if (options.continues !== true || !this.prefixes) return ids;
    // Only what stands before the first token written as it is goes on from the text before it.
    const bare = this.idsOf(text, plain, true);
    const isAdded = (id: number): boolean => this.added.has(id);
    const from = ids.findIndex(isAdded);
    return from < 0 ? bare : [...bare.slice(0, bare.findIndex(isAdded)), ...ids.slice(from)];
  }

  isPlain(text: string): boolean {
    return this.specialTexts?.some((special) => text.includes(special)) === false;
  }

  decode(ids: TokenIds): string {
    if (ids.length === 0) return '';
    if (!this.spelling) return this.special.decode(Array.from(ids), { skip_special_tokens: false });
    return this.utf8.decode(this.bytesOf(ids));
  }

  /** The bytes a sequence stands for: what a stream may show before a character is complete. */
  bytesOf(ids: TokenIds): Uint8Array {
    if (!this.spelling) return new TextEncoder().encode(this.decode(ids));
    let length = 0;
    for (const id of ids) length += this.piece(id, this.spelling).length;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const id of ids) {
      const piece = this.piece(id, this.spelling);
      bytes.set(piece, at);
      at += piece.length;
    }
    return this.spelling.stripsSpace && bytes[0] === 0x20 ? bytes.subarray(1) : bytes;
  }

  /** The bytes of one token; none for the tokens that control a conversation. */
  bytes(id: number): Uint8Array | undefined {
    if (!this.spelling || this.control.has(id)) return undefined;
    return this.piece(id, this.spelling);
  }

  /** The id of a token by its text, special tokens included. */
  idOf(token: string): number | undefined {
    return this.special.token_to_id(token);
  }

  private idsOf(text: string, plain: boolean, bare: boolean): number[] {
    if (text === '') return [];
    if (this.words) return this.byWords(text, plain, this.words);
    const encode = (): number[] => this.variant(plain, bare).encode(text, { add_special_tokens: false }).ids;
    // A pattern of somebody else may never end. The time is far above what a text of this length takes.
    return allKnown(this.foreign ? bounded(2000 + text.length / 20, encode, 'MODEL_BAD_TOKENIZER', 'the pattern of the tokenizer') : encode());
  }

  /** Added tokens as they are, the text between them by its words. */
  private byWords(text: string, plain: boolean, { known, added, addedPlain }: Words): number[] {
    const ids: number[] = [];
    let from = 0;
    for (const { 0: token, index } of text.matchAll(plain ? addedPlain : added)) {
      if (index > from) known.add(text.slice(from, index), ids);
      ids.push(this.addedIds.get(token) as number);
      from = index + token.length;
    }
    if (from < text.length) known.add(from === 0 ? text : text.slice(from), ids);
    return ids;
  }

  /** Where words stand for themselves: most tokenizers of today, and all that are made here. */
  private wordsOf(): Words | undefined {
    const { tokenizer, config } = this.files;
    const splitters = this.foreign ? undefined : wordSplitters(readable(tokenizer), config, this.special.pre_tokenizer);
    const added = addedPattern(tokenizer.added_tokens);
    const addedPlain = addedPattern(tokenizer.added_tokens.filter(({ special }) => !special));
    if (!splitters || !added || !addedPlain) return undefined;
    const byteLevel = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
    const word = this.sharing({ ...tokenizer, pre_tokenizer: byteLevel, post_processor: null, added_tokens: [] });
    return { known: new KnownWords(splitters, (text) => allKnown(word.encode(text, { add_special_tokens: false }).ids)), added, addedPlain };
  }

  private piece(id: number, spelling: PieceBytes): Uint8Array {
    const known = this.pieces[id];
    if (known) return known;
    const token = this.added.get(id);
    const bytes = token === undefined ? spelling.ofToken(this.special.id_to_token(id) ?? '') : spelling.ofAdded(token);
    this.pieces[id] = bytes;
    return bytes;
  }

  /**
   * The same tokenizer in another setting. `plain`: without the special tokens, so that `<|im_end|>` typed by somebody is only text.
   * `bare`: without the space before the text.
   */
  private variant(plain: boolean, bare: boolean): HuggingFaceTokenizer {
    if (!plain && !bare) return this.special;
    const key = `${plain} ${bare}`;
    const known = this.variants.get(key);
    if (known) return known;
    const all = this.files.tokenizer;
    const tokenizer = {
      ...all,
      ...(bare ? withoutPrefix(all) : {}),
      ...(plain ? { added_tokens: all.added_tokens.filter((token) => !token.special) } : {}),
    };
    // Half a million joins are kept once. Not where whole words are looked up first: a special token must not be found there.
    const shared = all.model.type === 'BPE' && all.model['ignore_merges'] !== true;
    const made = shared ? this.sharing(tokenizer) : new HuggingFaceTokenizer(readable(tokenizer), this.files.config);
    this.variants.set(key, made);
    return made;
  }

  /** With the joins of this one. */
  private sharing(tokenizer: TokenizerJson): HuggingFaceTokenizer {
    const made = new HuggingFaceTokenizer(
      readable({ ...tokenizer, model: { ...tokenizer.model, vocab: {}, merges: [] } }),
      this.files.config,
    );
    made.model = this.special.model;
    return made;
  }
}

interface Words {
  readonly known: KnownWords;
  /** Finds added tokens: all of them, and those that anybody may write. */
  readonly added: RegExp;
  readonly addedPlain: RegExp;
}

function allKnown(ids: number[]): number[] {
  for (const id of ids) {
    if (typeof id !== 'number') {
      throw new AgogeError('MODEL_BAD_TOKENIZER', 'the tokenizer has no token for a part of the text: use one with byte fallback');
    }
  }
  return ids;
}

function specialTexts({ added_tokens: added, normalizer }: TokenizerJson): string[] | undefined {
  const special = added.filter((token) => token.special && token.content !== '');
  if (normalizer !== null && special.some((token) => token['normalized'] !== false)) return undefined;
  return special.map(({ content }) => content);
}

function readable(tokenizer: TokenizerJson): TokenizerJson {
  return { ...tokenizer, pre_tokenizer: spelledOut(tokenizer.pre_tokenizer) };
}

/** Refuses a tokenizer that can name ids the embedding does not have. */
export function checkTokenizerFits(tokenizer: Tokenizer, vocabulary: number, where: string): void {
  if (tokenizer.size <= vocabulary) return;
  throw new AgogeError(
    'MODEL_TOKENIZER_TOO_LARGE',
    `the tokenizer of ${where} has ${tokenizer.size} tokens, its embedding only ${vocabulary}: use the tokenizer the model was trained with`,
  );
}

function tokenText(token: unknown): string | undefined {
  if (typeof token === 'string') return token;
  const parsed = z.object({ content: z.string() }).safeParse(token);
  return parsed.success ? parsed.data.content : undefined;
}
