/**
 * The observation that the shipped sites use by default: WebArena's text without what depends on layout, fonts or a browser's history,
 * so that a page reads the same in every backend. Text boxes of lines are left out, addresses of links too (Chromium of 2023 did not print
 * them), and nodes are numbered from 1 in reading order.
 */
import { treeLines, type TreeLine, type TreeOptions } from './accessibility-tree.ts';
import type { ObservedNode, PlacedNode, TreeText } from './nodes.ts';
import { LOOK_BACK } from './repeated-text.ts';

const HIDDEN_PROPERTIES = new Set(['url']);

export function plainTree(placed: readonly PlacedNode[], options: TreeOptions = {}): TreeText {
  const kept = placed.flatMap(({ node, box }) => {
    if (node.role?.value === 'InlineTextBox') return [];
    const properties = node.properties?.filter(({ name }) => !HIDDEN_PROPERTIES.has(name)) ?? [];
    return [{ node: { ...node, properties }, box }];
  });
  const nodes = new Map<string, ObservedNode>();
  const lines = withoutRepeats(treeLines(kept, options)).map(({ depth, says, element }, at) => {
    const id = String(at + 1);
    const text = `[${id}] ${says}`;
    if (element) nodes.set(id, { ...element, text });
    return '\t'.repeat(depth) + text;
  });
  return { text: lines.join('\n'), nodes };
}

/** The original's rule without its slip: there a text is also left out where an id nearby happens to hold it. */
function withoutRepeats(lines: readonly TreeLine[]): TreeLine[] {
  const kept: TreeLine[] = [];
  for (const line of lines) {
    const text = /^StaticText .(.*).$/s.exec(line.says)?.[1];
    const repeated = text !== undefined && (text === '' || kept.slice(-LOOK_BACK).some(({ says }) => says.includes(text)));
    if (!repeated) kept.push(line);
  }
  return kept;
}
