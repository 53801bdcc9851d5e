/** Makes characters visible that would otherwise act: terminal escapes, bidirectional controls, other control characters. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 13) return '';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
