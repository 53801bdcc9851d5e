/** The text of a page against the original's own procedure (processors.py), written out step by step, over random trees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonRepr } from '../../../core/python/repr.ts';
import { pythonText } from '../../../core/python/text.ts';
import { accessibilityTree } from './accessibility-tree.ts';
import type { AxNode, Box, PlacedNode, Viewport } from './nodes.ts';
import { plainTree } from './plain.ts';
import { withoutRepeatedText } from './repeated-text.ts';
import { isSeen } from './viewport.ts';

const viewport: Viewport = { width: 1280, height: 720 };
const ignored = ['focusable', 'editable', 'readonly', 'level', 'settable', 'multiline', 'invalid'];
const empty = 'generic img list strong paragraph banner navigation Section LabelText Legend listitem'.split(' ');

interface Held {
  readonly node: AxNode;
  readonly box: Box | undefined;
  parentId: string | undefined;
  childIds: string[];
}

/** Removes what is out of sight from the graph, one node after the other; its children take its place. */
function filtered(placed: readonly PlacedNode[]): Held[] {
  const held = placed.map(({ node, box }): Held => ({
    node,
    box,
    parentId: node.parentId,
    childIds: [...(node.childIds ?? [])],
  }));
  const byId = new Map(held.map((one) => [one.node.nodeId, one]));
  for (const one of held) {
    if (isSeen(one.box, viewport)) continue;
    const parent = byId.get(one.parentId ?? '');
    if (!parent) continue;
    parent.childIds.splice(parent.childIds.indexOf(one.node.nodeId), 1, ...one.childIds);
    for (const child of one.childIds) {
      const found = byId.get(child);
      if (found) found.parentId = one.parentId;
    }
    one.parentId = '[REMOVED]';
  }
  return held.filter(({ parentId }) => parentId !== '[REMOVED]');
}

function original(placed: readonly PlacedNode[], filter: boolean): string {
  const held = filter
    ? filtered(placed)
    : placed.map(({ node, box }): Held => ({ node, box, parentId: node.parentId, childIds: [...(node.childIds ?? [])] }));
  const byId = new Map(held.map((one) => [one.node.nodeId, one]));
  const walk = (one: Held, depth: number): string => {
    const { role, name, properties = [], nodeId, backendDOMNodeId } = one.node;
    let text = '';
    let valid = false;
    if (typeof role?.value === 'string' && typeof name?.value === 'string') {
      const said = properties
        .filter((property) => !ignored.includes(property.name) && property.value.value !== undefined)
        .map((property) => `${property.name}: ${pythonText(property.value.value)}`);
      valid = true;
      if (name.value.trim() === '') {
        if (said.length === 0) valid = !empty.includes(role.value);
        else if (role.value === 'listitem') valid = false;
      }
      if (valid) text = `${'\t'.repeat(depth)}[${nodeId}] ${[`${role.value} ${pythonRepr(name.value)}`, ...said].join(' ')}`;
      // The line is there before the element behind it is asked for, and that fails where there is none.
      if (backendDOMNodeId === undefined) valid = false;
    }
    for (const child of one.childIds) {
      const found = byId.get(child);
      if (!found) continue;
      const below = walk(found, valid ? depth + 1 : depth);
      if (below.trim() === '') continue;
      if (text.trim() !== '') text += '\n';
      text += below;
    }
    return text;
  };
  const [root] = held;
  return root ? cleaned(walk(root, 0)) : '';
}

function cleaned(tree: string): string {
  const lines: string[] = [];
  for (const line of tree.split('\n')) {
    if (!line.toLowerCase().includes('statictext')) lines.push(line);
    else {
      const text = /\[\d+\] StaticText (.+)/s.exec(line)?.[1]?.slice(1, -1);
      if (text !== undefined && text !== '' && lines.slice(-3).every((above) => !above.includes(text))) lines.push(line);
    }
  }
  return lines.join('\n');
}

const seen: Box = { x: 0, y: 0, width: 100, height: 20 };
const box = fc.constantFrom<Box | undefined>(
  seen,
  seen,
  undefined,
  { x: 0, y: 0, width: 0, height: 5 },
  { x: 0, y: 5000, width: 100, height: 20 },
  { x: 0, y: 715, width: 100, height: 20 },
  { x: 1279.5, y: 0, width: 100, height: 1 },
);
const node = fc.record({
  role: fc.constantFrom('generic', 'link', 'StaticText', 'StaticText', 'listitem', 'button', 'paragraph', undefined),
  name: fc.constantFrom('', ' ', 'Orders', "It's new", 'a\nb', 'StaticText', '12'),
  properties: fc.array(
    fc.constantFrom(
      { name: 'focused', value: { value: true } },
      { name: 'level', value: { value: 2 } },
      { name: 'url', value: { value: 'http://a' } },
      { name: 'checked', value: {} },
      { name: 'required', value: { value: false } },
    ),
    { maxLength: 2 },
  ),
  element: fc.boolean().map((missing) => !missing),
  box,
  parent: fc.nat(),
});

/** A tree in which every node's parent stands before it, as Chromium lists them. */
const page = fc.array(node, { minLength: 1, maxLength: 12 }).map((drawn): PlacedNode[] => {
  const parents = drawn.map(({ parent }, at) => (at === 0 ? -1 : parent % at));
  return drawn.map(({ role, name, properties, element, box: place }, at) => ({
    node: {
      nodeId: String(at + 1),
      ...(role !== undefined && { role: { value: at === 0 ? 'RootWebArea' : role } }),
      name: { value: name },
      properties,
      childIds: parents.flatMap((parent, child) => (parent === at ? [String(child + 1)] : [])),
      ...(at > 0 && { parentId: String((parents[at] ?? 0) + 1) }),
      ...((element || at === 0) && { backendDOMNodeId: 100 + at }),
    },
    box: at === 0 ? seen : place,
  }));
});

describe('the accessibility tree', () => {
  it('reads as the original’s, the whole page and the part in sight', () => {
    fc.assert(
      fc.property(page, (placed) => {
        expect(accessibilityTree(placed).text).toBe(original(placed, false));
        expect(accessibilityTree(placed, { viewport }).text).toBe(original(placed, true));
      }),
      { seed: 1, numRuns: 400 },
    );
  });
  it('names only lines that have an element, each by its own text', () => {
    fc.assert(
      fc.property(page, (placed) => {
        const { nodes } = accessibilityTree(placed);
        for (const [id, { text, backendNodeId }] of nodes) {
          expect(text.startsWith(`[${id}] `)).toBe(true);
          expect(backendNodeId).toBe(99 + Number(id));
        }
      }),
      { seed: 2, numRuns: 50 },
    );
  });
});

describe('the text for the shipped sites', () => {
  it('numbers its lines from 1 and has no addresses', () => {
    fc.assert(
      fc.property(page, (placed) => {
        const lines = plainTree(placed).text.split('\n').filter(Boolean);
        lines.forEach((line, at) => expect(line.trim().startsWith(`[${at + 1}] `)).toBe(true));
        expect(lines.join('\n')).not.toContain('url: ');
      }),
      { seed: 3, numRuns: 50 },
    );
  });
});

describe('texts that were just said', () => {
  it.each([
    ['in the line above', "[1] link 'Orders'\n\t[2] StaticText 'Orders'", "[1] link 'Orders'"],
    ['three lines above', "[1] a 'x'\n[2] b ''\n[3] c ''\n[4] StaticText 'x'", "[1] a 'x'\n[2] b ''\n[3] c ''"],
    ['four lines above', "[1] a 'x'\n[2] b ''\n[3] c ''\n[4] d ''\n[5] StaticText 'x'", undefined],
    ['as part of a longer one', "[1] link 'My Orders'\n[2] StaticText 'Orders'", "[1] link 'My Orders'"],
    ['in an id nearby', "[12] link 'a'\n[3] StaticText '12'", "[12] link 'a'"],
    ['nothing', "[1] StaticText ''", ''],
    ['a node that only speaks of StaticText', "[1] button 'statictext'", ''],
  ])('%s', (_, tree, left) => expect(withoutRepeatedText(tree)).toBe(left ?? tree));
});

describe('what is in sight', () => {
  it.each<[string, Box | undefined, boolean]>([
    ['all of it', { x: 0, y: 0, width: 10, height: 10 }, true],
    ['no box', undefined, false],
    ['no width', { x: 0, y: 0, width: 0, height: 10 }, false],
    ['above', { x: 0, y: -100, width: 10, height: 10 }, false],
    ['right of it', { x: 1280, y: 0, width: 10, height: 10 }, false],
    // The original multiplies by the height where it should divide: a strip of a pixel is enough of a tall box.
    ['a strip of a tall box', { x: 0, y: 719.99, width: 10, height: 100 }, true],
    ['half of a flat box', { x: 0, y: 719.5, width: 10, height: 1 }, false],
  ])('%s', (_, place, shown) => expect(isSeen(place, viewport)).toBe(shown));
});
