/** WebArena's other text of a page: one line per element and text, `[number] <NAME attributes> value`, from Chromium's DOM snapshot. */
import { pythonWords } from '../../../core/python/strings.ts';
import type { Box, ObservedNode, TreeText, Viewport } from './nodes.ts';
import { isSeen } from './viewport.ts';

export interface DomSnapshot {
  readonly strings: readonly string[];
  readonly documents: readonly {
    readonly nodes: {
      readonly parentIndex: readonly number[];
      readonly nodeName: readonly number[];
      readonly nodeValue: readonly number[];
      readonly backendNodeId: readonly number[];
      readonly attributes: readonly (readonly number[])[];
    };
  }[];
}

interface DomNode {
  readonly name: string;
  readonly attributes: string;
  readonly value: string;
  readonly backendNodeId: number;
  readonly box: Box | undefined;
  readonly parent: number;
  readonly children: number[];
}

export interface DomTextOptions {
  readonly viewport?: Viewport | undefined;
}

const ROOT_BOX: Box = { x: 0, y: 0, width: 10, height: 10 };

export function domText(snapshot: DomSnapshot, boxes: ReadonlyMap<number, Box>, { viewport }: DomTextOptions = {}): TreeText {
  const all = nodesOf(snapshot, boxes);
  const seen = (node: DomNode): boolean => !viewport || node.parent < 0 || isSeen(node.box, viewport);
  // Elements are numbered by what is left of them.
  const numbers = new Map(all.flatMap((node, index) => (seen(node) ? [index] : [])).map((index, number) => [index, number]));
  const nodes = new Map<string, ObservedNode>();
  let text = '';
  const waiting = [{ index: 0, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { index, depth } = next;
    const node = all[index];
    if (!node) continue;
    const number = numbers.get(index);
    const shown = number !== undefined && (node.attributes !== '' || node.value !== '');
    if (shown) {
      const line = `[${number}] <${node.name}${node.attributes === '' ? '' : ` ${node.attributes}`}> ${node.value}`;
      nodes.set(String(number), { box: node.box, backendNodeId: node.backendNodeId, text: line });
      text += `${'\t'.repeat(depth)}${line}\n`;
    }
    const below = shown ? depth + 1 : depth;
    for (const child of node.children.toReversed()) waiting.push({ index: child, depth: below });
  }
  return { text, nodes };
}

function nodesOf({ strings, documents }: DomSnapshot, boxes: ReadonlyMap<number, Box>): DomNode[] {
  const nodes = documents[0]?.nodes;
  if (!nodes) return [];
  const string = (index: number | undefined): string => (index === undefined ? '' : (strings[index] ?? ''));
  const all = nodes.nodeName.map((name, index): DomNode => {
    const attributes = nodes.attributes[index] ?? [];
    const pairs = Array.from({ length: attributes.length / 2 }, (_, at) => {
      return `${string(attributes[2 * at])}="${pythonWords(string(attributes[2 * at + 1])).join(' ')}"`;
    });
    const parent = nodes.parentIndex[index] ?? -1;
    const backendNodeId = nodes.backendNodeId[index] ?? 0;
    const value = pythonWords(string(nodes.nodeValue[index])).join(' ');
    const box = parent < 0 ? ROOT_BOX : boxes.get(backendNodeId);
    return { name: string(name), attributes: pairs.join(' '), value, backendNodeId, box, parent, children: [] };
  });
  for (const [index, node] of all.entries()) all[node.parent]?.children.push(index);
  return all;
}
