/**
 * Byte-level BPE encodes each word that its patterns split off by itself, so a word that was seen before need only be looked up. Texts of
 * environments are new all the time and their words are not: a mission, a colour, a number of steps.
 */

/** What of a tokenizer.json decides whether words stand for themselves. */
interface Parts {
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly model: Part;
}

type Part = Readonly<Record<string, unknown>>;

/** One step of the library's pre-tokenizer, or several. */
export interface Splitter {
  readonly tokenizers?: readonly Splitter[];
  pre_tokenize_text(text: string): string[];
}

/** Longer ones are hardly words, and hardly come twice. */
const longest = 48;
const mostWords = 1 << 15;

export class KnownWords {
  private readonly known = new Map<string, readonly number[]>();

  constructor(
    private readonly splitters: readonly Splitter[],
    /** The ids of a word as the whole tokenizer would give them. */
    private readonly encode: (word: string) => readonly number[],
  ) {}

  /** Adds the ids of a text without added tokens. */
  add(text: string, ids: number[]): void {
    let words = [text];
    for (const splitter of this.splitters) words = words.flatMap((word) => splitter.pre_tokenize_text(word));
    for (const word of words) for (const id of this.idsOf(word)) ids.push(id);
  }

  private idsOf(word: string): readonly number[] {
    const before = this.known.get(word);
    if (before) return before;
    const ids = this.encode(word);
    if (word.length <= longest) {
      if (this.known.size >= mostWords) this.known.clear();
      this.known.set(word, ids);
    }
    return ids;
  }
}

/**
 * What splits the texts of a tokenizer into words that stand for themselves; undefined where something goes beyond a word. `built` is its
 * pre-tokenizer as the library has built it from the words of `tokenizer`.
 */
export function wordSplitters(
  { normalizer, pre_tokenizer: parts, model }: Parts,
  config: Readonly<Record<string, unknown>>,
  built: Splitter | null,
): Splitter[] | undefined {
  const { type, dropout, unk_token: unknown, ignore_merges: wholeWords } = model;
  // Where whole words are looked up first, a special token must not be found there; one unknown token may stand for several words.
  if (type !== 'BPE' || typeof dropout === 'number' || typeof unknown === 'string' || wholeWords === true || normalizer !== null) return undefined;
  if (config['remove_space'] === true || config['do_lowercase_and_remove_accent'] === true) return undefined;
  if (built === null) return undefined;
  const said = flattened(parts as Part, ({ pretokenizers }) => pretokenizers as Part[] | undefined);
  const last = said.pop();
  if (last?.['type'] !== 'ByteLevel' || last['use_regex'] !== false || last['add_prefix_space'] === true) return undefined;
  if (said.some(({ type: kind }) => kind !== 'Split')) return undefined;
  return flattened(built, ({ tokenizers }) => tokenizers).slice(0, -1);
}

/** The last steps, however they are nested. */
function flattened<Step>(step: Step, within: (step: Step) => readonly Step[] | undefined): Step[] {
  return within(step)?.flatMap((inner) => flattened(inner, within)) ?? [step];
}

/** Finds added tokens in a text, the longest of those that begin together; undefined where one takes more than its own letters. */
export function addedPattern(added: readonly (Part & { readonly content: string })[]): RegExp | undefined {
  const flags = ['lstrip', 'rstrip', 'single_word'];
  if (added.some((token) => token.content === '' || flags.some((flag) => token[flag] === true))) return undefined;
  const texts = added.map(({ content }) => content).toSorted((a, b) => b.length - a.length);
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Without any, a pattern that is found nowhere.
  return new RegExp(escaped.length > 0 ? escaped.join('|') : '(?!)', 'g');
}
