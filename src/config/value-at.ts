/** What stands at a dotted place of something read; undefined where there is no such place. */
export function valueAt(config: unknown, key: string): unknown {
  if (key === '') return config ?? undefined;
  const into = (at: unknown, part: string): unknown =>
    typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined;
  return key.split('.').reduce(into, config);
}
