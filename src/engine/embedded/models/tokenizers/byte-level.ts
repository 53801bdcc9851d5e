/**
 * The alphabet of byte-level tokenizers: every byte as one printable character (GPT-2's table: the printable Latin-1
 * characters stand for themselves, the others for the characters from U+0100 on, in order).
 */
const printable = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);

/** The character of each byte. */
export const byteCharacters: readonly string[] = (() => {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
})();

const bytes = new Map(byteCharacters.map((character, byte) => [character, byte]));

/** Text to the characters of its bytes. */
export function bytesToUnicode(text: string): string {
  let out = '';
  for (const byte of new TextEncoder().encode(text)) out += byteCharacters[byte] ?? '';
  return out;
}

/** A token of a byte-level vocabulary to its bytes; characters outside the alphabet stand for themselves. */
export function unicodeToBytes(token: string): Uint8Array {
  const out: number[] = [];
  for (const character of token) {
    const byte = bytes.get(character);
    if (byte === undefined) out.push(...new TextEncoder().encode(character));
    else out.push(byte);
  }
  return Uint8Array.from(out);
}
