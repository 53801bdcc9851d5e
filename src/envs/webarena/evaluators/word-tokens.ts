/**
 * Words as NLTK's `word_tokenize` cuts them (Penn Treebank's rules). Sentences are cut at `.`, `?` and `!` before a blank and something
 * that may begin a sentence; the original asks a trained model for that, which differs after abbreviations.
 */
type Rule = readonly [RegExp, string];

const STARTING_QUOTES: readonly Rule[] = [
  [/([«“‘„]|`+)/gu, ' $1 '],
  [/^"/g, '``'],
  [/(``)/g, ' $1 '],
  [/([ ([{<])("|'{2})/g, '$1 `` '],
  [/(')(?!re|ve|ll|m|t|s|d|n)([\p{L}\p{N}_])(?![\p{L}\p{N}_])/giu, '$1 $2'],
];

const PUNCTUATION: readonly Rule[] = [
  [/([^.])(\.)([\])}>"'»”’ ]*)\s*$/gu, '$1 $2 $3 '],
  [/([:,])(\P{Nd})/gu, ' $1 $2'],
  [/([:,])$/g, ' $1 '],
  [/\.{2,}/g, ' $& '],
  [/[;@#$%&]/g, ' $& '],
  [/([^.])(\.)([\])}>"']*)\s*$/g, '$1 $2$3 '],
  [/[?!]/g, ' $& '],
  [/([^'])' /g, "$1 ' "],
  [/[*]/g, ' $& '],
];

const BRACKETS: readonly Rule[] = [
  [/[\][(){}<>]/g, ' $& '],
  [/--/g, ' -- '],
];

const ENDING_QUOTES: readonly Rule[] = [
  [/([»”’])/gu, ' $1 '],
  [/''/g, " '' "],
  [/"/g, " '' "],
  [/\s+/gu, ' '],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, '$1 $2 '],
];

const CONTRACTIONS: readonly Rule[] = [
  [/\b(can)(not)\b/gi, ' $1 $2 '],
  [/\b(d)('ye)\b/gi, ' $1 $2 '],
  [/\b(gim)(me)\b/gi, ' $1 $2 '],
  [/\b(gon)(na)\b/gi, ' $1 $2 '],
  [/\b(got)(ta)\b/gi, ' $1 $2 '],
  [/\b(lem)(me)\b/gi, ' $1 $2 '],
  [/\b(more)('n)\b/gi, ' $1 $2 '],
  [/\b(wan)(na)(?=\s)/gi, ' $1 $2 '],
  [/ ('t)(is)\b/gi, ' $1 $2 '],
  [/ ('t)(was)\b/gi, ' $1 $2 '],
];

export function wordTokens(text: string): readonly string[] {
  return sentences(text).flatMap(sentenceTokens);
}

/** The words of one sentence (`word_tokenize(text, preserve_line=True)`). */
export function sentenceTokens(sentence: string): readonly string[] {
  let text = apply(sentence, STARTING_QUOTES);
  text = apply(text, PUNCTUATION);
  text = ` ${apply(text, BRACKETS)} `;
  text = apply(text, ENDING_QUOTES);
  text = apply(text, CONTRACTIONS);
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Found forwards: an expression that looks back over quotes takes quadratic time on a text of them. */
function sentences(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (const { 0: end, 1: blanks = '', index } of text.matchAll(/[.?!]["')\]]*(\s+)(?=\S)/gu)) {
    found.push(text.slice(start, index + end.length - blanks.length));
    start = index + end.length;
  }
  return [...found, text.slice(start)].filter((sentence) => sentence !== '');
}

function apply(text: string, rules: readonly Rule[]): string {
  return rules.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text);
}
