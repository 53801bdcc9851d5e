/** The project's sources as syntax trees, and the comments that stand before things. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Source files below a folder of `src`, sorted, without tests. */
export function sourcesIn(folder: string): ts.SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\./.test(name))
    .sort()
    .map((name) => parse(`${folder}/${name}`));
}

const parsed = new Map<string, ts.SourceFile>();

export function parse(file: string): ts.SourceFile {
  let made = parsed.get(file);
  if (!made)
    parsed.set(file, (made = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2023, true)));
  return made;
}

export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** As it is written: a name at once, and no other node's text is looked for where it is known. */
export function wordsOf(node: ts.Node): string {
  return ts.isIdentifier(node) ? node.text : node.getText();
}

/** The doc comment before a node as one line of text, without its tags; '' where there is none. */
export function commentOf(node: ts.Node): string {
  return docOf(node).replaceAll(/\s+/g, ' ').trim();
}

/** The doc comment before a node, line by line, up to its first tag. */
export function docOf(node: ts.Node): string {
  const text = node.getSourceFile().text;
  const last = ts
    .getLeadingCommentRanges(text, node.pos)
    ?.map(({ pos, end }) => text.slice(pos, end))
    .filter((comment) => comment.startsWith('/**'))
    .at(-1);
  if (last === undefined) return '';
  const inner = last.slice(3, -2).split('\n');
  const lines = inner.map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const tag = lines.findIndex((line) => /^\s*@/.test(line));
  return (tag < 0 ? lines : lines.slice(0, tag)).join('\n').trim();
}

/** In a cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
}

/** The code behind `@example` in the doc comment before a node. */
export function exampleOf(node: ts.Node): string {
  const text = node.getSourceFile().text;
  const comment = ts
    .getLeadingCommentRanges(text, node.pos)
    ?.map(({ pos, end }) => text.slice(pos, end))
    .filter((one) => one.startsWith('/**'))
    .at(-1);
  const [, code = ''] = /@example\n([\s\S]*?)(?=\n\s*\* @|\*\/$)/.exec(comment ?? '') ?? [];
  return code
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .filter((line) => !line.startsWith('```'))
    .join('\n')
    .trim();
}
