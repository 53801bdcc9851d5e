/** The JSON of Flask's `tojson` filter, as WebShop's pages show it. */

/** A dictionary of texts as JSON that is safe inside HTML: sorted keys, ASCII only, `<`, `>`, `&` and `'` escaped. */
export function htmlSafeJson(entries: Iterable<readonly [string, string]>): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${quoted(key)}: ${quoted(value)}`).join(', ')}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(/[<>&'\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
