/** JSON as Python's `json.dumps` spaces it, `{"a": [1, 2]}`, which is how people and models write it in one line. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (!hasJson(value)) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).flatMap(([key, item]) =>
    hasJson(item) ? [`${JSON.stringify(key)}: ${spacedJson(item)}`] : [],
  );
  return `{${entries.join(', ')}}`;
}

/** What JSON has no word for is null in a list and left out of an object. */
function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
