/** What a word of a launch script stands for: variables, defaults, arrays, arithmetic. Nothing is run: the answers of commands are asked of the caller. */
import { arithmetic, type Variables } from './arithmetic.ts';
import { braceWords } from './braces.ts';
import { pieceEnd } from './lex.ts';

export interface Values extends Variables {
  /** The positional arguments `$1`, `$2`, and all that `$@` stands for. */
  readonly positional: readonly string[];
  readonly args: readonly string[];
  /** What `$( … )` prints, as far as it is known without running it. */
  output(command: string): string;
  /** A script does not go on without this one: `${NAME:?message}`. */
  lacks(name: string, message: string): never;
}

/** What unquoted values fall apart at; also what `"$*"` is joined with. */
export function bordersOf(values: Values): string {
  return values.get('IFS')?.[0] ?? ' \t\n';
}

/** The text of a here-document: as in quotes, with quotes of its own. */
export function expandDocument(text: string, values: Values): string {
  const fields = new Fields();
  quoted(text, values, fields);
  return fields.list.join(' ');
}

/** The words that one written word becomes. */
export function expandWord(word: string, values: Values): string[] {
  const fields = new Fields();
  for (const one of braceWords(word)) {
    fields.end();
    pieces(one, false, values, fields);
  }
  return fields.list;
}

/** What `(( … ))` comes to. */
export function calculated(expression: string, values: Values): number {
  return arithmetic(expandText(expression, values), values);
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

  get isOpen(): boolean {
    return this.open;
  }
}

function pieces(word: string, whole: boolean, values: Values, fields: Fields): void {
  for (let at = 0; at < word.length;) {
    const end = pieceEnd(word, at);
    const piece = variableEnd(word, at) > end ? word.slice(at, variableEnd(word, at)) : word.slice(at, end);
    at += piece.length;
    if (piece.startsWith("'")) fields.add(piece.slice(1, -1));
    else if (piece.startsWith("$'")) fields.add(escaped(piece.slice(2, -1)));
    else if (piece === '~' && at === 1 && /^(\/|$)/.test(word.slice(at))) fields.add(values.get('HOME')?.[0] ?? '~');
    else if (piece.startsWith('"')) quoted(piece.slice(1, -1), values, fields);
    else if (piece.startsWith('\\')) fields.add(piece.slice(1));
    else if (piece.startsWith('$') || piece.startsWith('`')) {
      const found = lookup(piece, values);
      if (whole) fields.add(found.join(glueOf(piece, values)));
      else split(found, bordersOf(values), fields);
    } else fields.add(piece);
  }
}

/** `$NAME` and `$1`, `$@` are longer than a sign. */
function variableEnd(word: string, at: number): number {
  const found = /^\$(\w+|[@*#?$!-])/.exec(word.slice(at));
  return found && !/^\$\d\w/.test(found[0]) ? at + found[0].length : found ? at + 2 : at;
}

/** What `$'…'` stands for. */
function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };
  return text.replace(/\\([\s\S])/g, (all, letter: string) => signs[letter] ?? all);
}

const wholeList = /^\$(@|\{(\w+\[@\]|@)(:[^}]*)?\})$/;

function quoted(text: string, values: Values, fields: Fields): void {
  // A list without elements is no word at all, even in quotes.
  if (wholeList.test(text) && lookup(text, values).length === 0) return;
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
      if (wholeList.test(piece)) separate(found, fields);
      else fields.add(piece === '$' ? '$' : found.join(glueOf(piece, values)));
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

/** `*` makes one text of a list, with the first of the borders between its elements. */
function glueOf(piece: string, values: Values): string {
  return /^\$(\*|\{(\w+\[\*\]|\*))/.test(piece) ? bordersOf(values).charAt(0) : ' ';
}

/** Unquoted values fall apart at blanks, or at what IFS says: each other sign is a border of its own, with nothing between two of them. */
function split(found: readonly string[], borders: string, fields: Fields): void {
  const [blanks, signs] = [/[ \t\n]/g, /[^ \t\n]/g].map((kind) =>
    (borders.match(kind) ?? []).map((sign) => (/\w/.test(sign) ? sign : `\\${sign}`)).join(''),
  );
  const blank = blanks === '' ? '(?!)' : `[${blanks}]`;
  const border = new RegExp(signs === '' ? `(${blank}+)` : `(${blank}*[${signs}]${blank}*|${blank}+)`);
  found.forEach((text, index) => {
    if (index > 0) fields.end();
    text.split(border).forEach((part, i) => {
      const isBorder = i % 2 === 1;
      if (part !== '' && !isBorder) fields.add(part);
      if (!isBorder) return;
      if (/[^ \t\n]/.test(part) && !fields.isOpen) fields.add('');
      fields.end();
    });
  });
}

function lookup(piece: string, values: Values): readonly string[] {
  if (piece.startsWith('$((')) return [String(calculated(piece.slice(3, -2), values))];
  if (piece.startsWith('$(')) return [values.output(piece.slice(2, -1)).trimEnd()];
  if (piece.startsWith('`')) return [values.output(piece.slice(1, -1)).trimEnd()];
  if (piece.startsWith('${')) return braced(piece.slice(2, -1), values);
  const name = piece.slice(1);
  if (name === '') return ['$'];
  const found = valueOf(name, values) ?? [];
  return name === '@' || name === '*' ? found : found.slice(0, 1);
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
  const counted = /^#(\w+)(?:\[([^\]]*)\])?$/.exec(inside);
  if (counted) {
    const [, name = '', index] = counted;
    const found = valueOf(name, values);
    if (index === '@' || index === '*') return [String((found ?? []).length)];
    const one = index === undefined ? found : indexed(name, index, found, values);
    return [String((one?.[0] ?? '').length)];
  }
  const [, indirect = '', name = '', index, rest = ''] = /^(!?)(\w+|[@*#?])(?:\[([^\]]*)\])?([\s\S]*)$/.exec(inside) ?? [];
  if (indirect === '!' && index !== undefined) return [];
  const found = valueOf(indirect === '!' ? (valueOf(name, values)?.[0] ?? '') : name, values);
  const all = index === '@' || index === '*' || name === '@' || name === '*';
  // An array without an index is its first element.
  const value = all ? found : index === undefined ? found?.slice(0, 1) : indexed(name, index, found, values);
  const [, operator, argument = ''] = operatorsOf.exec(rest) ?? [];
  if (operator === undefined) return value ?? [];
  if (operator === ':' && (name === '@' || index === '@')) {
    // A part of a list; positional arguments are counted from 1.
    const [from = 0, length] = argument.split(':').map((part) => calculated(part, values));
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
  const one = found?.at(arithmetic(key, values));
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
  if (operator.endsWith('?')) {
    if (!missing) return value ?? [];
    return values.lacks(name, expandText(argument, values) || `parameter ${operator === '?' ? '' : 'null or '}not set`);
  }
  const each = (change: (one: string) => string): string[] => (value ?? ['']).map(change);
  if (operator === ':') {
    const [from = 0, length] = argument.split(':').map((part) => calculated(part, values));
    return each((one) => one.slice(from, length === undefined ? undefined : from + length));
  }
  if (operator.startsWith('^'))
    return each((one) => (operator === '^^' ? one.toUpperCase() : one.charAt(0).toUpperCase() + one.slice(1)));
  if (operator.startsWith(','))
    return each((one) => (operator === ',,' ? one.toLowerCase() : one.charAt(0).toLowerCase() + one.slice(1)));
  if (operator.startsWith('/')) {
    const [, from = '', to = ''] = /^((?:\\.|[^/\\])*)\/?([\s\S]*)$/.exec(argument) ?? [];
    const anchor = operator === '/' ? /^[#%]/.exec(from)?.[0] : undefined;
    const sought = glob(expandText(anchor === undefined ? from : from.slice(1), values));
    const pattern = new RegExp(
      anchor === '#' ? `^(?:${sought})` : anchor === '%' ? `(?:${sought})$` : sought,
      operator === '//' ? 'g' : '',
    );
    const put = expandText(to, values);
    return each((one) => one.replace(pattern, () => put));
  }
  const pattern = new RegExp(`^(?:${glob(expandText(argument, values))})$`);
  return each((one) => withoutEnd(one, pattern, operator));
}

function withoutEnd(text: string, pattern: RegExp, operator: string): string {
  const places = Array.from({ length: text.length + 1 }, (_, at) => at);
  const front = operator.startsWith('#');
  const fits = places.filter((at) => pattern.test(front ? text.slice(0, at) : text.slice(at)));
  // The shortest piece in front ends first, the shortest at the end begins last.
  const at = (operator.length === 1) === front ? fits[0] : fits.at(-1);
  if (at === undefined) return text;
  return front ? text.slice(at) : text.slice(0, at);
}

/** A shell pattern as a regular expression. */
export function glob(pattern: string): string {
  return pattern
    .replace(/[.+^$()|{}\\]/g, '\\$&')
    .replace(/\*/g, '[\\s\\S]*')
    .replace(/\?/g, '[\\s\\S]')
    .replace(/\[!/g, '[^');
}
