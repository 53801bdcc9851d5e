/** Completion for `agoge play`: whole actions where the environment knows them, else names that were seen. */

/** Names in an observation: what stands between numbers, punctuation and the words of commands. */
export function phrasesOf(observation: string): Set<string> {
  const parts = observation.split(/[\n,.:;()[\]"!?]|\s\d+\s|^\d+\s|\b(?:craft|using|get|and|the|to|a|you|is|are)\b/gi);
  return new Set(parts.map((part) => part.trim().replace(/^\d+\s+/, '')).filter((part) => /^[a-z][\w' -]{1,40}$/i.test(part)));
}

/** For readline: the continuations of a line, each once and whatever its case, and the part of it that they replace. */
export function completions(line: string, actions: readonly string[], phrases: ReadonlySet<string>): [string[], string] {
  const begins = (text: string, start: string): boolean => text.toLowerCase().startsWith(start.toLowerCase());
  const whole = [...new Set(actions)].filter((action) => begins(action, line));
  if (whole.length > 0 && line !== '') return [whole, line];
  const words = line.split(' ');
  for (let at = 0; at < words.length; at++) {
    const tail = words.slice(at).join(' ');
    if (tail === '') continue;
    const hits = [...phrases].filter((phrase) => begins(phrase, tail)).sort();
    if (hits.length > 0) return [hits, tail];
  }
  return [line === '' || line.endsWith(' ') ? [...(line === '' ? new Set(actions) : phrases)].sort() : [], ''];
}
