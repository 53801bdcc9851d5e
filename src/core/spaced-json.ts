/** JSON as Python's `json.dumps` spaces it, `{"a": [1, 2]}`, which is how people and models write it in one line. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spacedJson(item)}`);
  return `{${entries.join(', ')}}`;
}
