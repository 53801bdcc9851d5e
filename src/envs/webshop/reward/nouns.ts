/**
 * Which words of a product title count as nouns. The original asks spaCy's large English model (nouns and proper nouns);
 * we go by closed word lists and endings: in titles, where nearly every word is capitalised, the model calls almost every
 * word a proper noun that is not a function word, a number, or a plain adjective. What that costs is in docs/webshop.md.
 */

/** The nouns of a title, lower case, repeated where they repeat. */
export function titleNouns(title: string): readonly string[] {
  let nouns = remembered.get(title);
  if (!nouns) {
    nouns = titleTokens(title)
      .filter(isNoun)
      .map((token) => token.toLowerCase());
    if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
    remembered.set(title, nouns);
  }
  return nouns;
}

const remembered = new Map<string, readonly string[]>();
const REMEMBERED_AT_MOST = 20_000;

/**
 * Cuts a title as spaCy's English rules do: at blanks, then punctuation off both ends, then at hyphens, commas, slashes and
 * the like between letters. A bracket inside a word stays: "Pocket(S" is one token, and no "pocket".
 */
export function titleTokens(title: string): string[] {
  return title
    .split(/\s+/u)
    .flatMap(withoutEnds)
    .flatMap((chunk) => chunk.split(infix))
    .filter((token) => token !== '');
}

const ends = String.raw`[§%=—–+…,:;!?¿؟¡()[\]{}<>_#*&。"'“”‘’«»„‹›£€¥$\-|\/~@^]`;
const prefix = new RegExp(`^${ends}`, 'u');
const suffix = new RegExp(String.raw`(?:${ends}|(?<=[\p{L}\p{N})\]"'])\.|\.\.+)$`, 'u');
const unit = /(?<=\d)(?:km|cm|mm|kg|mg|lbs?|oz|ft|in|mAh|ml|inch|mb|gb|tb|hz|w|v|g|m|l)$/iu;
const infix =
  /\.\.+|…|(?<=\d)[+\-*^](?=[\d-])|(?<=\p{Ll}|["'])\.(?=\p{Lu}|["'])|(?<=\p{L}),(?=\p{L})|(?<=\p{L})(?:-+|–|—|~)(?=\p{L})|(?<=[\p{L}\d])[:<>=/](?=\p{L})/u;

function withoutEnds(chunk: string): string[] {
  const tail: string[] = [];
  let rest = chunk;
  for (;;) {
    if (prefix.test(rest)) rest = rest.slice(1);
    else if (/['’]s$/iu.test(rest)) rest = rest.slice(0, -2);
    else if (suffix.test(rest)) rest = rest.replace(suffix, '');
    else if (unit.test(rest)) {
      tail.unshift(unit.exec(rest)?.[0] ?? '');
      rest = rest.replace(unit, '');
    } else return [rest, ...tail];
  }
}

function isNoun(word: string): boolean {
  if (!/\p{L}/u.test(word) || word.length < 2) return false;
  if (/^\d/.test(word)) return false;
  const lower = word.toLowerCase();
  if (closed.has(lower)) return false;
  const capital = word !== lower;
  return capital || !(/(?:ly|able|ible|ful|less|ous|ive|ed|ing|ish)$/.test(lower) || adjectives.has(lower));
}

const closed = new Set(
  (
    'a an and are as at be both but by can do does for from has have how if in into is it its more most no nor not of off on ' +
    'one only or other our out over per so such than that the their them then there these they this those through to too ' +
    'under up very via was we were what when where which while who will with without x you your yours all any each every ' +
    'some two three four five six seven eight nine ten 1st 2nd 3rd about above after against along also among around before ' +
    'behind below between beyond down during inside near onto outside since until upon within make makes made get gets use ' +
    'uses used keep keeps let lets fits fit comes come'
  ).split(' '),
);

const adjectives = new Set(
  (
    'big black blue bright brown clean clear cold compact cool cute dark deep double dry easy extra fast fine firm flat free ' +
    'fresh full fun gray great green grey hard heavy high hot large light little long loose low medium mini modern multi ' +
    'natural new nice old open orange organic pink plain portable premium pure purple quick quiet real red rich round safe ' +
    'sharp short single slim small smart smooth soft solid square strong super sweet tall thick thin tiny top ultra vintage ' +
    'warm wet white wide wild yellow young'
  ).split(' '),
);
