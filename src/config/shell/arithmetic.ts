/** The arithmetic of `$(( … ))`, `(( … ))` and `let`: whole numbers, and variables that are read and set. */

export interface Variables {
  get(name: string): readonly string[] | undefined;
  set(name: string, value: readonly string[]): void;
}

const tokenSign =
  /0[xX][\da-fA-F]+|\d+#\w+|\d+(?:\.\d+)?|[A-Za-z_]\w*|\*\*|\+\+|--|<<|>>|&&|\|\||[-+*/%<>=!]=|[-+*/%()<>=!?:&|^,]/g;
/** From what binds least to what binds most; `**` stands apart, since it is read from the right. */
const levels = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const deepest = 8;

/** The value of an expression; what is no expression is 0, as an unset variable is. */
export function arithmetic(expression: string, values: Variables, depth = 0): number {
  return new Reader(expression.match(tokenSign) ?? [], values, depth).all();
}

class Reader {
  private at = 0;
  constructor(
    private readonly tokens: readonly string[],
    private readonly values: Variables,
    private readonly depth: number,
  ) {}

  all(): number {
    let value = this.assigned();
    while (this.take(',')) value = this.assigned();
    return value;
  }

  private assigned(): number {
    const [name = '', sign = ''] = this.tokens.slice(this.at, this.at + 2);
    if (!/^[A-Za-z_]/.test(name) || !/^([-+*/%]?=|\+\+|--)$/.test(sign)) return this.choice();
    this.at += 2;
    const before = this.variable(name);
    const step = sign === '++' ? 1 : -1;
    const value =
      sign === '='
        ? this.assigned()
        : /^(\+\+|--)$/.test(sign)
          ? before + step
          : calculated(before, sign.charAt(0), this.assigned());
    this.values.set(name, [String(value)]);
    return /^(\+\+|--)$/.test(sign) ? before : value;
  }

  private choice(): number {
    const condition = this.level(0);
    if (!this.take('?')) return condition;
    const yes = this.assigned();
    this.take(':');
    const no = this.assigned();
    return condition === 0 ? no : yes;
  }

  private level(depth: number): number {
    const here = levels[depth];
    if (!here) return this.power();
    let left = this.level(depth + 1);
    for (let sign = this.take(...here); sign !== undefined; sign = this.take(...here))
      left = calculated(left, sign, this.level(depth + 1));
    return left;
  }

  private power(): number {
    const base = this.atom();
    return this.take('**') ? base ** this.power() : base;
  }

  private atom(): number {
    if (this.take('(')) {
      const inside = this.all();
      this.take(')');
      return inside;
    }
    if (this.take('-')) return -this.atom();
    if (this.take('+')) return this.atom();
    if (this.take('!')) return Number(this.atom() === 0);
    const token = this.tokens[this.at++] ?? '';
    if (/^[A-Za-z_]/.test(token)) return this.variable(token);
    const [, radix, digits = ''] = /^(\d+)#(\w+)$/.exec(token) ?? [];
    const read = radix === undefined ? Number(token) : parseInt(digits, Number(radix));
    return Number.isNaN(read) ? 0 : read;
  }

  /** A variable may hold the name of another one. */
  private variable(name: string): number {
    const text = this.values.get(name)?.[0] ?? '0';
    return this.depth > deepest ? 0 : arithmetic(text, this.values, this.depth + 1);
  }

  private take(...wanted: string[]): string | undefined {
    return wanted.includes(this.tokens[this.at] ?? '') ? this.tokens[this.at++] : undefined;
  }
}

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
  '<<': (a, b) => a * 2 ** b,
  '>>': (a, b) => Math.floor(a / 2 ** b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '||': (a, b) => Number(a !== 0 || b !== 0),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<': (a, b) => Number(a < b),
  '>': (a, b) => Number(a > b),
  '<=': (a, b) => Number(a <= b),
  '>=': (a, b) => Number(a >= b),
};

function calculated(a: number, sign: string, b: number): number {
  return operations[sign]?.(a, b) ?? 0;
}
