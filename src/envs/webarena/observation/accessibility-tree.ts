/** WebArena's text of a page: one line per node of the accessibility tree, `[id] role 'name' property: value`, indented by tabs. */
import { pythonRepr, pythonStrip } from '../../textcraft/python.ts';
import { pythonText } from '../python-text.ts';
import type { AxNode, ObservedNode, PlacedNode, TreeText, Viewport } from './nodes.ts';
import { withoutRepeatedText } from './repeated-text.ts';
import { removeUnseen, treeOf } from './viewport.ts';

/** Properties that are true of too many nodes to be worth a word. */
const IGNORED_PROPERTIES = new Set(['focusable', 'editable', 'readonly', 'level', 'settable', 'multiline', 'invalid']);
/** Roles that say nothing without a name or a property. */
const EMPTY_ROLES = new Set([
  'generic',
  'img',
  'list',
  'strong',
  'paragraph',
  'banner',
  'navigation',
  'Section',
  'LabelText',
  'Legend',
  'listitem',
]);

export interface TreeOptions {
  /** Show only what lies in this viewport; without it the whole page is shown. */
  readonly viewport?: Viewport | undefined;
}

/** The text of a page without its tab line. The first node is the root. */
export function accessibilityTree(placed: readonly PlacedNode[], { viewport }: TreeOptions = {}): TreeText {
  const tree = treeOf(placed);
  if (viewport) removeUnseen(tree, viewport);
  const lines: string[] = [];
  const nodes = new Map<string, ObservedNode>();
  const root = placed[0]?.node.nodeId;
  const waiting = root === undefined ? [] : [{ id: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth } = next;
    const here = tree.get(id);
    if (!here) continue;
    const { node, box } = here.placed;
    const text = lineOf(id, node);
    if (text !== undefined) lines.push('\t'.repeat(depth) + text);
    // A line without an element behind it is shown, but cannot be acted on and does not indent what follows.
    const element = text !== undefined && node.backendDOMNodeId !== undefined;
    if (element) nodes.set(id, { box, backendNodeId: node.backendDOMNodeId, text });
    const below = element ? depth + 1 : depth;
    for (const child of here.children.toReversed()) waiting.push({ id: child, depth: below });
  }
  return { text: withoutRepeatedText(lines.join('\n')), nodes };
}

/** A node's line, or undefined where it says nothing. */
function lineOf(id: string, { role, name, properties = [] }: AxNode): string | undefined {
  const roleText = role?.value;
  const nameText = name?.value;
  if (roleText === undefined || typeof nameText !== 'string') return undefined;
  const shown = properties.flatMap(({ name: property, value }) =>
    IGNORED_PROPERTIES.has(property) || value.value === undefined ? [] : [`${property}: ${pythonText(value.value)}`],
  );
  if (pythonStrip(nameText) === '') {
    if (roleText === 'listitem' || (shown.length === 0 && EMPTY_ROLES.has(String(roleText)))) return undefined;
  }
  return [`[${id}] ${pythonText(roleText)} ${pythonRepr(nameText)}`, ...shown].join(' ');
}
