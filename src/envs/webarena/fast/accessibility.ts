/**
 * The accessibility tree of a document by the rules that Chromium follows for the elements that the sites use: roles, names, properties
 * and which nodes are left out. A test plays the sites in both backends and compares; Chromium is right.
 */
import type { AxNode, AxProperty, PlacedNode } from '../observation/nodes.ts';
import { closest, collapsed, FastText, isTextField, type FastDocument, type FastElement } from './document.ts';

const ROLES: Readonly<Record<string, string>> = {
  a: 'link',
  button: 'button',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  header: 'banner',
  footer: 'contentinfo',
  main: 'main',
  nav: 'navigation',
  aside: 'complementary',
  article: 'article',
  form: 'generic',
  p: 'paragraph',
  ul: 'list',
  ol: 'list',
  li: 'listitem',
  table: 'table',
  thead: 'rowgroup',
  tr: 'row',
  td: 'cell',
  fieldset: 'group',
  legend: 'Legend',
  label: 'LabelText',
  strong: 'strong',
  textarea: 'textbox',
};
const NAMED_BY_CONTENT = new Set(['link', 'button', 'heading', 'cell', 'columnheader', 'rowheader']);
const UNSEEN = new Set(['head', 'title', 'meta', 'style', 'script']);
/** Elements that stand within a line: their texts join without a blank. */
const INLINE = new Set(['a', 'span', 'strong', 'label', 'input', 'button', 'textarea', 'svg']);

/** The tree as Chromium would send it, root first; every node stands for the element or text of its number. */
export function accessibilityNodes(document: FastDocument, url: string): PlacedNode[] {
  const nodes: { node: AxNode & { childIds: string[] }; box: undefined }[] = [];
  const add = (
    number: number,
    role: string,
    name: string,
    properties: readonly AxProperty[],
    parent?: { childIds: string[] },
  ) => {
    const node = {
      nodeId: String(number),
      role: { value: role },
      name: { value: name },
      properties,
      childIds: [] as string[],
      backendDOMNodeId: number,
    };
    parent?.childIds.push(node.nodeId);
    nodes.push({ node, box: undefined });
    return node;
  };
  const root = add(0, 'RootWebArea', document.title, [
    property('focusable', true),
    property('focused', true),
    property('url', url),
  ]);
  const walk = (node: FastElement | FastText, parent: { childIds: string[] }): void => {
    if (node instanceof FastText) {
      const text = shownText(node);
      if (text !== '') add(node.number, 'StaticText', text, [], parent);
      return;
    }
    if (UNSEEN.has(node.tag) || node.type === 'hidden' || node.attributes['aria-hidden'] === 'true') return;
    // The text beside a box or a button of choice is its name and stands nowhere else.
    if (node.tag === 'label' && isTick(document.byId(node.attributes['for'] ?? ''))) return;
    const role = roleOf(node);
    if (role === undefined) {
      for (const child of node.children) walk(child, parent);
      return;
    }
    const own = add(node.number, role, nameOf(document, node, role), propertiesOf(document, node, role), parent);
    if (isTextField(node)) {
      // Typed text stands below its field, line by line.
      const shown = node.type === 'password' ? '•'.repeat(Array.from(node.value).length) : node.value;
      shown.split('\n').forEach((line, at) => {
        if (at > 0) add(typedNumber(node.number, 2 * at - 1), 'LineBreak', '\n', [], own);
        if (line !== '') add(typedNumber(node.number, 2 * at), 'StaticText', line, [], own);
      });
      return;
    }
    for (const child of node.children) walk(child, own);
  };
  walk(document.root, root);
  return nodes;
}

/** Numbers of typed texts, which are no nodes of the document, lie above those of its nodes. */
const TYPED = 1_000_000;
const LINES = 10_000;

function typedNumber(field: number, line: number): number {
  return TYPED + field * LINES + (line % LINES);
}

/** The number of the node of the document behind a node of the tree: a field for the text typed into it. */
export function documentNumber(number: number): number {
  return number < TYPED ? number : Math.floor((number - TYPED) / LINES);
}

function roleOf(element: FastElement): string | undefined {
  const { tag, attributes, type, parent } = element;
  if (attributes['role'] !== undefined) return attributes['role'] === 'img' ? 'image' : attributes['role'];
  if (tag === 'input') return type === 'checkbox' || type === 'radio' ? type : 'textbox';
  if (tag === 'th') return attributes['scope'] === 'row' ? 'rowheader' : 'columnheader';
  if (tag === 'section') return attributes['aria-label'] === undefined ? undefined : 'region';
  // Inside of an article or a section these are parts of it and no landmarks of the page.
  if ((tag === 'aside' || tag === 'header' || tag === 'footer') && parent && closest(parent, isSection)) return undefined;
  return ROLES[tag];
}

function isSection({ tag }: FastElement): boolean {
  return tag === 'article' || tag === 'section' || tag === 'aside' || tag === 'nav';
}

function nameOf(document: FastDocument, element: FastElement, role: string): string {
  const label = element.attributes['aria-label'];
  if (label !== undefined) return label;
  if (role === 'textbox' || role === 'checkbox' || role === 'radio') {
    const labelled = document.labelOf(element);
    return labelled ? contentName(labelled) : (element.attributes['placeholder'] ?? '');
  }
  if (element.tag === 'fieldset') {
    const legend = element.children.find((child) => !(child instanceof FastText) && child.tag === 'legend');
    return legend ? contentName(legend) : '';
  }
  return NAMED_BY_CONTENT.has(role) ? contentName(element) : '';
}

/** A name from what is inside: texts of one line joined as they are, blocks by a blank. */
function contentName(node: FastElement | FastText): string {
  const parts = (one: FastElement | FastText): string => {
    if (one instanceof FastText) return one.text;
    if (one.attributes['aria-hidden'] === 'true' || one.type === 'hidden') return '';
    if (isTextField(one)) return ` ${one.value} `;
    const inner = one.children.map(parts).join('');
    return INLINE.has(one.tag) ? inner : ` ${inner} `;
  };
  return collapsed(parts(node)).trim();
}

/** A text as the page shows it: blanks collapse, and go at the beginning and the end of a block. */
function shownText(node: FastText): string {
  let text = collapsed(node.text);
  if (!hasInline(node, -1)) text = text.trimStart();
  if (!hasInline(node, 1)) text = text.trimEnd();
  return text;
}

/** Does something stand before (-1) or after (1) a text on its line? */
function hasInline(node: FastElement | FastText, side: -1 | 1): boolean {
  const { parent } = node;
  if (!parent) return false;
  const next = parent.children[parent.children.indexOf(node) + side];
  if (next) return next instanceof FastText || INLINE.has(next.tag);
  return INLINE.has(parent.tag) && hasInline(parent, side);
}

function propertiesOf({ focused }: FastDocument, element: FastElement, role: string): AxProperty[] {
  const properties: AxProperty[] = [];
  if (element === focused) properties.push(property('focused', true));
  if (role === 'textbox' || role === 'columnheader' || role === 'rowheader') properties.push(property('required', false));
  if (role === 'checkbox' || role === 'radio') properties.push(property('checked', element.checked ? 'true' : 'false'));
  if (role === 'status') {
    properties.push(property('live', 'polite'), property('atomic', true), property('relevant', 'additions text'));
  }
  return properties;
}

function isTick(control: FastElement | undefined): boolean {
  return control?.type === 'checkbox' || control?.type === 'radio';
}

function property(name: string, value: unknown): AxProperty {
  return { name, value: { value } };
}
