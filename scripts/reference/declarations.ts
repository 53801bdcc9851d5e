/** Declarations as a reader of the reference sees them: what can be called and given, without bodies and private parts. */
import ts from 'typescript';

/** The declaration of an export, cut out of its source. Of overloads, all that can be called. */
export function declarationText(nodes: readonly ts.Node[], name: string): string {
  const overloads = nodes.filter((node) => ts.isFunctionDeclaration(node) && node.body === undefined);
  return (overloads.length > 0 ? overloads : nodes).map((node) => textOf(node, name)).join('\n');
}

function textOf(node: ts.Node, name: string): string {
  if (ts.isFunctionDeclaration(node)) return `${upTo(node, node.body)};`;
  if (ts.isClassDeclaration(node)) return classText(node);
  if (ts.isVariableStatement(node)) return variableText(node, name);
  if (ts.isTypeAliasDeclaration(node)) return bare(node.getText()).replace(/\(typeof (\w+)\)\[number\]/, unionOf(node));
  return bare(node.getText());
}

/** `(typeof names)[number]` as the names themselves, where they stand in the same file. */
function unionOf(node: ts.Node): (whole: string, list: string) => string {
  return (whole, list) => {
    const array = new RegExp(`\\bconst ${list} = \\[([^\\]]*)\\] as const`).exec(node.getSourceFile().text)?.[1];
    return array === undefined || array.includes('...')
      ? whole
      : array
          .replaceAll(/\s*,\s*(?=')/g, ' | ')
          .replace(/,?\s*$/, '')
          .trim();
  };
}

/** `const name: type;`, or what a function of that name takes; where a type is not written, what is assigned. */
function variableText(statement: ts.VariableStatement, name: string): string {
  const declared = statement.declarationList.declarations.find((one) => one.name.getText() === name);
  const { type, initializer } = declared ?? {};
  if (type) return `const ${name}: ${type.getText()};`;
  if (initializer && ts.isArrowFunction(initializer)) {
    const { parameters, typeParameters, type: gives } = initializer;
    const generics = typeParameters ? `<${typeParameters.map((one) => one.getText()).join(', ')}>` : '';
    return `function ${name}${generics}(${parameters.map((one) => one.getText()).join(', ')}): ${gives?.getText() ?? 'void'};`;
  }
  return bare(statement.getText());
}

function classText(node: ts.ClassDeclaration): string {
  const head = bare(node.getText().slice(0, node.getText().indexOf('{'))).trim();
  const members = node.members.filter(isPublic).map((member) => {
    const comment = leading(member);
    const signature = memberText(member);
    return `${comment === '' ? '' : `${comment}\n  `}${signature}`;
  });
  return `${head} {\n  ${members.join('\n  ')}\n}`;
}

function memberText(member: ts.ClassElement): string {
  if (ts.isPropertyDeclaration(member)) {
    const type = member.type?.getText() ?? (member.initializer ? inferred(member.initializer) : 'unknown');
    return `${upTo(member, member.type ?? member.initializer).replace(/\s*[:=]\s*$/, '')}: ${type};`;
  }
  const body = 'body' in member ? (member.body as ts.Node | undefined) : undefined;
  return `${upTo(member, body)};`;
}

/** The type of a literal, as far as it can be read off. */
function inferred(value: ts.Expression): string {
  if (ts.isStringLiteral(value)) return 'string';
  if (ts.isNumericLiteral(value)) return 'number';
  if (ts.isNewExpression(value)) return value.expression.getText();
  return 'unknown';
}

function isPublic(member: ts.ClassElement): boolean {
  if (ts.isClassStaticBlockDeclaration(member) || (member.name && ts.isPrivateIdentifier(member.name))) return false;
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];
  return !modifiers.some(({ kind }) => hidden.includes(kind));
}

/** The text before a part of a node (its body, its type); all of it where there is no such part. */
function upTo(node: ts.Node, part: ts.Node | undefined): string {
  const start = node.getStart();
  const text = node.getSourceFile().text.slice(start, part ? part.getStart() : node.end);
  return bare(text).replace(/[;\s]+$/, '');
}

/** The doc comment of a member. */
function leading(node: ts.Node): string {
  const text = node.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  return ranges
    .map(({ pos, end }) => text.slice(pos, end))
    .filter((comment) => comment.startsWith('/**'))
    .join('\n  ');
}

/** Without the words that matter to a compiler only; that a function is async or a generator is said by what it returns. */
function bare(text: string): string {
  return text
    .replace(/^export /, '')
    .replace(/^((?:static )?)(?:async |override )+/, '$1')
    .replace(/^function\* ?/, 'function ')
    .replace(/^\*(?=[\w[])/, '')
    .replace(/^(constructor\([\s\S]*)$/, (made) => made.replaceAll(/\b(?:private|protected) (?:readonly )?/g, ''));
}
