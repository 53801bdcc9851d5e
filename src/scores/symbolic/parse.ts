/**
 * Formulas as trees, read in one of the two ways of sympy's `parse_expr`: strictly as Python does, or with multiplication left unsaid
 * (`2x`, `3sqrt(2)`, every unknown word letter by letter). Undefined for what is not a formula.
 */

export type Expression =
  /** `text` is the number as it was written; constants have none. */
  | { readonly kind: 'number'; readonly value: number; readonly text?: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly argument: Expression }
  | { readonly kind: 'factorial'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: '+' | '-' | '*' | '/' | '**' | '^';
      readonly left: Expression;
      readonly right: Expression;
    };

export interface ParseOptions {
  /** Multiplication may be left unsaid, and `^` is a power. */
  readonly implicit: boolean;
}

const constants: Readonly<Record<string, number>> = { pi: Math.PI, E: Math.E };
const functionNames: ReadonlySet<string> = new Set(
  'sqrt ln log exp sin cos tan asin acos atan sinh cosh tanh Abs factorial'.split(' '),
);

/** Longer than any answer that is a formula; what is longer is a text. */
const longest = 1000;
const deepest = 100;

type Token = { readonly kind: 'number' | 'name' | 'mark'; readonly text: string };

export function parseFormula(text: string, { implicit }: ParseOptions): Expression | undefined {
  if (text.length > longest) return undefined;
  const tokens = tokensOf(text, implicit);
  if (!tokens) return undefined;
  try {
    return new Reader(tokens, implicit).whole();
  } catch (thrown) {
    if (thrown instanceof NoFormula) return undefined;
    throw thrown;
  }
}

class NoFormula extends Error {}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly implicit: boolean,
  ) {}

  whole(): Expression {
    const read = this.sum();
    if (this.at < this.tokens.length) throw new NoFormula();
    return read;
  }

  /** Python's `^` binds more loosely than `+`; where it is a power it was rewritten before. */
  private sum(): Expression {
    if (++this.depth > deepest) throw new NoFormula();
    let left = this.addition();
    while (this.take('^')) left = { kind: 'binary', operator: '^', left, right: this.addition() };
    this.depth--;
    return left;
  }

  private addition(): Expression {
    let left = this.product();
    for (;;) {
      const operator = this.take('+', '-');
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.product() };
    }
  }

  private product(): Expression {
    let left = this.unary();
    for (;;) {
      const operator = this.take('*', '/');
      if (operator !== undefined) left = { kind: 'binary', operator, left, right: this.unary() };
      else if (this.implicit && this.startsFactor()) left = { kind: 'binary', operator: '*', left, right: this.power() };
      else return left;
    }
  }

  private unary(): Expression {
    const sign = this.take('+', '-');
    if (sign === undefined) return this.power();
    if (++this.depth > deepest) throw new NoFormula();
    const operand = this.unary();
    this.depth--;
    return sign === '+'
      ? operand
      : { kind: 'binary', operator: '*', left: { kind: 'number', value: -1, text: '-1' }, right: operand };
  }

  private power(): Expression {
    const base = this.postfix();
    return this.take('**') === undefined ? base : { kind: 'binary', operator: '**', left: base, right: this.unary() };
  }

  private postfix(): Expression {
    let value = this.atom();
    while (this.take('!') !== undefined) value = { kind: 'factorial', of: value };
    return value;
  }

  private atom(): Expression {
    const token = this.tokens[this.at++];
    if (token?.kind === 'number') return { kind: 'number', value: Number(token.text), text: token.text };
    if (token?.kind === 'mark' && token.text === '(') return this.closed();
    if (token?.kind !== 'name') throw new NoFormula();
    if (functionNames.has(token.text)) return { kind: 'call', name: token.text, argument: this.applied() };
    const value = Object.hasOwn(constants, token.text) ? constants[token.text] : undefined;
    return value === undefined ? { kind: 'symbol', name: token.text } : { kind: 'number', value };
  }

  private closed(): Expression {
    const inside = this.sum();
    if (this.take(')') === undefined) throw new NoFormula();
    return inside;
  }

  private applied(): Expression {
    if (this.take('(') !== undefined) return this.closed();
    if (!this.implicit) throw new NoFormula();
    return this.power();
  }

  private startsFactor(): boolean {
    const token = this.tokens[this.at];
    return token !== undefined && (token.kind !== 'mark' || token.text === '(');
  }

  private take<Mark extends string>(...marks: readonly Mark[]): Mark | undefined {
    const token = this.tokens[this.at];
    const found = token?.kind === 'mark' ? marks.find((mark) => mark === token.text) : undefined;
    if (found !== undefined) this.at++;
    return found;
  }
}

const shape =
  /\s+|(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_α-ωπ][A-Za-z0-9_α-ω]*)|(\*\*|[-+*/^()!])|([^])/gu;

function tokensOf(text: string, implicit: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  for (const [, number, name, mark, other] of (implicit ? text.replaceAll('^', '**') : text).matchAll(shape)) {
    if (other !== undefined) return undefined;
    // Python reads no integer with zeros before it.
    if (number !== undefined && /^0\d/.test(number) && !/[.eE]/.test(number) && Number(number) !== 0) return undefined;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push(...(implicit ? split(name) : [{ kind: 'name', text: name } as const]));
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
  }
  return tokens;
}

/** A word that nothing is known of stands for its letters and numbers, multiplied. */
function split(name: string): Token[] {
  if (functionNames.has(name) || Object.hasOwn(constants, name) || name.includes('_')) return [{ kind: 'name', text: name }];
  return [...name.matchAll(/\d+|\D/gu)].map(([part]) => ({ kind: /\d/.test(part) ? 'number' : 'name', text: part }));
}
