/** Leaves out texts that the lines just above say already: a link's name, for instance, and the text inside it. */
export const LOOK_BACK = 3;
const STATIC_TEXT = /\[\p{Nd}+\] StaticText (.+)/su;

export function withoutRepeatedText(tree: string): string {
  const kept: string[] = [];
  for (const line of tree.split('\n')) {
    if (!line.toLowerCase().includes('statictext')) {
      kept.push(line);
      continue;
    }
    // Whatever speaks of StaticText in another form (a button of that name, a node without an id of its own) is left out as well.
    const quoted = STATIC_TEXT.exec(line)?.[1];
    if (quoted === undefined) continue;
    const text = Array.from(quoted).slice(1, -1).join('');
    if (text !== '' && !kept.slice(-LOOK_BACK).some((above) => above.includes(text))) kept.push(line);
  }
  return kept.join('\n');
}
