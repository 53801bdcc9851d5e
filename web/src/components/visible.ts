/** Makes characters visible that would otherwise act: terminal escapes, bidirectional controls, other control characters. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\n' || character === '\t') return character;
    if (character === '\r') return '';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
