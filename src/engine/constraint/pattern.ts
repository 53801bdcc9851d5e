/**
 * Regular expressions of JSON Schema as languages of JSON strings: literals, classes, groups, choices, repetition, and anchors at the ends.
 * What no automaton can do (looking around, going back) is refused.
 */
import { AgogeError } from '../../core/error.ts';
import { character, without, type CodePoints } from './characters.ts';
import type { Expression, Expressions } from './expression.ts';

const digit: CodePoints = [[0x30, 0x39]];
const word: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const space: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const controls: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, '0': 0 };

/** The strings in which a pattern is found, without their quotes. */
export function patternStrings(expressions: Expressions, source: string): Expression {
  return new PatternReader(expressions, source).read();
}

class PatternReader {
  private at = 0;
  private readonly anything: Expression;

  constructor(
    private readonly expressions: Expressions,
    private readonly source: string,
  ) {
    this.anything = expressions.repeat(character(expressions, without([])), 0);
  }

  read(): Expression {
    const choices: Expression[] = [];
    do choices.push(this.anchored());
    while (this.take('|'));
    if (this.at < this.source.length) this.refuse(`"${this.source[this.at] ?? ''}" stands where nothing begins`);
    return this.expressions.any(...choices);
  }

  /** One choice of the whole pattern, which may hold on to the start and the end of the string. */
  private anchored(): Expression {
    const start = this.take('^') ? this.expressions.empty : this.anything;
    const middle = this.parts();
    const end = this.take('$') ? this.expressions.empty : this.anything;
    return this.expressions.sequence(start, middle, end);
  }

  private choices(): Expression {
    const found = [this.parts()];
    while (this.take('|')) found.push(this.parts());
    return this.expressions.any(...found);
  }

  private parts(): Expression {
    const found: Expression[] = [];
    for (let next = this.source[this.at]; next !== undefined && !'|)$'.includes(next); next = this.source[this.at])
      found.push(this.repeated(this.part()));
    return this.expressions.sequence(...found);
  }

  private repeated(of: Expression): Expression {
    const count = /^(?:([*+?])|\{(\d+)(?:(,)(\d+)?)?\})\??/.exec(this.source.slice(this.at));
    if (!count) return of;
    this.at += count[0].length;
    const [, sign, least, comma, most] = count;
    if (sign) return this.expressions.repeat(of, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity);
    const low = Number(least);
    const high = comma === undefined ? low : most === undefined ? Infinity : Number(most);
    if (low > 1000 || (high !== Infinity && high > 10_000)) this.refuse('it repeats too often');
    return this.expressions.repeat(of, low, high);
  }

  private part(): Expression {
    if (this.take('(')) return this.group();
    return character(this.expressions, this.take('[') ? this.set() : this.single(false));
  }

  private group(): Expression {
    if (this.take('?')) {
      const named = /^<[A-Za-z_$][\w$]*>/.exec(this.source.slice(this.at));
      if (named) this.at += named[0].length;
      else if (!this.take(':')) this.refuse('it looks ahead or behind');
    }
    const inside = this.choices();
    if (!this.take(')')) this.refuse('a group does not end, or has an anchor in it');
    return inside;
  }

  /** A class in brackets, after the first one. */
  private set(): CodePoints {
    const negated = this.take('^');
    const points: (readonly [number, number])[] = [];
    while (!this.take(']')) {
      if (this.at >= this.source.length) this.refuse('a class does not end');
      const from = this.single(true);
      const [first] = from;
      if (
        from.length === 1 &&
        first &&
        first[0] === first[1] &&
        this.source[this.at] === '-' &&
        this.source[this.at + 1] !== ']'
      ) {
        this.at++;
        const [to] = this.single(true);
        if (!to || to[0] !== to[1] || to[0] < first[0]) this.refuse('a range of a class runs backwards');
        points.push([first[0], to[0]]);
      } else points.push(...from);
    }
    return negated ? without(points) : points;
  }

  /** One character or one class of characters. */
  private single(inSet: boolean): CodePoints {
    const point = this.source.codePointAt(this.at);
    if (point === undefined) this.refuse('it ends too early');
    const mark = String.fromCodePoint(point);
    this.at += mark.length;
    if (mark === '\\') return this.escape(inSet);
    if (inSet) return [[point, point]];
    if (mark === '.') return without(lineEnds);
    if ('^$*+?{}'.includes(mark)) this.refuse(`"${mark}" stands where it cannot be read`);
    return [[point, point]];
  }

  private escape(inSet: boolean): CodePoints {
    const mark = this.source[this.at++];
    if (mark === undefined) this.refuse('it ends with a backslash');
    const classes: Readonly<Record<string, CodePoints>> = { d: digit, w: word, s: space };
    const known = classes[mark.toLowerCase()];
    if (known) return mark === mark.toLowerCase() ? known : without(known);
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/.exec(this.source.slice(this.at - 1));
    if (code) {
      this.at += code[0].length - 1;
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
      return [[point, point]];
    }
    const control = controls[mark] ?? (inSet && mark === 'b' ? 0x08 : undefined);
    if (control !== undefined) return [[control, control]];
    if (/[A-Za-z0-9]/.test(mark)) this.refuse(`"\\${mark}" is not read here`);
    return [[mark.charCodeAt(0), mark.charCodeAt(0)]];
  }

  private take(mark: string): boolean {
    if (this.source[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private refuse(why: string): never {
    throw new AgogeError(
      'ENGINE_BAD_SCHEMA',
      `the pattern ${JSON.stringify(this.source)} cannot be followed (${why}): write it with literals, classes, groups, | and repetition`,
    );
  }
}
