/** What the entries of the package export, each with its declaration and the doc comment that stands where it is declared. */
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { declarationText } from './declarations.ts';
import { writtenExamples } from './examples.ts';
import { docOf, exampleOf, parse } from './source.ts';

export interface Exported {
  readonly entry: string;
  readonly name: string;
  readonly type: boolean;
  readonly file: string;
  readonly doc: string;
  /** How it is declared, without bodies and private parts. */
  readonly declaration: string;
  /** The declarations of the types that it names, as far as they are the project's, by name; theirs too. */
  readonly named: ReadonlyMap<string, string>;
  /** The code behind `@example`, or of its example in examples/reference; '' where there is none. */
  readonly example: string;
}

export const entries: readonly (readonly [string, string])[] = [
  ['agoge', 'src/entry/index.ts'],
  ['agoge/envs', 'src/entry/envs.ts'],
  ['agoge/engine', 'src/entry/engine.ts'],
  ['agoge/learn', 'src/entry/learn.ts'],
  ['agoge/data', 'src/entry/data.ts'],
  ['agoge/browser', 'src/entry/browser.ts'],
];

export function exportsOf(entry: string, file: string): Exported[] {
  return parse(file).statements.flatMap((statement): Exported[] => {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier))
      return [];
    const from = normalize(join(dirname(file), statement.moduleSpecifier.text)).replaceAll('\\', '/');
    const declared = declarationsIn(from);
    const { exportClause } = statement;
    const names =
      exportClause && ts.isNamedExports(exportClause)
        ? exportClause.elements.map((one) => (one.propertyName ?? one.name).text)
        : [...declared.keys()];
    return names.map((name) => exportedFrom(entry, from, name, declared.get(name) ?? []));
  });
}

/** Types that a piece of code of a file names: declared there, or imported from a file of the project. */
function typesNamed(file: string, code: string, seen: Set<string>): Map<string, string> {
  const found = new Map<string, string>();
  const plain = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll(/'[^']*'/g, "''");
  for (const name of new Set(plain.match(/\b[A-Z]\w*\b/g) ?? [])) {
    const place = seen.has(name) ? undefined : declaredAt(file, name);
    if (!place) continue;
    seen.add(name);
    const text = declarationText([place.node], name);
    found.set(name, text);
    for (const [other, its] of typesNamed(place.file, text, seen)) found.set(other, its);
  }
  return found;
}

function declaredAt(file: string, name: string): { file: string; node: ts.Node } | undefined {
  for (const statement of parse(file).statements) {
    if ((ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name)
      return { file, node: statement };
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bound = statement.importClause?.namedBindings;
    const taken = bound && ts.isNamedImports(bound) ? bound.elements.find((one) => one.name.text === name) : undefined;
    const path = statement.moduleSpecifier.text;
    if (taken && path.startsWith('.'))
      return declaredAt(normalize(join(dirname(file), path)).replaceAll('\\', '/'), (taken.propertyName ?? taken.name).text);
  }
  return undefined;
}

function exportedFrom(entry: string, file: string, name: string, nodes: readonly ts.Node[]): Exported {
  const [node] = nodes;
  return {
    entry,
    name,
    file,
    type: node !== undefined && (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)),
    doc: node ? docOf(node) : '',
    declaration: declarationText(nodes, name),
    named: typesNamed(file, declarationText(nodes, name), new Set([name])),
    example: (node ? exampleOf(node) : '') || (writtenExamples().get(name) ?? ''),
  };
}

/** What a file exports, by name; of overloads all. */
function declarationsIn(file: string): ReadonlyMap<string, ts.Node[]> {
  const found = new Map<string, ts.Node[]>();
  const add = (name: string, node: ts.Node): void => void found.set(name, [...(found.get(name) ?? []), node]);
  for (const statement of parse(file).statements) {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) add(name.getText(), statement);
    else if ('name' in statement && statement.name) add((statement.name as ts.Identifier).text, statement);
  }
  return found;
}
