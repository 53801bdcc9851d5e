/** WebArena's text of a page: one line per node of the accessibility tree, `[id] role 'name' property: value`, indented by tabs. */
import { pythonRepr } from '../../../core/python/repr.ts';
import { pythonStrip } from '../../../core/python/strings.ts';
import { pythonText } from '../../../core/python/text.ts';
import type { AxNode, Box, ObservedNode, PlacedNode, TreeText, Viewport } from './nodes.ts';
import { withoutRepeatedText } from './repeated-text.ts';
import { isSeen } from './viewport.ts';

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

/** A line of the text: a node that is shown, how deep it stands, and what it says after its id. */
export interface TreeLine {
  readonly id: string;
  readonly depth: number;
  readonly says: string;
  /** The node as an action can name it; absent where no element is behind it. */
  readonly element?: { readonly box: Box | undefined; readonly backendNodeId: number };
}

/** The text of a page without its tab line. The first node is the root. */
export function accessibilityTree(placed: readonly PlacedNode[], options: TreeOptions = {}): TreeText {
  const lines = treeLines(placed, options);
  const nodes = new Map<string, ObservedNode>();
  for (const { id, says, element } of lines) if (element) nodes.set(id, { ...element, text: `[${id}] ${says}` });
  const text = lines.map(({ id, depth, says }) => `${'\t'.repeat(depth)}[${id}] ${says}`).join('\n');
  return { text: withoutRepeatedText(text), nodes };
}

/** The nodes that are shown, in reading order, before repeated texts are left out. */
export function treeLines(placed: readonly PlacedNode[], { viewport }: TreeOptions = {}): TreeLine[] {
  const tree = new Map<string, PlacedNode>();
  // Chromium repeats some nodes; the first one counts.
  for (const one of placed) if (!tree.has(one.node.nodeId)) tree.set(one.node.nodeId, one);
  const lines: TreeLine[] = [];
  const root = placed[0]?.node.nodeId;
  const waiting = root === undefined ? [] : [{ id: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth } = next;
    const here = tree.get(id);
    if (!here) continue;
    const { node, box } = here;
    // A node out of sight is not shown; its children stand where it stood.
    const says = viewport && !isSeen(box, viewport) ? undefined : wordsOf(node);
    // A line without an element behind it is shown, but cannot be acted on and does not indent what follows.
    const backendNodeId = says === undefined ? undefined : node.backendDOMNodeId;
    const element = backendNodeId === undefined ? undefined : { box, backendNodeId };
    if (says !== undefined) lines.push({ id, depth, says, ...(element && { element }) });
    const below = element ? depth + 1 : depth;
    for (const child of node.childIds?.toReversed() ?? []) waiting.push({ id: child, depth: below });
  }
  return lines;
}

/** What a node's line says, or undefined where it says nothing. */
function wordsOf({ role, name, properties = [] }: AxNode): string | undefined {
  const roleText = role?.value;
  const nameText = name?.value;
  if (roleText === undefined || typeof nameText !== 'string') return undefined;
  const shown = properties.flatMap(({ name: property, value }) =>
    IGNORED_PROPERTIES.has(property) || value.value === undefined ? [] : [`${property}: ${pythonText(value.value)}`],
  );
  if (pythonStrip(nameText) === '') {
    if (roleText === 'listitem' || (shown.length === 0 && typeof roleText === 'string' && EMPTY_ROLES.has(roleText)))
      return undefined;
  }
  return [`${pythonText(roleText)} ${pythonRepr(nameText)}`, ...shown].join(' ');
}
