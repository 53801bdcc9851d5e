/**
 * The examples in examples/reference, by the export that each is about. A file there is an object of functions; the body of one is the
 * example, with the imports that it needs. So an editor checks them as they are written, and the page shows what
 * tests/docs/snippets.test.ts compiles and runs.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, root, visit } from './source.ts';

const folder = 'examples/reference';
let read: ReadonlyMap<string, string> | undefined;

export function writtenExamples(): ReadonlyMap<string, string> {
  return (read ??= readExamples());
}

function readExamples(): Map<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(join(root, folder))) return found;
  for (const name of readdirSync(join(root, folder)).sort())
    visit(parse(`${folder}/${name}`), (node) => {
      if (!ts.isMethodDeclaration(node) || !node.body || !isOutermost(node)) return;
      const about = node.name.getText();
      if (found.has(about)) throw new Error(`${folder}/${name}: ${about} has an example already: keep one of the two`);
      found.set(about, `${importsOf(node.body)}\n\n${dedented(node.body.getText().slice(1, -1))}`);
    });
  return found;
}

/** The imports of a file, as far as a piece of it uses them. */
function importsOf(body: ts.Block): string {
  const used = new Set<string>();
  visit(body, (node) => {
    const { parent } = node;
    if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(parent) && parent.name === node)) used.add(node.text);
  });
  const lines = body.getSourceFile().statements.flatMap((statement) => {
    const bound = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (!bound || !ts.isNamedImports(bound) || !ts.isImportDeclaration(statement)) return [];
    const names = bound.elements.filter(({ name }) => used.has(name.text)).map((one) => one.getText());
    return names.length > 0 ? [`import { ${names.join(', ')} } from ${statement.moduleSpecifier.getText()};`] : [];
  });
  return lines.join('\n');
}

/** A method of the exported object, not one within an example. */
function isOutermost(node: ts.Node): boolean {
  for (let above = node.parent; !ts.isSourceFile(above); above = above.parent) if (ts.isMethodDeclaration(above)) return false;
  return true;
}

function dedented(code: string): string {
  const lines = code.replace(/^\n/, '').trimEnd().split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
