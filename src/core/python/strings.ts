/** How Python's `str` trims and splits: it counts more blanks than JavaScript, and others. */
const BLANKS = new Set(
  [9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].concat(
    Array.from({ length: 11 }, (_, i) => 0x2000 + i),
  ),
);

/** `text.strip()`. */
export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.has(text.charCodeAt(start))) start++;
  while (end > start && BLANKS.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

// eslint-disable-next-line no-control-regex -- Python counts the separators of ASCII among the blanks
const SEPARATORS = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

/** `text.split()`. */
export function pythonWords(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== '');
}

/** The last characters, counted as Python counts them (a character outside the basic plane is one, not two). */
export function lastCharacters(text: string, count: number): string {
  const tail = text.slice(-2 * count);
  const characters = Array.from(tail);
  return characters.length > count ? characters.slice(-count).join('') : tail;
}

/** `str.isdigit()` for what answers are made of. */
export function isDigits(text: string): boolean {
  return /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u.test(text);
}
