/**
 * Cuts text into words as Lucene's StandardTokenizer does: the word boundaries of UAX #29, of which those with a letter,
 * a digit, an ideograph, a kana or an emoji are tokens. Checked against Lucene 9 for every assigned code point of the
 * basic plane and for random sequences (tests/peers/lucene/search.test.ts).
 */

/** Longer tokens are cut into pieces of this many UTF-16 units. */
export const MAX_TOKEN_LENGTH = 255;

/** The tokens of a text, in order. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let position = 0;
  while (position < text.length) {
    const end = tokenEnd(text, position, text.length);
    if (end <= position) {
      position += width(text, position);
    } else if (end - position <= MAX_TOKEN_LENGTH) {
      tokens.push(text.slice(position, end));
      position = end;
    } else {
      // Lucene's scanner sees no further than its buffer, which never holds half of a surrogate pair.
      const cut = isHighSurrogate(text.charCodeAt(position + MAX_TOKEN_LENGTH - 1)) ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH;
      const seen = tokenEnd(text, position, position + cut);
      tokens.push(text.slice(position, Math.max(seen, position + 1)));
      position = Math.max(seen, position + 1);
    }
  }
  return tokens;
}

// Classes of UAX #29 that matter here; those up to Katakana can begin a word.
const UNKNOWN = 0;
const OTHER = 1;
const LETTER = 2;
const HEBREW = 3;
const NUMERIC = 4;
const EXTEND_NUM_LET = 5;
const KATAKANA = 6;
const MID_LETTER = 7;
const MID_NUM = 8;
const MID_NUM_LET = 9;
const SINGLE_QUOTE = 10;
const DOUBLE_QUOTE = 11;
const IGNORED = 12; // Extend, Format, ZWJ: belongs to what stands before it
const SINGLE = 13; // Han and Hiragana: a token each
const COMPLEX = 14; // South East Asian scripts: a token per run
const REGIONAL = 15;
const PICTURE = 16;
const KEYCAP_BASE = 17; // # and *
const COMPLEX_MARK = 18; // of those scripts: begins a run, but belongs to what stands before it elsewhere
const CLOSED = 20; // after a quoted Hebrew letter: no mark can bridge, letters and digits may follow
const PICTURE_MARK = 19; // skin tones: the same for emoji

/** Where the token that begins at `start` ends; `start` when none does. Nothing at or after `limit` is looked at. */
function tokenEnd(text: string, start: number, limit: number): number {
  const first = classAt(text, start, limit);
  if (first >= LETTER && first <= KATAKANA) return wordEnd(text, start, limit, first);
  if (first === SINGLE) return skipIgnored(text, start + width(text, start), limit);
  if (first === COMPLEX || first === COMPLEX_MARK) {
    let end = start;
    while (isComplex(classAt(text, end, limit))) end = skipIgnored(text, end + width(text, end), limit);
    return end;
  }
  if (first === IGNORED && text.charCodeAt(start) === JOINER) {
    const picture = skipJoiners(text, start, limit);
    return classAt(text, picture, limit) === PICTURE ? emojiEnd(text, picture, limit, PICTURE) : start;
  }
  return first >= REGIONAL ? emojiEnd(text, start, limit, first) : start;
}

function wordEnd(text: string, start: number, limit: number, first: number): number {
  let last = first;
  let word = first !== EXTEND_NUM_LET;
  let bridged = false;
  let end = skipIgnored(text, start + width(text, start), limit);
  for (;;) {
    const next = classAt(text, end, limit);
    if (next === EXTEND_NUM_LET || joins(last, next)) {
      end = skipIgnored(text, end + width(text, end), limit);
      word ||= next !== EXTEND_NUM_LET;
      last = next;
      bridged = false;
      continue;
    }
    if (next < MID_LETTER || next > DOUBLE_QUOTE) break;
    const after = skipIgnored(text, end + width(text, end), limit);
    const beyond = classAt(text, after, limit);
    if (bridges(last, next, beyond) && !(bridged && next === DOUBLE_QUOTE)) {
      end = skipIgnored(text, after + width(text, after), limit);
      bridged ||= last !== HEBREW || next !== SINGLE_QUOTE;
      last = next === DOUBLE_QUOTE ? CLOSED : beyond;
      continue;
    }
    // A Hebrew letter keeps its quote; letters and digits may follow directly.
    if (last !== HEBREW || next !== SINGLE_QUOTE || bridged) break;
    end = after;
    last = CLOSED;
  }
  return word ? end : start;
}

/** Whether two neighbours stay together (WB5, WB8 to WB10, WB13 and WB13b). */
function joins(last: number, next: number): boolean {
  if (last === KATAKANA) return next === KATAKANA;
  if (last === EXTEND_NUM_LET) return next >= LETTER && next <= KATAKANA;
  return next === LETTER || next === NUMERIC || next === HEBREW;
}

/** Whether a mark between two characters holds them together (WB6, WB7, WB7b, WB11, WB12). */
function bridges(last: number, mark: number, next: number): boolean {
  const lastLetter = last === LETTER || last === HEBREW;
  const nextLetter = next === LETTER || next === HEBREW;
  if (mark === MID_LETTER) return lastLetter && nextLetter;
  if (mark === MID_NUM) return last === NUMERIC && next === NUMERIC;
  if (mark === DOUBLE_QUOTE) return last === HEBREW && next === HEBREW;
  return (lastLetter && nextLetter) || (last === NUMERIC && next === NUMERIC);
}

const VARIATION_TEXT = 0xfe0e;
const VARIATION_EMOJI = 0xfe0f;
const KEYCAP = 0x20e3;
const JOINER = 0x200d;

/** Flags, keycaps, and pictures with skin tones, the emoji variation and further pictures after a joiner. */
function emojiEnd(text: string, start: number, limit: number, first: number): number {
  if (first === REGIONAL) {
    const second = skipIgnored(text, start + 2, limit);
    return classAt(text, second, limit) === REGIONAL ? skipIgnored(text, second + 2, limit) : start;
  }
  if (first === KEYCAP_BASE) {
    let end = start;
    for (let next = start + 1; ;) {
      const glued = skipGlue(text, next, limit);
      if (text.slice(next, glued).includes('\u20e3')) end = glued;
      if (glued + 1 >= limit || text.charCodeAt(glued) !== VARIATION_EMOJI || text.charCodeAt(glued + 1) !== KEYCAP) return end;
      next = glued + 1;
    }
  }
  let end = first === PICTURE_MARK ? skipGlue(text, start, limit) : pictureEnd(text, start, limit);
  for (;;) {
    // What was glued to the last picture may end with a joiner already; after a variation it must still come.
    const next = text.charCodeAt(end - 1) === JOINER ? end : skipJoiners(text, end, limit);
    const joined = next > start && text.charCodeAt(next - 1) === JOINER && classAt(text, next, limit) === PICTURE;
    if (!joined || (first === PICTURE_MARK && next > end)) return end;
    end = pictureEnd(text, next, limit);
  }
}

function pictureEnd(text: string, start: number, limit: number): number {
  const end = skipGlue(text, start + width(text, start), limit);
  return end < limit && text.charCodeAt(end) === VARIATION_EMOJI ? end + 1 : end;
}

function skipJoiners(text: string, position: number, limit: number): number {
  let end = position;
  while (end < limit && text.charCodeAt(end) === JOINER) end++;
  return end;
}

/** As skipIgnored, but stops before a variation selector. */
function skipGlue(text: string, position: number, limit: number): number {
  let end = position;
  for (;;) {
    const next = classAt(text, end, limit);
    if (next !== IGNORED && next < COMPLEX_MARK) return end;
    const unit = text.charCodeAt(end);
    if (unit === VARIATION_TEXT || unit === VARIATION_EMOJI) return end;
    end += width(text, end);
  }
}

function skipIgnored(text: string, position: number, limit: number): number {
  let end = position;
  for (;;) {
    const next = classAt(text, end, limit);
    if (next !== IGNORED && next < COMPLEX_MARK) return end;
    end += width(text, end);
  }
}

function isComplex(kind: number): boolean {
  return kind === COMPLEX || kind === COMPLEX_MARK;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function width(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  if (!isHighSurrogate(unit)) return 1;
  const next = text.charCodeAt(position + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

const known = new Uint8Array(0x10000);
const knownBeyond = new Map<number, number>();

function classAt(text: string, position: number, limit: number): number {
  if (position >= limit) return OTHER;
  const unit = text.charCodeAt(position);
  if (unit < 0xd800 || unit > 0xdfff) {
    const seen = known[unit] ?? UNKNOWN;
    return seen === UNKNOWN ? (known[unit] = classify(unit)) : seen;
  }
  const point = text.codePointAt(position) ?? unit;
  let seen = knownBeyond.get(point);
  if (seen === undefined) knownBeyond.set(point, (seen = classify(point)));
  return seen;
}

/** Extended_Pictographic of Unicode 12, which Lucene 9 knows; later versions took characters such as ★ out again. */
const pictures =
  /[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\u{1f000}-\u{1f0ff}\u{1f10d}-\u{1f10f}\u{1f12f}\u{1f16c}-\u{1f171}\u{1f17e}\u{1f17f}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f1ad}-\u{1f1e5}\u{1f201}-\u{1f20f}\u{1f21a}\u{1f22f}\u{1f232}-\u{1f23a}\u{1f23c}-\u{1f23f}\u{1f249}-\u{1f3fa}\u{1f400}-\u{1f53d}\u{1f546}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f774}-\u{1f77f}\u{1f7d5}-\u{1f7ff}\u{1f80c}-\u{1f80f}\u{1f848}-\u{1f84f}\u{1f85a}-\u{1f85f}\u{1f888}-\u{1f88f}\u{1f8ae}-\u{1f8ff}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1fffd}]/u;

const singles: Readonly<Record<string, number>> = { "'": SINGLE_QUOTE, '"': DOUBLE_QUOTE, '#': KEYCAP_BASE, '*': KEYCAP_BASE };

const patterns: readonly (readonly [RegExp, number])[] = [
  [/[:\u00b7\u0387\u05f4\u2027\ufe13\ufe55\uff1a]/u, MID_LETTER],
  [/[,;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b]/u, MID_NUM],
  [/[.\u2018\u2019\u2024\ufe52\uff07\uff0e]/u, MID_NUM_LET],
  [/\p{Regional_Indicator}/u, REGIONAL],
  [/(?!\u1a7f)\p{M}(?<=[\p{sc=Thai}\p{sc=Lao}\p{sc=Myanmar}\p{sc=Khmer}\p{sc=Lana}\p{sc=Tavt}\p{sc=Ahom}])/u, COMPLEX_MARK],
  [/\p{Emoji_Modifier}/u, PICTURE_MARK],
  [/[\p{Grapheme_Extend}\p{Mc}\u200d]|(?!\u200b)\p{Cf}/u, IGNORED],
  [/[\p{Pc}\u202f]/u, EXTEND_NUM_LET],
  [/[\p{Nd}\u066b]/u, NUMERIC],
  [/[\u109e\u109f\u19da\u19de\u19df\u1aa0-\u1aa6\u1aa8-\u1aad\uaa77-\uaa79\uaade\uaadf\u{1173a}\u{1173b}\u{1173f}]/u, COMPLEX],
  [/\p{L}(?<=[\p{sc=Thai}\p{sc=Lao}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Tale}\p{sc=Talu}\p{sc=Lana}\p{sc=Tavt}\p{sc=Ahom}])/u, COMPLEX],
  [/[\p{Script=Katakana}\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]/u, KATAKANA],
  [/(?![\u3005\u303b\u{16fe3}])[\p{Script=Han}\p{Script=Hiragana}]/u, SINGLE],
  [/[\u05d0-\u05ea\u05ef-\u05f2\ufb1d\ufb1f-\ufb28\ufb2a-\ufb4f]/u, HEBREW],
  [/(?!\p{Ideographic})\p{Alphabetic}|[\u3005\u303b\u{16fe3}]/u, LETTER],
  [/[\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02ed\u02ef-\u02ff\u055b\u055c\u055e\u05f3\ua720\ua721\ua789\ua78a\uab5b]/u, LETTER],
  [pictures, PICTURE],
];

function classify(point: number): number {
  const character = String.fromCodePoint(point);
  const single = singles[character];
  if (single !== undefined) return single;
  for (const [pattern, kind] of patterns) if (pattern.test(character)) return kind;
  return OTHER;
}
