/** What a word of a launch script stands for: variables, defaults, arrays, arithmetic. Nothing is run: the answers of commands are asked of the caller. */
import { pieceEnd } from './lex.ts';

export interface Values {
  get(name: string): readonly string[] | undefined;
  set(name: string, value: readonly string[]): void;
  /** The positional arguments `$1`, `$2`, and all that `$@` stands for. */
  readonly positional: readonly string[];
  readonly args: readonly string[];
  /** What `$( … )` prints, as far as it is known without running it. */
  output(command: string): string;
}

/** The words that one written word becomes. */
export function expandWord(word: string, values: Values): string[] {
  const fields = new Fields();
  pieces(word, false, values, fields);
  return fields.list;
}

/** A word as one text, as in an assignment. */
export function expandText(word: string, values: Values): string {
  const fields = new Fields();
  pieces(word, true, values, fields);
  return fields.list.join(' ');
}

class Fields {
  readonly list: string[] = [];
  private open = false;

  add(text: string): void {
    if (this.open) this.list.push(`${this.list.pop() ?? ''}${text}`);
    else this.list.push(text);
    this.open = true;
  }

  end(): void {
    this.open = false;
  }
}

function pieces(word: string, whole: boolean, values: Values, fields: Fields): void {
  for (let at = 0; at < word.length;) {
    const end = pieceEnd(word, at);
    const piece = variableEnd(word, at) > end ? word.slice(at, variableEnd(word, at)) : word.slice(at, end);
    at += piece.length;
    if (piece.startsWith("'")) fields.add(piece.slice(1, -1));
    else if (piece.startsWith('"')) quoted(piece.slice(1, -1), values, fields);
    else if (piece.startsWith('\\')) fields.add(piece.slice(1));
    else if (piece.startsWith('$') || piece.startsWith('`')) {
      const found = lookup(piece, values);
      if (whole) fields.add(found.join(' '));
      else split(found, fields);
    } else fields.add(piece);
  }
}

/** `$NAME` and `$1`, `$@` are longer than a sign. */
function variableEnd(word: string, at: number): number {
  const found = /^\$(\w+|[@*#?$!-])/.exec(word.slice(at));
  return found && !/^\$\d\w/.test(found[0]) ? at + found[0].length : found ? at + 2 : at;
}

function quoted(text: string, values: Values, fields: Fields): void {
  fields.add('');
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (char === '\\') {
      const next = text.charAt(at + 1);
      fields.add(/["$`\\]/.test(next) ? next : `\\${next}`);
      at += 2;
    } else if (char === '$' || char === '`') {
      const end = Math.max(pieceEnd(text, at), variableEnd(text, at));
      const piece = text.slice(at, end);
      const found = lookup(piece, values);
      if (/^\$(@|\{(\w+\[@\]|@)(:[^}]*)?\})$/.test(piece)) separate(found, fields);
      else fields.add(piece === '$' ? '$' : found.join(' '));
      at = end;
    } else {
      fields.add(char);
      at++;
    }
  }
}

/** Each on its own, the first and the last joined to what stands around them. */
function separate(found: readonly string[], fields: Fields): void {
  found.forEach((text, index) => {
    if (index > 0) fields.end();
    fields.add(text);
  });
}

/** Unquoted values fall apart at blanks. */
function split(found: readonly string[], fields: Fields): void {
  found.forEach((text, index) => {
    if (index > 0) fields.end();
    const parts = text.split(/[ \t\n]+/);
    parts.forEach((part, i) => {
      if (i > 0) fields.end();
      if (part !== '') fields.add(part);
    });
  });
}

function lookup(piece: string, values: Values): readonly string[] {
  if (piece.startsWith('$((')) return [String(arithmetic(piece.slice(3, -2), values))];
  if (piece.startsWith('$(')) return [values.output(piece.slice(2, -1)).trimEnd()];
  if (piece.startsWith('`')) return [values.output(piece.slice(1, -1)).trimEnd()];
  if (piece.startsWith('${')) return braced(piece.slice(2, -1), values);
  const name = piece.slice(1);
  return name === '' ? ['$'] : (valueOf(name, values) ?? []);
}

function valueOf(name: string, values: Values): readonly string[] | undefined {
  if (name === '@' || name === '*') return values.args;
  if (name === '#') return [String(values.positional.length)];
  if (name === '?') return ['0'];
  if (/^\d+$/.test(name)) {
    if (name === '0') return values.get('0');
    const given = values.positional[Number(name) - 1];
    return given === undefined ? undefined : [given];
  }
  return values.get(name);
}

const operatorsOf = /^(:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?|:)([\s\S]*)$/;

function braced(inside: string, values: Values): readonly string[] {
  const counted = /^#(\w+)(\[[@*]\])?$/.exec(inside);
  if (counted) {
    const found = valueOf(counted[1] ?? '', values) ?? [];
    return [String(counted[2] === undefined ? (found[0] ?? '').length : found.length)];
  }
  const [, indirect = '', name = '', index, rest = ''] = /^(!?)(\w+|[@*#?])(?:\[([^\]]*)\])?([\s\S]*)$/.exec(inside) ?? [];
  if (indirect === '!' && index !== undefined) return [];
  const found = valueOf(indirect === '!' ? (valueOf(name, values)?.[0] ?? '') : name, values);
  const value = index === undefined || index === '@' || index === '*' ? found : indexed(name, index, found, values);
  const [, operator, argument = ''] = operatorsOf.exec(rest) ?? [];
  if (operator === undefined) return value ?? [];
  if (operator === ':' && (name === '@' || index === '@')) {
    // A part of a list; positional arguments are counted from 1.
    const [from = 0, length] = argument.split(':').map((part) => arithmetic(part, values));
    const first = name === '@' ? Math.max(0, from - 1) : from;
    return (value ?? []).slice(first, length === undefined ? undefined : first + length);
  }
  return applied(operator, argument, name, value, values);
}

function indexed(
  name: string,
  index: string,
  found: readonly string[] | undefined,
  values: Values,
): readonly string[] | undefined {
  const key = expandText(index, values);
  const keyed = values.get(`${name}[${key}]`);
  if (keyed) return keyed;
  const one = /^-?\d+$/.test(key) ? found?.at(Number(key)) : undefined;
  return one === undefined ? undefined : [one];
}

function applied(
  operator: string,
  argument: string,
  name: string,
  value: readonly string[] | undefined,
  values: Values,
): readonly string[] {
  const text = value?.join(' ');
  const missing = text === undefined || (operator.startsWith(':') && text === '');
  if (operator.endsWith('+')) return missing ? [] : [expandText(argument, values)];
  if (/^:?[-=]$/.test(operator)) {
    if (!missing) return value ?? [];
    const given = [expandText(argument, values)];
    if (operator.endsWith('=')) values.set(name, given);
    return given;
  }
  if (operator.endsWith('?')) return value ?? [];
  const each = (change: (one: string) => string): string[] => (value ?? ['']).map(change);
  if (operator === ':') {
    const [from = 0, length] = argument.split(':').map((part) => arithmetic(part, values));
    return each((one) => one.slice(from, length === undefined ? undefined : from + length));
  }
  if (operator.startsWith('^'))
    return each((one) => (operator === '^^' ? one.toUpperCase() : one.charAt(0).toUpperCase() + one.slice(1)));
  if (operator.startsWith(','))
    return each((one) => (operator === ',,' ? one.toLowerCase() : one.charAt(0).toLowerCase() + one.slice(1)));
  if (operator.startsWith('/')) {
    const [, from = '', to = ''] = /^((?:\\.|[^/\\])*)\/?([\s\S]*)$/.exec(argument) ?? [];
    const pattern = new RegExp(glob(expandText(from, values)), operator === '//' ? 'g' : '');
    const put = expandText(to, values);
    return each((one) => one.replace(pattern, () => put));
  }
  const pattern = glob(expandText(argument, values), operator.length === 1);
  return each((one) => withoutEnd(one, pattern, operator));
}

function withoutEnd(text: string, pattern: string, operator: string): string {
  if (operator.startsWith('#')) return text.replace(new RegExp(`^(?:${pattern})`), '');
  const ends = Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) =>
    new RegExp(`^(?:${pattern})$`).test(text.slice(at)),
  );
  const at = operator === '%%' ? ends[0] : ends.at(-1);
  return at === undefined ? text : text.slice(0, at);
}

/** A shell pattern as a regular expression. */
export function glob(pattern: string, short = false): string {
  return pattern
    .replace(/[.+^$()|{}\\]/g, '\\$&')
    .replace(/\*/g, short ? '[\\s\\S]*?' : '[\\s\\S]*')
    .replace(/\?/g, '[\\s\\S]');
}

/** Whole numbers with the operators that scripts use; what is no expression is 0, as an unset variable is. */
export function arithmetic(expression: string, values: Values): number {
  const text = expandText(expression, values).replace(/[A-Za-z_]\w*/g, (name) => values.get(name)?.[0] ?? '0');
  const tokens = text.match(/\d+(\.\d+)?|\*\*|[-+*/%()]|[<>=!]=|[<>]|&&|\|\|/g) ?? [];
  let at = 0;
  const take = (...wanted: string[]): string | undefined => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined);
  const atom = (): number => {
    if (take('(')) {
      const inside = level(0);
      take(')');
      return inside;
    }
    if (take('-')) return -atom();
    const read = Number(tokens[at++]);
    return Number.isNaN(read) ? 0 : read;
  };
  const level = (depth: number): number => {
    const here = levels[depth];
    if (!here) return atom();
    let left = level(depth + 1);
    for (let sign = take(...here); sign !== undefined; sign = take(...here)) left = calculated(left, sign, level(depth + 1));
    return left;
  };
  return level(0);
}

const levels = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%'], ['**']];

function calculated(a: number, sign: string, b: number): number {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return Math.trunc(a / b);
    case '%':
      return a % b;
    case '**':
      return a ** b;
    case '&&':
      return Number(a !== 0 && b !== 0);
    case '||':
      return Number(a !== 0 || b !== 0);
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '<':
      return Number(a < b);
    case '>':
      return Number(a > b);
    case '<=':
      return Number(a <= b);
    default:
      return Number(a >= b);
  }
}
