/** Names as the player sees them: `mug 2` is a mug, its number is 2; lists of them in a sentence. */

export function kindOfName(name: string): string {
  return name.replace(/ \d+$/, '');
}

export function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}

/** `a mug 2, and a mug 1` → `mug 2`, `mug 1`; `nothing` is none. */
export function listOf(text: string): string[] {
  if (text === 'nothing') return [];
  return text.split(', ').map((part) => part.replace(/^and /, '').replace(/^a /, ''));
}
