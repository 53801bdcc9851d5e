/** Reads Python literals (dictionaries, lists, tuples, texts, numbers, True, False, None), as prompt files assign them. Nothing is run. */

/** What a text has in place of a literal, such as `no "prompt = {…}"`: whoever reads knows the file, and says what to write. */
export class NotALiteral extends Error {
  override readonly name = 'NotALiteral';
}

/** The value of `name = <literal>` in a Python file; throws NotALiteral. */
export function pythonAssignment(source: string, name: string): unknown {
  const start = new RegExp(`^${name}\\s*=\\s*`, 'm').exec(source);
  if (!start) throw new NotALiteral(`no "${name} = {…}"`);
  return new Reader(source, start.index + start[0].length).value();
}

/** A call such as `get_by_role("link", name="Forums")`: positional literals, then named ones. */
export interface PythonCall {
  readonly name: string;
  readonly arguments: readonly unknown[];
  readonly keywords: Readonly<Record<string, unknown>>;
}

/** Reads one call whose arguments are literals; undefined for any other text. */
export function pythonCall(source: string): PythonCall | undefined {
  const [head, name = ''] = /^\s*([A-Za-z_]\w*)\s*\(/.exec(source) ?? [];
  if (head === undefined) return undefined;
  try {
    const given = new Reader(source, head.length).parameters();
    return { name, ...given };
  } catch (thrown) {
    if (thrown instanceof NotALiteral) return undefined;
    throw thrown;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

class Reader {
  constructor(
    private readonly source: string,
    private at: number,
  ) {}

  value(): unknown {
    this.blanks();
    const next = this.source[this.at];
    if (next === '{') return this.dictionary();
    if (next === '[') return this.list(']');
    if (next === '(') return this.list(')');
    if (this.textStart()) return this.texts();
    const word = /^(?:True|False|None|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/.exec(this.source.slice(this.at, this.at + 40))?.[0];
    if (word === undefined) throw this.stuck();
    this.at += word.length;
    if (word === 'None') return null;
    return word === 'True' || word === 'False' ? word === 'True' : Number(word);
  }

  /** What stands between the parentheses of a call, which must be all there is. */
  parameters(): Pick<PythonCall, 'arguments' | 'keywords'> {
    const values: unknown[] = [];
    const keywords = new Map<string, unknown>();
    while (!this.ends(')')) {
      const name = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(this.source.slice(this.at, this.at + 80));
      if (name) {
        this.at += name[0].length;
        if (keywords.has(name[1] ?? '')) throw this.stuck();
        keywords.set(name[1] ?? '', this.value());
      } else if (keywords.size > 0) throw this.stuck();
      else values.push(this.value());
      this.comma(')');
    }
    this.blanks();
    if (this.at < this.source.length) throw this.stuck();
    return { arguments: values, keywords: Object.fromEntries(keywords) };
  }

  private dictionary(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.at++;
    while (!this.ends('}')) {
      const key = this.value();
      if (typeof key !== 'string') throw this.stuck();
      this.expect(':');
      entries.push([key, this.value()]);
      this.comma('}');
    }
    return Object.fromEntries(entries);
  }

  /** A list or a tuple; parentheses around one value without a comma are only parentheses. */
  private list(end: ']' | ')'): unknown {
    const items: unknown[] = [];
    let commas = 0;
    this.at++;
    while (!this.ends(end)) {
      items.push(this.value());
      if (this.comma(end)) commas++;
    }
    return end === ')' && items.length === 1 && commas === 0 ? items[0] : items;
  }

  /** Texts that stand side by side are one. */
  private texts(): string {
    let text = '';
    while (this.textStart()) {
      text += this.text();
      this.blanks();
    }
    return text;
  }

  private textStart(): boolean {
    return /^(?:[rRuU]?)["']/.test(this.source.slice(this.at, this.at + 2));
  }

  private text(): string {
    const raw = /[rR]/.test(this.source[this.at] ?? '');
    if (/[rRuU]/.test(this.source[this.at] ?? '')) this.at++;
    const one = this.source[this.at] ?? '';
    const quote = this.source.startsWith(one.repeat(3), this.at) ? one.repeat(3) : one;
    this.at += quote.length;
    let text = '';
    while (!this.source.startsWith(quote, this.at)) {
      const character = this.source[this.at];
      if (character === undefined) throw this.stuck();
      this.at++;
      text += character === '\\' ? this.escape(raw) : character;
    }
    this.at += quote.length;
    return text;
  }

  private escape(raw: boolean): string {
    const rest = this.source.slice(this.at, this.at + 9);
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(rest);
    if (code && !raw) {
      const [whole, two, four, eight, octal = ''] = code;
      const point = octal === '' ? Number.parseInt(two ?? four ?? eight ?? '', 16) : Number.parseInt(octal, 8);
      if (point > 0x10ffff) throw this.stuck();
      this.at += whole.length;
      return String.fromCodePoint(point);
    }
    const next = this.source[this.at] ?? '';
    this.at++;
    return raw ? `\\${next}` : (ESCAPES[next] ?? `\\${next}`);
  }

  private ends(end: string): boolean {
    this.blanks();
    if (this.source[this.at] !== end) {
      if (this.at >= this.source.length) throw this.stuck();
      return false;
    }
    this.at++;
    return true;
  }

  private comma(end: string): boolean {
    this.blanks();
    if (this.source[this.at] === ',') {
      this.at++;
      return true;
    }
    if (this.source[this.at] !== end) throw this.stuck();
    return false;
  }

  private expect(sign: string): void {
    this.blanks();
    if (this.source[this.at] !== sign) throw this.stuck();
    this.at++;
  }

  private blanks(): void {
    const blank = /(?:\s|#[^\n]*|\\\n)*/y;
    blank.lastIndex = this.at;
    this.at += blank.exec(this.source)?.[0].length ?? 0;
  }

  private stuck(): NotALiteral {
    const line = this.source.slice(0, this.at).split('\n').length;
    return new NotALiteral(`something other than a literal in line ${line}`);
  }
}
