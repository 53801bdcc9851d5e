/**
 * Values as AgentGym's tool servers have them in Python: read from the text of a literal (never run), printed by `str`, compared by `==`.
 * JSON is read too, so `true` and `null` are understood, which the originals refuse.
 */
import { pythonFloat, pythonRepr } from './repr.ts';

/** A float that happens to be whole: Python prints it `3.0`. Other numbers are printed as they are. */
class Float {
  constructor(readonly value: number) {}
}

export type Value = null | boolean | number | string | Float | readonly Value[] | { readonly [key: string]: Value };

/** A value as JSON has it. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

export function float(value: number): Value {
  return Number.isInteger(value) ? new Float(value) : value;
}

/** The number in a value (True is 1, as in Python), or undefined. */
export function numberIn(value: Value | undefined): number | undefined {
  if (value instanceof Float) return value.value;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

export function isDict(value: Value | undefined): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/** `str(value)`. */
export function str(value: Value): string {
  return typeof value === 'string' ? value : repr(value);
}

export function repr(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return pythonRepr(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value instanceof Float) return Object.is(value.value, -0) ? '-0.0' : pythonFloat(value.value);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : pythonFloat(value);
  if (isList(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${pythonRepr(key)}: ${repr(item)}`)
    .join(', ')}}`;
}

/** `a == b`. */
export function equal(a: Value, b: Value): boolean {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined || right !== undefined) return left === right;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, at) => equal(item, b[at] ?? null));
  if (isDict(a) && isDict(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
    );
  }
  return a === b;
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** `type(value).__name__`. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Float) return 'float';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return isList(value) ? 'list' : 'dict';
}

/** The pair of values that Python cannot order: what `sorted` raises its TypeError about. */
export class Unordered extends Error {
  constructor(a: Value, b: Value) {
    super(`'<' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  }
}

/** `sorted(list)`: numbers, texts, and lists of them; throws Unordered for what Python cannot order. */
export function sorted(list: readonly Value[]): readonly Value[] {
  // Python compares each value with the one before it first, so the first pair that differs in kind is the one it names.
  for (const [at, value] of list.slice(1).entries()) order(value, list[at] ?? null);
  return [...list].sort(order);
}

function order(a: Value, b: Value): number {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined && right !== undefined) return left - right;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (!isList(a) || !isList(b)) throw new Unordered(a, b);
  const differ = a.findIndex((item, at) => at >= b.length || !equal(item, b[at] ?? null));
  return differ < 0 || differ >= b.length ? a.length - b.length : order(a[differ] ?? null, b[differ] ?? null);
}

const DEPTH = 50;

/** The value that a literal means, or undefined where the text is none. Tuples are lists here. */
export function parseLiteral(text: string): Value | undefined {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

/** The value that a text begins with, and how long it is. */
export function literalPrefix(text: string): { readonly value: Value; readonly length: number } | undefined {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    return { value, length: reader.position };
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

/** The same as a value of JSON. */
export function plain(value: Value): Plain {
  if (value instanceof Float) return value.value;
  if (isList(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

class NoLiteral extends Error {}

const words: Readonly<Record<string, Value>> = { True: true, true: true, False: false, false: false, None: null, null: null };
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\n': '',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  get position(): number {
    return this.at;
  }

  atEnd(): boolean {
    this.blank();
    return this.at === this.text.length;
  }

  value(depth: number): Value {
    this.blank();
    if (depth > DEPTH) throw new NoLiteral();
    const open = this.text[this.at] ?? '';
    if (open === '{') return this.dict(depth);
    if (open === '[') return this.list(']', depth);
    if (open === '(') return this.list(')', depth);
    if (open === '"' || open === "'") return this.string(open);
    return this.number() ?? this.word();
  }

  private list(close: string, depth: number): Value {
    const items: Value[] = [];
    this.at++;
    while (!this.took(close)) {
      items.push(this.value(depth + 1));
      if (this.took(',')) continue;
      if (this.took(close)) return close === ')' && items.length === 1 ? (items[0] ?? null) : items;
      throw new NoLiteral();
    }
    return items;
  }

  private dict(depth: number): Value {
    const entries: [string, Value][] = [];
    this.at++;
    while (!this.took('}')) {
      const key = str(this.value(depth + 1));
      if (!this.took(':')) throw new NoLiteral();
      entries.push([key, this.value(depth + 1)]);
      if (this.took(',')) continue;
      if (this.took('}')) break;
      throw new NoLiteral();
    }
    return Object.fromEntries(entries);
  }

  private string(quote: string): string {
    let out = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at] ?? '';
      if (character === quote) {
        this.at++;
        return out;
      }
      out += character === '\\' ? this.escape() : character;
    }
    throw new NoLiteral();
  }

  private escape(): string {
    const [code] =
      /^(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|[0-7]{1,3})/.exec(this.text.slice(this.at + 1, this.at + 10)) ?? [];
    if (code !== undefined) {
      this.at += code.length;
      const point = /^\d/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
      if (point > 0x10ffff) throw new NoLiteral();
      return String.fromCodePoint(point);
    }
    const letter = this.text[++this.at] ?? '';
    if (/[uxUN]/.test(letter)) throw new NoLiteral();
    return escapes[letter] ?? (/[\\'"/]/.test(letter) ? letter : `\\${letter}`);
  }

  private number(): Value | undefined {
    const [found] = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(this.text.slice(this.at, this.at + 400)) ?? [];
    if (found === undefined) return undefined;
    this.at += found.length;
    const value = Number(found);
    if (!Number.isFinite(value)) throw new NoLiteral();
    return /[.eE]/.test(found) ? float(value) : value;
  }

  private word(): Value {
    const [found = ''] = /^\w+/.exec(this.text.slice(this.at, this.at + 10)) ?? [];
    this.at += found.length;
    const value = Object.hasOwn(words, found) ? words[found] : undefined;
    if (value === undefined) throw new NoLiteral();
    return value;
  }

  private took(sign: string): boolean {
    this.blank();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private blank(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }
}
