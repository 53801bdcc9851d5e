/**
 * The same page in a third of the tokens, for small policies (setting `text=short`): one line per thing that says something, without
 * quotes and indentation, the cells of a row in one line, numbers only where an action may need them. What stands around a page (its
 * header and footer) is told once; its numbers stay the same on every page of a site.
 */
const LINE = /^(\t*)\[(\d+)\] (\S+) (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(.*)$/;
const ACTIVE = new Set(['link', 'button', 'textbox', 'radio', 'checkbox']);
const CELLS = new Set(['cell', 'columnheader', 'rowheader']);

/** Tells pages of one episode, one after the other. */
export class ShortText {
  private readonly told = new Set<string>();

  page(text: string): string {
    const [tabs = '', ...lines] = text.split('\n');
    // A row is a list of its cells until the end.
    const shown: string[][] = tabs.includes(' | ') ? [[tabs]] : [];
    let inside = false;
    let title = '';
    let row: string[] = [];
    for (const line of lines) {
      const parts = LINE.exec(line);
      if (!parts) continue;
      const [, indent = '', id = '', role = '', single, double, properties = ''] = parts;
      if (indent.length === 1) inside = role === 'main';
      const name = (single ?? double ?? '').replace(/\\(.)/g, '$1');
      if (role === 'row') shown.push((row = []));
      else if (CELLS.has(role)) row.push(name);
      else if (role === 'RootWebArea') {
        title = name;
        shown.push([`# ${title}`]);
      } else if (name !== '' || role === 'textbox') {
        const active = ACTIVE.has(role);
        const said = active ? `[${id}] ${role} ${name}${stateOf(properties)}` : name;
        const last = shown.at(-1);
        // A heading or a cell and the link inside it say the same, and a heading what the title said.
        if (last?.at(-1) === name) last.splice(-1, 1, said);
        else if (role === 'heading' && (title === name || title.startsWith(`${name} - `))) continue;
        else if (inside || !this.told.has(said)) shown.push([said]);
        if (!inside) this.told.add(said);
      }
    }
    return shown.flatMap((cells) => (cells.length > 0 ? [cells.join(' | ')] : [])).join('\n');
  }
}

function stateOf(properties: string): string {
  if (properties.includes('checked: true')) return ' (chosen)';
  return properties.includes('focused: True') ? ' (focused)' : '';
}
