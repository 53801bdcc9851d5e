/**
 * A document that can be acted on: the tree of a page with the state that people give it (what is typed, ticked and focused).
 * It has no layout; where things stand is Chromium's business.
 */
import type { Element, Node } from '../sites/html.ts';

export class FastElement {
  readonly children: (FastElement | FastText)[] = [];
  /** Text of a field, as typed so far. */
  value: string;
  checked: boolean;

  constructor(
    readonly tag: string,
    readonly attributes: Readonly<Record<string, string>>,
    readonly parent: FastElement | undefined,
    readonly number: number,
  ) {
    this.value = attributes['value'] ?? '';
    this.checked = 'checked' in attributes;
  }

  get type(): string {
    return this.attributes['type'] ?? (this.tag === 'button' ? 'submit' : 'text');
  }
}

export class FastText {
  constructor(
    readonly text: string,
    readonly parent: FastElement,
    readonly number: number,
  ) {}
}

export class FastDocument {
  readonly root: FastElement;
  readonly title: string;
  private readonly all: (FastElement | FastText)[] = [];
  private readonly list: FastElement[] = [];
  private readonly ids = new Map<string, FastElement>();
  private readonly labels = new Map<string, FastElement>();
  focused: FastElement | undefined;
  /** Is the whole text of the focused field selected? */
  selected = false;

  constructor(tree: Element) {
    this.root = this.built(tree, undefined);
    const title = this.elements().find(({ tag }) => tag === 'title');
    this.title = title ? collapsed(textOf(title)).trim() : '';
  }

  /** Every element, in the order of the page. */
  elements(): readonly FastElement[] {
    return this.list;
  }

  node(number: number): FastElement | FastText | undefined {
    return this.all[number - 1];
  }

  byId(id: string): FastElement | undefined {
    return this.ids.get(id);
  }

  labelOf(control: FastElement): FastElement | undefined {
    const id = control.attributes['id'];
    return id === undefined ? undefined : this.labels.get(id);
  }

  private built(tree: Element, parent: FastElement | undefined): FastElement {
    const element = new FastElement(tree.tag, tree.attributes, parent, this.all.length + 1);
    this.all.push(element);
    this.list.push(element);
    const { id, for: control } = tree.attributes;
    if (id !== undefined && !this.ids.has(id)) this.ids.set(id, element);
    if (control !== undefined && tree.tag === 'label') this.labels.set(control, element);
    for (const child of tree.children) element.children.push(this.child(child, element));
    if (tree.tag === 'textarea') element.value = textOf(element);
    return element;
  }

  private child(node: Node, parent: FastElement): FastElement | FastText {
    if (typeof node !== 'string') return this.built(node, parent);
    const text = new FastText(node, parent, this.all.length + 1);
    this.all.push(text);
    return text;
  }
}

/** Text of an element and everything in it, as written. */
export function textOf(node: FastElement | FastText): string {
  return node instanceof FastText ? node.text : node.children.map(textOf).join('');
}

/** HTML's white space as one blank. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\r\f]+/g, ' ');
}

/** The nearest element around a node, itself included, that fulfils a condition. */
export function closest(node: FastElement | FastText, wanted: (element: FastElement) => boolean): FastElement | undefined {
  let element: FastElement | undefined = node instanceof FastText ? node.parent : node;
  while (element && !wanted(element)) element = element.parent;
  return element;
}

export function isTextField({ tag, type }: FastElement): boolean {
  return tag === 'textarea' || (tag === 'input' && (type === 'text' || type === 'password'));
}
