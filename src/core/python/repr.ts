/** How Python prints texts and floats: `repr(text)`, `str(float)`. */

export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    if (character === quote || character === '\\') out += `\\${character}`;
    else if (character === '\n') out += '\\n';
    else if (character === '\r') out += '\\r';
    else if (character === '\t') out += '\\t';
    else if (character !== ' ' && /^[\p{C}\p{Z}]$/u.test(character)) out += escaped(character.codePointAt(0) as number);
    else out += character;
  }
  return out + quote;
}

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `str(float)`: always a point or an exponent, and the exponent has two digits. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
