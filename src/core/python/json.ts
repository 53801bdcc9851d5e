/**
 * JSON as Python's json module reads it: NaN and Infinity count as numbers, and a failure carries Python's words and
 * position, which FastAPI puts into its 422 answer. Only text that JSON.parse refuses comes here.
 */

export class PythonJsonError extends Error {
  constructor(
    message: string,
    /** In code points, as Python counts. */
    readonly position: number,
  ) {
    super(message);
  }
}

/** The value, or throws PythonJsonError (RangeError when nested too deeply). */
export function parsePythonJson(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    const reader = new Reader(source);
    return reader.document();
  }
}

const blank = /[ \t\n\r]*/y;
const numeral = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;
const words: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  document(): unknown {
    this.skip();
    const value = this.value();
    this.skip();
    if (this.at < this.source.length) this.fail('Extra data', this.at);
    return value;
  }

  private value(): unknown {
    const first = this.source[this.at];
    if (first === '"') return this.string();
    if (first === '{' || first === '[') {
      if (++this.depth > 900) throw new RangeError('nested too deeply');
      const value = first === '{' ? this.object() : this.array();
      this.depth--;
      return value;
    }
    for (const [word, value] of words) {
      if (this.source.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    numeral.lastIndex = this.at;
    const number = numeral.exec(this.source);
    if (!number) this.fail('Expecting value', this.at);
    this.at += number[0].length;
    return Number(number[0]);
  }

  private object(): Record<string, unknown> {
    const pairs: [string, unknown][] = [];
    this.at++;
    this.skip();
    if (this.take('}')) return {};
    for (;;) {
      if (this.source[this.at] !== '"') this.fail('Expecting property name enclosed in double quotes', this.at);
      const name = this.string();
      this.skip();
      if (!this.take(':')) this.fail("Expecting ':' delimiter", this.at);
      this.skip();
      pairs.push([name, this.value()]);
      this.skip();
      if (this.take('}')) return Object.fromEntries(pairs);
      if (!this.take(',')) this.fail("Expecting ',' delimiter", this.at);
      this.skip();
    }
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.at++;
    this.skip();
    if (this.take(']')) return items;
    for (;;) {
      items.push(this.value());
      this.skip();
      if (this.take(']')) return items;
      if (!this.take(',')) this.fail("Expecting ',' delimiter", this.at);
      this.skip();
    }
  }

  private string(): string {
    const start = this.at++;
    let text = '';
    for (;;) {
      const character = this.source[this.at];
      if (character === undefined) this.fail('Unterminated string starting at', start);
      if (character === '"') {
        this.at++;
        return text;
      }
      if (character < ' ') this.fail('Invalid control character at', this.at);
      if (character !== '\\') {
        text += character;
        this.at++;
        continue;
      }
      const escape = this.source[this.at + 1];
      if (escape === undefined) this.fail('Unterminated string starting at', start);
      if (escape === 'u') {
        const hex = this.source.slice(this.at + 2, this.at + 6);
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.fail('Invalid \\uXXXX escape', this.at + 1);
        text += String.fromCharCode(parseInt(hex, 16));
        this.at += 6;
      } else {
        const plain = escapes[escape];
        if (plain === undefined) this.fail('Invalid \\escape', this.at);
        text += plain;
        this.at += 2;
      }
    }
  }

  private skip(): void {
    blank.lastIndex = this.at;
    blank.exec(this.source);
    this.at = blank.lastIndex;
  }

  private take(character: string): boolean {
    if (this.source[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private fail(message: string, at: number): never {
    throw new PythonJsonError(message, Array.from(this.source.slice(0, at)).length);
  }
}
