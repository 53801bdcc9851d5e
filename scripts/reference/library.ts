/** What the entries of the package export, each with the doc comment that stands where it is declared. */
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { cell, commentOf, docOf, exampleOf, parse } from './source.ts';

export interface Exported {
  readonly entry: string;
  readonly name: string;
  readonly type: boolean;
  readonly file: string;
  readonly doc: string;
  /** The code behind `@example`, where there is one. */
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
    return names.map((name) => {
      const node = declared.get(name);
      const type = node !== undefined && (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node));
      return { entry, name, type, file: from, doc: node ? docOf(node) : '', example: node ? exampleOf(node) : '' };
    });
  });
}

/** What a file exports, by name; of overloads the first. */
function declarationsIn(file: string): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  const add = (name: string, node: ts.Node): void => {
    if (!found.has(name)) found.set(name, node);
  };
  for (const statement of parse(file).statements) {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) add(name.getText(), statement);
    else if ('name' in statement && statement.name) add((statement.name as ts.Identifier).text, statement);
  }
  return found;
}

export function libraryPage(): string {
  const sections = entries.map(([entry, file]) => {
    const rows = exportsOf(entry, file)
      .sort((a, b) => Number(a.type) - Number(b.type) || (a.name < b.name ? -1 : 1))
      .map(({ name, type, doc }) => `| \`${name}\` | ${type ? 'type' : ''} | ${cell(doc.replaceAll(/\s+/g, ' '))} |`);
    return `## ${entry}\n\n${commentOf(parse(file).statements[0] ?? parse(file)).replace(/^`[^`]*`: /, '')}\n\n| name | | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  const examples = entries
    .flatMap(([entry, file]) => exportsOf(entry, file))
    .filter(({ example, name }, at, all) => example !== '' && all.findIndex((one) => one.name === name) === at)
    .map(({ name, example }) => `### ${name}\n\n\`\`\`ts\n${example}\n\`\`\`\n`);
  return `# Library\n\nGenerated from the doc comments of the exports by \`npm run reference\`. Everything below can be imported; nothing else can.\n\n${sections.join('\n')}\n## Examples\n\nA test compiles these.\n\n${examples.join('\n')}`;
}
