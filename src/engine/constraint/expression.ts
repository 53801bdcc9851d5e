/**
 * Languages of bytes as expressions, and what is left of one after a byte (Brzozowski's derivative). Equal expressions are one number, so
 * derivatives are remembered and the states of a constraint are few. References make nested languages (JSON) possible.
 */

/** A language: a number that its `Expressions` gave out. */
export type Expression = number;

type Node =
  | { readonly kind: 'nothing' | 'empty' }
  | { readonly kind: 'bytes'; readonly set: Uint8Array }
  | { readonly kind: 'sequence'; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: 'any' | 'all'; readonly of: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly of: Expression; readonly least: number; readonly most: number }
  | { readonly kind: 'reference'; readonly name: string };

const unknown = -1;

/** Makes expressions and derives them. */
export class Expressions {
  readonly nothing: Expression;
  readonly empty: Expression;
  private readonly nodes: Node[] = [];
  private readonly known = new Map<string, Expression>();
  private readonly steps: (Int32Array | undefined)[] = [];
  private readonly definitions = new Map<string, Expression>();
  private readonly lengths = new Map<Expression, number>();
  private readonly defined = new Map<string, number>();

  constructor() {
    this.nothing = this.node('0', { kind: 'nothing' });
    this.empty = this.node('1', { kind: 'empty' });
  }

  /** One byte of a set. */
  bytes(...ranges: readonly (readonly [from: number, to: number])[]): Expression {
    const full = ranges.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0]);
    if (full.length === 0) return this.nothing;
    const key = `b${full.join(';')}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const set = new Uint8Array(256);
    for (const [from, to] of full) set.fill(1, from, to + 1);
    return this.node(key, { kind: 'bytes', set });
  }

  /** These bytes, or the UTF-8 bytes of this text. */
  literal(text: string | Uint8Array): Expression {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return this.sequence(...Array.from(bytes, (byte) => this.bytes([byte, byte])));
  }

  sequence(...parts: readonly Expression[]): Expression {
    return parts.reduceRight((rest, first) => this.then(first, rest), this.empty);
  }

  /** One of these. */
  any(...of: readonly Expression[]): Expression {
    const flat = this.flat('any', of).filter((one) => one !== this.nothing);
    return flat.length <= 1 ? (flat[0] ?? this.nothing) : this.node(`|${flat.join()}`, { kind: 'any', of: flat });
  }

  /** What belongs to each of these; of none: not asked for. */
  all(...of: readonly Expression[]): Expression {
    const flat = this.flat('all', of);
    if (flat.includes(this.nothing)) return this.nothing;
    return flat.length === 1 ? (flat[0] ?? this.nothing) : this.node(`&${flat.join()}`, { kind: 'all', of: flat });
  }

  repeat(of: Expression, least: number, most = Infinity): Expression {
    if (most < least) return this.nothing;
    if (most === 0 || of === this.empty) return this.empty;
    if (of === this.nothing) return least === 0 ? this.empty : this.nothing;
    return this.node(`*${of},${least},${most}`, { kind: 'repeat', of, least: this.nullable(of) ? 0 : least, most });
  }

  optional(of: Expression): Expression {
    return this.any(of, this.empty);
  }

  /** A language by its name, defined now or later: it may speak of itself, but never begin with itself. */
  reference(name: string): Expression {
    return this.node(`r${name}`, { kind: 'reference', name });
  }

  define(name: string, expression: Expression): void {
    this.definitions.set(name, expression);
    this.defined.clear();
    this.lengths.clear();
  }

  isDefined(name: string): boolean {
    return this.definitions.has(name);
  }

  /** Is the empty text in it? */
  nullable(expression: Expression): boolean {
    const node = this.at(expression);
    switch (node.kind) {
      case 'nothing':
      case 'bytes':
        return false;
      case 'empty':
        return true;
      case 'sequence':
        return this.nullable(node.first) && this.nullable(node.rest);
      case 'any':
        return node.of.some((one) => this.nullable(one));
      case 'all':
        return node.of.every((one) => this.nullable(one));
      case 'repeat':
        return node.least === 0;
      case 'reference':
        return false; // no value of a schema is the empty text
    }
  }

  /** What may follow a byte. */
  derive(expression: Expression, byte: number): Expression {
    const steps = (this.steps[expression] ??= new Int32Array(256).fill(unknown));
    const known = steps[byte] as number;
    if (known !== unknown) return known;
    const derived = this.derived(this.at(expression), byte);
    steps[byte] = derived;
    return derived;
  }

  /** Bytes of the shortest text in it; Infinity where there is none. */
  shortest(expression: Expression): number {
    if (this.defined.size < this.definitions.size) this.measureDefinitions();
    const known = this.lengths.get(expression);
    if (known !== undefined) return known;
    const length = this.measure(expression);
    this.lengths.set(expression, length);
    return length;
  }

  /** How many states there are so far. */
  get size(): number {
    return this.nodes.length;
  }

  private derived(node: Node, byte: number): Expression {
    switch (node.kind) {
      case 'nothing':
      case 'empty':
        return this.nothing;
      case 'bytes':
        return node.set[byte] === 1 ? this.empty : this.nothing;
      case 'sequence': {
        const stepped = this.then(this.derive(node.first, byte), node.rest);
        return this.nullable(node.first) ? this.any(stepped, this.derive(node.rest, byte)) : stepped;
      }
      case 'any':
        return this.any(...node.of.map((one) => this.derive(one, byte)));
      case 'all':
        return this.all(...node.of.map((one) => this.derive(one, byte)));
      case 'repeat':
        return this.then(this.derive(node.of, byte), this.repeat(node.of, Math.max(node.least - 1, 0), node.most - 1));
      case 'reference':
        return this.derive(this.definition(node.name), byte);
    }
  }

  /** References among themselves: lengths fall until nothing changes. */
  private measureDefinitions(): void {
    for (const name of this.definitions.keys()) this.defined.set(name, Infinity);
    for (let changed = true; changed;) {
      changed = false;
      for (const [name, expression] of this.definitions) {
        this.lengths.clear();
        const length = this.shortest(expression);
        if (length >= (this.defined.get(name) ?? Infinity)) continue;
        this.defined.set(name, length);
        changed = true;
      }
    }
    this.lengths.clear();
  }

  private measure(expression: Expression): number {
    const node = this.at(expression);
    switch (node.kind) {
      case 'nothing':
        return Infinity;
      case 'empty':
        return 0;
      case 'bytes':
        return 1;
      case 'sequence':
        return this.shortest(node.first) + this.shortest(node.rest);
      case 'any':
        return Math.min(...node.of.map((one) => this.shortest(one)));
      case 'all':
        return this.searched(expression);
      case 'repeat':
        return node.least === 0 ? 0 : node.least * this.shortest(node.of);
      case 'reference':
        return this.defined.get(node.name) ?? Infinity;
    }
  }

  /** Of a language that is cut out of several: step by step, through as many states as a pattern of a person has. */
  private searched(from: Expression): number {
    const seen = new Set([from]);
    let front = [from];
    for (let length = 0; front.length > 0 && seen.size < 20_000; length++) {
      if (front.some((one) => this.nullable(one))) return length;
      const next: Expression[] = [];
      for (const one of front) {
        for (let byte = 0; byte < 256; byte++) {
          const stepped = this.derive(one, byte);
          if (stepped === this.nothing || seen.has(stepped)) continue;
          seen.add(stepped);
          next.push(stepped);
        }
      }
      front = next;
    }
    return Infinity;
  }

  private then(first: Expression, rest: Expression): Expression {
    if (first === this.nothing || rest === this.nothing) return this.nothing;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    const node = this.at(first);
    // Leaning to the right, so that equal languages have one form.
    if (node.kind === 'sequence') return this.then(node.first, this.then(node.rest, rest));
    return this.node(`.${first},${rest}`, { kind: 'sequence', first, rest });
  }

  private flat(kind: 'any' | 'all', of: readonly Expression[]): Expression[] {
    const parts = of.flatMap((one) => {
      const node = this.at(one);
      return node.kind === kind ? node.of : [one];
    });
    return [...new Set(parts)].sort((a, b) => a - b);
  }

  private definition(name: string): Expression {
    const expression = this.definitions.get(name);
    if (expression === undefined) throw new TypeError(`the language "${name}" was never defined`);
    return expression;
  }

  private at(expression: Expression): Node {
    const node = this.nodes[expression];
    if (!node) throw new TypeError(`there is no expression ${expression}`);
    return node;
  }

  private node(key: string, node: Node): Expression {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.nodes.push(node);
    this.known.set(key, this.nodes.length - 1);
    return this.nodes.length - 1;
  }
}
