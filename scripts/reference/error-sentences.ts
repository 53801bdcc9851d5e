/**
 * What errors can say: every text that can be the sentence of an `AgogeError`, with `…` for what is known only then, and the texts that
 * come to stand in those places, as far as the sources show them: both sides of a condition, constants, what functions return.
 */
import ts from 'typescript';
import { isText, textOf } from './errors.ts';
import { sourcesIn, visit, wordsOf } from './source.ts';

export interface Said {
  readonly text: string;
  /** As file:line. */
  readonly where: string;
  /** Whether it stands within a sentence. */
  readonly part: boolean;
  /** Whether what was thrown before follows it, behind a colon. */
  readonly caused: boolean;
}

type Call = ts.CallExpression | ts.NewExpression;
type Maker = ts.FunctionDeclaration | ts.MethodDeclaration | ts.VariableDeclaration;
/** By name, then by file: to ask a node for its file is to climb its whole tree. */
type Named<T> = Map<string, Map<ts.SourceFile, T[]>>;

export function errorSentences(): Said[] {
  return new Sources().sentences();
}

/** Properties that hold sentences, wherever they are written. */
const told = new Set(['note', 'plays', 'remedy']);
/** How many names are followed from a place that throws. */
const deepest = 6;

class Sources {
  private readonly found = new Map<string, Said>();
  private readonly seen = new Set<ts.Node>();
  private readonly made: Named<Maker> = new Map();
  private readonly calls: Named<Call> = new Map();
  private readonly properties = new Map<string, ts.Node[]>();
  private readonly imports = new Map<ts.SourceFile, ReadonlySet<string>>();

  sentences(): Said[] {
    const thrown: { said: ts.Node; caused: boolean }[] = [];
    for (const file of sourcesIn('src')) {
      this.imports.set(file, importedBy(file));
      visit(file, (node) => {
        if (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node))
          add(filesOf(this.made, node.name ? wordsOf(node.name) : ''), file, node);
        if ((ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && told.has(wordsOf(node.name)))
          add(this.properties, wordsOf(node.name), ts.isPropertyAssignment(node) ? node.initializer : node.name);
        if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
        add(filesOf(this.calls, nameOf(node.expression)), file, node);
        const said = sentenceOf(node);
        if (said) thrown.push({ said, caused: wordsOf(node.expression) === 'AgogeError.from' });
      });
    }
    for (const { said, caused } of thrown) this.follow(said, { part: false, caused }, 0);
    return [...this.found.values()];
  }

  /** Down to the texts that an expression can become. */
  private follow(node: ts.Node, how: Pick<Said, 'part' | 'caused'>, depth: number): void {
    if (depth > deepest) return;
    const on = (other: ts.Node | undefined): void => other && this.follow(other, how, depth + 1);
    const within = (other: ts.Node | undefined): void => other && this.follow(other, { part: true, caused: false }, depth + 1);
    if (isText(node)) {
      if (this.seen.has(node)) return;
      this.seen.add(node);
      this.keep(node, how);
      placesIn(node).forEach(within);
    } else if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isAwaitExpression(node)) on(node.expression);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(on);
    else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(on);
    else if (ts.isElementAccessExpression(node) || ts.isSpreadElement(node)) on(node.expression);
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(within);
    else if (ts.isObjectLiteralExpression(node))
      node.properties.forEach((property) => ts.isPropertyAssignment(property) && on(property.initializer));
    else if (ts.isPropertyAccessExpression(node)) this.properties.get(node.name.text)?.forEach(on);
    else if (ts.isIdentifier(node)) this.named(node).forEach(on);
    else if (ts.isCallExpression(node)) {
      const list = ts.isPropertyAccessExpression(node.expression) ? node.expression.expression : undefined;
      const name = nameOf(node.expression);
      if (list && name === 'join') within(list);
      else if (list && (name === 'map' || name === 'flatMap')) returnedBy(node.arguments[0]).forEach(within);
      else for (const maker of this.makers(name, node)) returnedBy(functionOf(maker)).forEach(on);
    }
  }

  /** What a name stands for: a parameter for what its function is called with, anything else for what it was made from. */
  private named(node: ts.Identifier): ts.Node[] {
    const isIt = ({ name }: ts.ParameterDeclaration): boolean => wordsOf(name) === node.text;
    const maker = ts.findAncestor(
      node,
      (outer): outer is ts.SignatureDeclaration => ts.isFunctionLike(outer) && outer.parameters.some(isIt),
    );
    if (!maker) {
      const made = this.makers(node.text, node).flatMap(
        (one) => (ts.isVariableDeclaration(one) && !functionOf(one) && one.initializer) || [],
      );
      return made.length > 0 ? made : (this.properties.get(node.text) ?? []);
    }
    const place = maker.parameters.findIndex(isIt);
    const name = calledAs(maker);
    const here = node.getSourceFile();
    const calls = [...((name === undefined ? undefined : this.calls.get(name)) ?? [])];
    const near = calls.flatMap(([file, made]) => (file === here || this.knows(file, name) ? made : []));
    return [maker.parameters[place]?.initializer, ...near.map((call) => call.arguments?.[place])].filter(
      (given) => given !== undefined,
    );
  }

  /** What has a name in the same file, else in another one that it is imported from. */
  private makers(name: string, node: ts.Node): readonly Maker[] {
    const every = this.made.get(name);
    const here = node.getSourceFile();
    const found = every?.get(here) ?? [];
    if (found.length > 0 || !this.knows(here, name)) return found;
    return [...(every?.values() ?? [])]
      .flat()
      .filter((made) => ts.isSourceFile(ts.isVariableDeclaration(made) ? made.parent.parent.parent : made.parent));
  }

  private knows(file: ts.SourceFile, name: string | undefined): boolean {
    return name !== undefined && this.imports.get(file)?.has(name) === true;
  }

  private keep(node: ts.Node, how: Pick<Said, 'part' | 'caused'>): void {
    const text = textOf(node);
    if (this.found.has(text)) return;
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    this.found.set(text, { text, where: `${file.fileName}:${String(line + 1)}`, ...how });
  }
}

/** Of `new AgogeError(code, sentence)`, `AgogeError.from(thrown, code, sentence)`, and of whatever else is called with a code. */
function sentenceOf(node: Call): ts.Node | undefined {
  const given = [...(node.arguments ?? [])];
  const called = wordsOf(node.expression);
  if (called === 'AgogeError') return given[1];
  if (called === 'AgogeError.from') return given[2];
  const code = given.findIndex((one) => ts.isStringLiteral(one) && /^[A-Z]+_[A-Z0-9_]+$/.test(one.text));
  if (code < 0 || /\.(startsWith|includes|has)$/.test(called)) return undefined;
  const others = [...given.slice(code + 1), ...given.slice(0, code)];
  return others.find((one) => isText(one) || ts.isConditionalExpression(one) || ts.isIdentifier(one));
}

function importedBy(file: ts.SourceFile): ReadonlySet<string> {
  const named = file.statements.flatMap((one) => (ts.isImportDeclaration(one) && one.importClause?.namedBindings) || []);
  return new Set(named.flatMap((names) => (ts.isNamedImports(names) ? names.elements.map(({ name }) => name.text) : [])));
}

function functionOf(made: ts.Node): ts.Node | undefined {
  if (!ts.isVariableDeclaration(made)) return made;
  return made.initializer && ts.isArrowFunction(made.initializer) ? made.initializer : undefined;
}

function returnedBy(maker: ts.Node | undefined): ts.Node[] {
  if (!maker || !(ts.isArrowFunction(maker) || ts.isFunctionDeclaration(maker) || ts.isMethodDeclaration(maker))) return [];
  if (!maker.body || !ts.isBlock(maker.body)) return maker.body ? [maker.body] : [];
  const given: ts.Node[] = [];
  visit(maker.body, (node) => {
    if (ts.isReturnStatement(node) && node.expression) given.push(node.expression);
  });
  return given;
}

function calledAs(maker: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(maker) || ts.isMethodDeclaration(maker)) return maker.name?.getText();
  if (ts.isConstructorDeclaration(maker)) return maker.parent.name?.getText();
  const { parent } = maker;
  return ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) ? parent.name.getText() : undefined;
}

function nameOf(called: ts.Expression): string {
  return ts.isPropertyAccessExpression(called) ? called.name.text : wordsOf(called);
}

/** What stands in a text's places. */
function placesIn(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (ts.isBinaryExpression(node)) return [...placesIn(node.left), ...placesIn(node.right)];
  return isText(node) ? [] : [node];
}

function filesOf<T>(named: Named<T>, name: string): Map<ts.SourceFile, T[]> {
  let files = named.get(name);
  if (!files) named.set(name, (files = new Map<ts.SourceFile, T[]>()));
  return files;
}

function add<Key, T>(lists: Map<Key, T[]>, name: Key, one: T): void {
  const list = lists.get(name);
  if (list) list.push(one);
  else lists.set(name, [one]);
}
