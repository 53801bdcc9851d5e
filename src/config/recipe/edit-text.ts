/** Edits of keys in a recipe's own text: comments, order and quotes of everything else stay. */
import { isMap, parseDocument, type Document } from 'yaml';
import type { Edit } from './upgrade-rules.ts';

/** The text with the edits made; itself where there are none. */
export function editText(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const document = parseDocument(text);
  for (const { key, value } of edits) {
    if (value !== undefined) set(document, key, value);
    else if (document.hasIn(key)) document.deleteIn(key);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** `stop:` without anything behind it is a group as well. */
function set(document: Document, key: readonly string[], value: unknown): void {
  const parent = key.slice(0, -1);
  if (parent.length > 0 && document.hasIn(parent) && !isMap(document.getIn(parent)))
    document.setIn(parent, document.createNode({ [key.at(-1) ?? '']: value }));
  else document.setIn(key, value);
}
