/** A name that is cut in its middle where there is no room: its end is what tells it from its neighbours. */

/** Characters of the end that always stay. */
const end = 14;

export function Cut({ text, keep = end }: { readonly text: string; readonly keep?: number }) {
  const at = Math.max(0, text.length - keep);
  return (
    <span class="cut" title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}

/** How much of the end of these names must stay so that no two of them look alike. */
export function tellingEnd(names: readonly string[]): number {
  const [first = '', ...rest] = names;
  if (rest.length === 0) return end;
  let same = 0;
  while (same < first.length && rest.every((name) => name[same] === first[same])) same++;
  const longest = Math.max(...names.map((name) => name.length - same));
  return Math.min(24, Math.max(end, longest));
}
