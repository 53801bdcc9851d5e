/** Every error code that the code throws, with its sentences as they are written there; each ends with the remedy. */
import ts from 'typescript';
import { cell, sourcesIn, visit, wordsOf } from './source.ts';

/** Codes that are only compared with, or stand for the environment's variables, are none of ours. */
const isCode = (text: string): boolean => /^[A-Z]+_[A-Z0-9_]+$/.test(text) && !/_PROXY$/.test(text);

export function errorsPage(): string {
  const sentences = new Map<string, Set<string>>();
  for (const file of sourcesIn('src'))
    visit(file, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
      if (/\.(startsWith|includes|has)$/.test(wordsOf(node.expression))) return;
      // `new AgogeError(code, sentence)`, `AgogeError.from(thrown, code, sentence)`, and functions of a file that take both.
      const given = [...(node.arguments ?? [])];
      given.forEach((code, place) => {
        if (!ts.isStringLiteral(code) || !isCode(code.text)) return;
        const kept = sentences.get(code.text) ?? new Set<string>();
        const said = [...given.slice(place + 1), ...given.slice(0, place)].map(sentencesOf).find((found) => found.length > 0);
        for (const sentence of said ?? []) kept.add(sentence);
        sentences.set(code.text, kept);
      });
    });
  const areas = [...new Set([...sentences.keys()].map((code) => code.split('_')[0] ?? ''))].sort();
  const sections = areas.map((area) => {
    const rows = [...sentences].filter(([code]) => code.startsWith(`${area}_`)).sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = rows.map(
      ([code, said]) => `| \`${code}\` | ${[...said].map(cell).join('<br>') || 'What the other side said.'} |`,
    );
    return `## ${area}\n\n| code | what is said, and what to do |\n|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Error codes\n\nGenerated from the places where they are thrown by \`npm run reference\`. A code is stable: programs may rely on it. The sentence is for people and ends with
the remedy; \`…\` stands for what is known only then. In a program every error is an \`AgogeError\` with \`code\` and \`message\`.\n\n${sections.join('\n')}`;
}

/** What an argument can say: a text, a name that stands for one, or what a function is called with where it is its parameter. */
function sentencesOf(node: ts.Node): string[] {
  if (isText(node)) return [textOf(node)];
  if (ts.isConditionalExpression(node)) return [...sentencesOf(node.whenTrue), ...sentencesOf(node.whenFalse)];
  if (!ts.isIdentifier(node)) return [];
  const found: string[] = [];
  const maker = ts.findAncestor(node, (outer): outer is ts.ArrowFunction => ts.isArrowFunction(outer) && takes(outer, node.text));
  const name = maker && ts.isVariableDeclaration(maker.parent) ? maker.parent.name.getText() : undefined;
  visit(node.getSourceFile(), (other) => {
    if (name !== undefined && ts.isCallExpression(other) && wordsOf(other.expression) === name) {
      const [said] = other.arguments;
      if (said && isText(said)) found.push(textOf(said));
    }
    if (
      name === undefined &&
      ts.isVariableDeclaration(other) &&
      wordsOf(other.name) === node.text &&
      other.initializer &&
      isText(other.initializer)
    )
      found.push(textOf(other.initializer));
  });
  return found;
}

function takes(maker: ts.ArrowFunction, name: string): boolean {
  return maker.parameters.some((parameter) => wordsOf(parameter.name) === name);
}

/** A text that is written there, whole or in parts. */
export function isText(node: ts.Node): boolean {
  if (ts.isStringLiteral(node)) return !isCode(node.text);
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) return true;
  const joins = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
  return joins && (isText(node.left) || isText(node.right));
}

/** With `…` for its values. */
export function textOf(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  return ts.isBinaryExpression(node) ? textOf(node.left) + textOf(node.right) : '…';
}
