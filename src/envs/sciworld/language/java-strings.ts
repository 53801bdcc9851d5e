/** String rules of Java that differ from JavaScript's: what counts as blank, how lists of things are written. */

/** Java's trim: characters up to the space. */
export function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 32) from++;
  while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  return text.slice(from, to);
}

/** Java's `\s` in regular expressions is ASCII only. */
export function collapse(text: string): string {
  return text.replace(/[ \t\n\v\f\r]+/g, ' ');
}

/** The order of Java strings: by UTF-16 code unit. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Java's `%.0f`. */
export function rounded(value: number): string {
  return Object.is(value, -0) ? '-0' : value.toFixed(0);
}

/** A double as Java prints it, for the whole numbers that occur in task texts. */
export function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

const STOP_WORDS: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** Articles, and blanks that are not single spaces between words. */
const NEEDS_CARE = /\b(?:a|an|the)\b|[^!-\uffff ]| {2}|^ | $/;

/** Single blanks between words, and no articles. */
export function withoutArticles(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return collapse(trim(text))
    .split(' ')
    .filter((token) => !STOP_WORDS.has(token))
    .join(' ');
}
