/** The accessibility nodes of a page with their boxes, asked of Chromium in few round trips: two would be too many for each node. */
import type { CDPSession } from 'playwright-core';
import type { DomSnapshot } from '../observation/dom-text.ts';
import type { AxNode, Box, PlacedNode } from '../observation/nodes.ts';

/** The root is always in sight. */
const ROOT_BOX: Box = { x: 0, y: 0, width: 10, height: 10 };
const GROUP = 'agoge-nodes';
/** Nodes that are asked for at once; whoever waits may give up in between. */
const BATCH = 1000;

/** Every element and text of the page. It also gives all of them their ids in the order of the document, as the original does. */
export async function takeSnapshot(client: CDPSession): Promise<DomSnapshot> {
  const parameters = { computedStyles: [], includeDOMRects: true, includePaintOrder: true };
  return (await client.send('DOMSnapshot.captureSnapshot', parameters)) as unknown as DomSnapshot;
}

/** The nodes alone, for texts that do not ask where something is. */
export async function unplacedNodes(client: CDPSession): Promise<PlacedNode[]> {
  return (await fullTree(client)).map((node) => ({ node, box: undefined }));
}

export async function accessibilityNodes(client: CDPSession, signal: AbortSignal): Promise<PlacedNode[]> {
  const nodes = await fullTree(client);
  const ids = nodes.flatMap(({ backendDOMNodeId: id, role }) => (id === undefined || role?.value === 'RootWebArea' ? [] : [id]));
  const boxes = await boxesOf(client, ids, signal);
  return nodes.map((node) => {
    if (node.backendDOMNodeId === undefined) return { node, box: undefined };
    return { node, box: node.role?.value === 'RootWebArea' ? ROOT_BOX : boxes.get(node.backendDOMNodeId) };
  });
}

async function fullTree(client: CDPSession): Promise<readonly AxNode[]> {
  const { nodes } = (await client.send('Accessibility.getFullAXTree', {})) as unknown as { readonly nodes: readonly AxNode[] };
  return nodes;
}

/** Boxes by backend id; what has none (a node that went away, a comment) is left out. */
export async function boxesOf(
  client: CDPSession,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Box>> {
  const unique = [...new Set(ids)];
  const boxes = new Map<number, Box>();
  for (let start = 0; start < unique.length; start += BATCH) {
    signal.throwIfAborted();
    for (const [id, box] of await measured(client, unique.slice(start, start + BATCH))) boxes.set(id, box);
  }
  return boxes;
}

async function measured(client: CDPSession, ids: readonly number[]): Promise<readonly (readonly [number, Box])[]> {
  const objects = await Promise.all(ids.map((id) => objectOf(client, id)));
  const found = ids.flatMap((id, at) => {
    const objectId = objects[at];
    return objectId === undefined ? [] : [{ id, objectId }];
  });
  const first = found[0];
  if (!first) return [];
  try {
    const { result } = await client.send('Runtime.callFunctionOn', {
      objectId: first.objectId,
      functionDeclaration: MEASURE,
      arguments: found.map(({ objectId }) => ({ objectId })),
      returnByValue: true,
    });
    const all = result.value as readonly (readonly number[] | null)[];
    return found.flatMap(({ id }, at) => {
      const [x, y, width, height] = all[at] ?? [];
      if (x === undefined || y === undefined || width === undefined || height === undefined) return [];
      return [[id, { x, y, width, height }] as const];
    });
  } finally {
    await client.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

async function objectOf(client: CDPSession, backendNodeId: number): Promise<string | undefined> {
  try {
    const { object } = await client.send('DOM.resolveNode', { backendNodeId, objectGroup: GROUP });
    return object.objectId;
  } catch {
    return undefined;
  }
}

/** Runs in the page. A text is measured by a range around it. */
const MEASURE = `function (...nodes) {
  return nodes.map((node) => {
    try {
      let box;
      if (node.nodeType === 3) {
        const range = document.createRange();
        range.selectNode(node);
        box = range.getBoundingClientRect();
      } else box = node.getBoundingClientRect();
      return [box.x, box.y, box.width, box.height];
    } catch {
      return null;
    }
  });
}`;
