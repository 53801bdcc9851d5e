/** Which nodes of a page are seen, by WebArena's rule: a node out of sight goes, and its children move up to its parent. */
import type { Box, PlacedNode, Viewport } from './nodes.ts';

const LEAST_SHARE = 0.6;

/** A node of a tree whose edges may change while nodes are taken out. */
export interface TreeNode {
  readonly placed: PlacedNode;
  parent: string | undefined;
  children: string[];
}

/** The tree by id. Chromium repeats some nodes; the first one counts. */
export function treeOf(nodes: readonly PlacedNode[]): Map<string, TreeNode> {
  const tree = new Map<string, TreeNode>();
  for (const placed of nodes) {
    const { nodeId, parentId, childIds = [] } = placed.node;
    if (!tree.has(nodeId)) tree.set(nodeId, { placed, parent: parentId, children: [...childIds] });
  }
  return tree;
}

export function removeUnseen(tree: Map<string, TreeNode>, viewport: Viewport): void {
  for (const [id, node] of [...tree]) if (!isSeen(node.placed.box, viewport)) spliceOut(tree, id, node);
}

export function isSeen(box: Box | undefined, viewport: Viewport): boolean {
  if (!box || box.width === 0 || box.height === 0) return false;
  const width = Math.max(0, Math.min(box.x + box.width, viewport.width) - Math.max(box.x, 0));
  const height = Math.max(0, Math.min(box.y + box.height, viewport.height) - Math.max(box.y, 0));
  // The original divides by the width and multiplies by the height; results depend on it.
  return ((width * height) / box.width) * box.height >= LEAST_SHARE;
}

function spliceOut(tree: Map<string, TreeNode>, id: string, { parent, children }: TreeNode): void {
  const above = parent === undefined ? undefined : tree.get(parent);
  // The root has nothing to move its children to and stays.
  if (!above) return;
  const place = above.children.indexOf(id);
  if (place >= 0) above.children.splice(place, 1, ...children);
  for (const child of children) {
    const below = tree.get(child);
    if (below) below.parent = parent;
  }
  tree.delete(id);
}
