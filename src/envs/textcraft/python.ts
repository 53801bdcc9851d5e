/** Two habits of Python that show in TextCraft's messages: how `str.strip` trims and how `repr` prints a text. */
const BLANKS = new Set(
  [9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].concat(
    Array.from({ length: 11 }, (_, i) => 0x2000 + i),
  ),
);

export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.has(text.charCodeAt(start))) start++;
  while (end > start && BLANKS.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    if (character === quote || character === '\\') out += `\\${character}`;
    else if (character === '\n') out += '\\n';
    else if (character === '\r') out += '\\r';
    else if (character === '\t') out += '\\t';
    else if (character !== ' ' && /^[\p{C}\p{Z}]$/u.test(character)) out += escaped(character.codePointAt(0) ?? 0);
    else out += character;
  }
  return out + quote;
}

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
