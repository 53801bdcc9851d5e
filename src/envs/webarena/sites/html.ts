/**
 * Pages as small trees of plain data. The HTML for Chromium and the fast backend's document both come from the same tree, so they
 * cannot differ. Neighbouring texts are joined, as an HTML parser would join them; empty ones are dropped.
 */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

export type Node = Element | string;
export type Child = Node | number | null | undefined | false | readonly Child[];
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element. `true` is an attribute without a value, `false` and `undefined` leave it out. */
export function h(tag: string, attributes: Attributes | null = null, ...children: readonly Child[]): Element {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    given[name] = value === true ? '' : String(value);
  }
  const nodes: Node[] = [];
  collect(children, nodes);
  return { tag, attributes: given, children: nodes };
}

function collect(children: readonly Child[], nodes: Node[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === '') continue;
    if (Array.isArray(child)) collect(child as readonly Child[], nodes);
    else if (typeof child === 'object') nodes.push(child as Element);
    else if (typeof nodes.at(-1) === 'string') nodes.push(`${nodes.pop() as string}${String(child)}`);
    else nodes.push(String(child));
  }
}

const empty = new Set(['input', 'br', 'hr', 'meta', 'link', 'img']);

/** The tree as HTML text. */
export function html(node: Node): string {
  if (typeof node === 'string') return escaped(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) =>
    value === '' ? ` ${name}` : ` ${name}="${escaped(value)}"`,
  );
  const open = `<${node.tag}${attributes.join('')}>`;
  if (empty.has(node.tag)) return open;
  // A parser drops one newline after this tag: one more keeps a value that begins with one.
  const first = node.tag === 'textarea' || node.tag === 'pre' ? '\n' : '';
  return `${open}${first}${node.children.map(html).join('')}</${node.tag}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
