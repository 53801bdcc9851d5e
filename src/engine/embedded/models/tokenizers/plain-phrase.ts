/**
 * Which phrases of a tokenizer's pattern cannot take long, however a text is written: letters and classes one after another, at most
 * one of them repeated, and that one behind a letter that it does not match, so that no two tries read the same run of characters.
 * A pattern of such phrases needs no watch, which costs more than the splitting itself.
 */
const atom = /(?<letter>[A-Za-z0-9 ,.;:'"=_-])|(?<set>\[[A-Za-z0-9-]+\])/.source;
const phrase = new RegExp(`^(?<body>(?:(?:${unnamed(atom)})[?+*]?)+)(?:\\(\\?=(?:${unnamed(atom)})+\\))?$`);

export function isPlainPhrase(text: string): boolean {
  const body = phrase.exec(text)?.groups?.['body'];
  if (body === undefined) return false;
  const atoms = [...body.matchAll(new RegExp(`(?<unit>${unnamed(atom)})(?<times>[?+*]?)`, 'g'))].map(({ groups = {} }) => ({
    unit: groups['unit'] ?? '',
    times: groups['times'] ?? '',
  }));
  if (atoms.filter(({ times }) => times === '?').length > 2) return false;
  const repeated = atoms.findIndex(({ times }) => times === '+' || times === '*');
  if (repeated < 0) return true;
  if (atoms.slice(repeated + 1).some(({ times }) => times !== '')) return false;
  const [before, run] = [atoms[repeated - 1], atoms[repeated]];
  if (!before || !run || before.times !== '' || before.unit.length !== 1) return false;
  return !new RegExp(`^${run.unit.length === 1 ? `[${run.unit}]` : run.unit}$`).test(before.unit);
}

function unnamed(pattern: string): string {
  return pattern.replace(/\?<\w+>/g, '?:');
}
