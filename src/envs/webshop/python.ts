/** How Python prints what WebShop's pages show: floats, and the JSON of Flask's `tojson` filter. */

/** `str(float)`: always a point or an exponent, and the exponent has two digits. */
export function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** A dictionary of texts as JSON that is safe inside HTML: sorted keys, ASCII only, `<`, `>`, `&` and `'` escaped. */
export function htmlSafeJson(entries: Iterable<readonly [string, string]>): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${quoted(key)}: ${quoted(value)}`).join(', ')}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(/[<>&'\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
