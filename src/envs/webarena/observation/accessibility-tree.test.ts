import { describe, expect, it } from 'vitest';
import { accessibilityTree } from './accessibility-tree.ts';
import type { AxNode, Box, PlacedNode } from './nodes.ts';
import { tabLine } from './tabs.ts';

const VIEWPORT = { width: 1280, height: 720 };
const HERE: Box = { x: 0, y: 0, width: 100, height: 20 };

function node(nodeId: string, role: string, name: string, rest: Partial<AxNode> = {}, box: Box | undefined = HERE): PlacedNode {
  const known = { role: { value: role }, name: { value: name }, backendDOMNodeId: Number(nodeId) };
  return { node: { nodeId, ...known, childIds: [], ...rest }, box };
}

describe('the text of a page', () => {
  const page = [
    node('1', 'RootWebArea', 'Shop', { childIds: ['2', '3', '6'] }),
    node('2', 'heading', "It's new", { parentId: '1', properties: [{ name: 'level', value: { value: 1 } }] }),
    node('3', 'generic', '', { parentId: '1', childIds: ['4'] }),
    node('4', 'link', 'Orders', { parentId: '3', childIds: ['5'], properties: [{ name: 'focused', value: { value: true } }] }),
    node('5', 'StaticText', 'Orders', { parentId: '4' }),
    node('6', 'paragraph', 'below', { parentId: '1', childIds: ['7'] }, { x: 0, y: 900, width: 10, height: 10 }),
    node('7', 'StaticText', 'seen', { parentId: '6' }),
  ];

  it('has a line per node, without empty ones and repeated texts', () => {
    expect(accessibilityTree(page).text.split('\n')).toEqual([
      "[1] RootWebArea 'Shop'",
      `\t[2] heading "It's new"`,
      "\t[4] link 'Orders' focused: True",
      "\t[6] paragraph 'below'",
      "\t\t[7] StaticText 'seen'",
    ]);
  });

  it('shows what is in the viewport, with the children of what is not', () => {
    const { text, nodes } = accessibilityTree(page, { viewport: VIEWPORT });
    expect(text).toContain("\n\t[7] StaticText 'seen'");
    expect(text).not.toContain('below');
    expect(nodes.get('4')).toEqual({ box: HERE, backendNodeId: 4, text: "[4] link 'Orders' focused: True" });
  });

  it('survives a tree deeper than the stack', () => {
    const deep = Array.from({ length: 20_000 }, (_, at) =>
      node(String(at + 1), 'generic', '', { childIds: [String(at + 2)], ...(at > 0 && { parentId: String(at) }) }),
    );
    expect(accessibilityTree(deep, { viewport: VIEWPORT }).text).toBe('');
  });

  it('begins with the tabs', () => {
    expect(tabLine(['Shop', 'Map'], 1)).toBe('Tab 0: Shop | Tab 1 (current): Map');
  });
});
