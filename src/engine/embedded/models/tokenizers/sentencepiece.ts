/**
 * A SentencePiece vocabulary (pieces, scores, types, as GGUF files of kind `llama` store it) as a tokenizer.json. SentencePiece joins
 * the neighbours whose joint piece has the best score; a tokenizer.json lists the joins, best first, which is the same.
 */

/** What SentencePiece says of its pieces; the names of the types are those of GGUF. */
export interface Pieces {
  readonly tokens: readonly string[];
  readonly scores: readonly number[];
  readonly types: readonly number[];
  /** A space is put before the text, and taken away from what is decoded. */
  readonly spacePrefix: boolean;
  readonly unknown?: string | undefined;
  /** What a reader who asks for special tokens finds around the text. */
  readonly before?: Named | undefined;
  readonly after?: Named | undefined;
}

interface Named {
  readonly content: string;
  readonly id: number;
}

/** Types of a token in GGUF. */
export const tokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** The mark that stands for a space in pieces. */
const mark = '\u2581';

/** A tokenizer.json, still unchecked. */
export function sentencePieceJson(pieces: Pieces): object {
  const { tokens, types, spacePrefix } = pieces;
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: mark };
  const names = tokens.map((token, id) => (types[id] === tokenType.userDefined ? token.replaceAll(mark, ' ') : token));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: names.flatMap((content, id) => {
      const type = types[id];
      const special = type === tokenType.control || type === tokenType.unknown;
      if (!special && type !== tokenType.userDefined) return [];
      return [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special }];
    }),
    normalizer: { type: 'Sequence', normalizers: [...(spacePrefix ? [{ type: 'Prepend', prepend: mark }] : []), spaces] },
    pre_tokenizer: null,
    post_processor: postProcessor(pieces),
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: mark }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...(spacePrefix ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: pieces.unknown ?? null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: types.includes(tokenType.byte),
      ignore_merges: false,
      vocab: Object.fromEntries(names.map((content, id) => [content, id])),
      merges: mergesOf(pieces),
    },
  };
}

/**
 * Every way to join two pieces into a third, best score first. One piece can be joined in several ways: then the one with the longer
 * left part comes first, as in the files that Hugging Face converts. Control, unknown and byte tokens are never joined from text.
 */
function mergesOf({ tokens, scores, types }: Pieces): [string, string][] {
  const joinable = new Map<string, number>();
  tokens.forEach((token, id) => {
    const type = types[id];
    if (type === tokenType.normal || type === tokenType.userDefined || type === tokenType.unused) joinable.set(token, scores[id] ?? NaN);
  });
  const joins: { readonly left: string; readonly right: string; readonly score: number }[] = [];
  for (const [piece, score] of joinable) {
    let at = 0;
    for (const character of piece) {
      at += character.length;
      const left = piece.slice(0, at);
      const right = piece.slice(at);
      if (right !== '' && joinable.has(left) && joinable.has(right)) joins.push({ left, right, score });
    }
  }
  joins.sort((a, b) => b.score - a.score || b.left.length - a.left.length || b.right.length - a.right.length);
  return joins.map(({ left, right }) => [left, right]);
}

function postProcessor({ before, after }: Pieces): object | null {
  if (!before && !after) return null;
  const special = (named: Named | undefined): object[] => (named ? [{ SpecialToken: { id: named.content, type_id: 0 } }] : []);
  const around = (...ids: readonly string[]): object[] =>
    ids.flatMap((id) => [...special(before), { Sequence: { id, type_id: 0 } }, ...special(after)]);
  const named = [before, after].flatMap((one) =>
    one ? [[one.content, { id: one.content, ids: [one.id], tokens: [one.content] }] as const] : [],
  );
  return { type: 'TemplateProcessing', single: around('A'), pair: around('A', 'B'), special_tokens: Object.fromEntries(named) };
}
