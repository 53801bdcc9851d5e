/**
 * Finds the translation of a text that was written out in English, with its values in place. A catalogue maps English sentences to
 * Chinese ones; `…` stands for any value and `{n}` for a number, and the Chinese names them by their places: {1}, {2}. So the source
 * says plain English where it has something to say, and a sentence without a translation is still a sentence.
 */

import { widthOf } from '../../core/width.ts';

/** English → Chinese. */
export type Texts = Readonly<Record<string, string>>;

interface Form {
  /** What stands before, between and after the values. */
  readonly literals: readonly string[];
  readonly numbers: readonly boolean[];
  readonly chinese: string;
}

interface Book {
  readonly whole: ReadonlyMap<string, string>;
  /** Those that say most come first: they fit fewest texts by chance. */
  readonly forms: readonly Form[];
}

/** What is longer is no sentence, and is not looked into. */
const longest = 4000;
const number = /^(?:[-−+]?[\d.,]+(?:e[-+]?\d+)?(?: ?%)?|–)$/;
/** A value within one cell of a table, and within one part of a line. */
const oneCell = /^(?!.*(?: {2}| · ))/s;
const oneLine = /^[^\n]*$/;
/** What a line may begin with, whatever follows. */
const mark = /^(\s*(?:agoge: |→ |#+ |#|- |… )?)(.*)$/s;
const code = /^(.*?)( \[[A-Z]+_[A-Z0-9_]+\])$/s;

export class Translator {
  /** For any line. */
  private readonly lines: Book;
  /** For errors and what stands within other sentences. */
  private readonly errors: Book;

  /** Of what `errors` say, that which has few words of its own ("… failed", "a list") is taken where it is known to be of an error. */
  constructor(texts: Texts, errors: Texts = {}) {
    const own = Object.entries(errors).filter(([english]) => english.replaceAll(/…|\{n\}/g, '').length >= 16);
    this.lines = bookOf({ ...texts, ...Object.fromEntries(own) });
    this.errors = bookOf({ ...texts, ...errors });
  }

  /** Of one or several lines. */
  text(english: string): string {
    // A sentence that goes over several lines has its breaks itself: a value that had one would be the lines below it.
    const known = english.includes('\n') ? this.marked(english, oneLine) : undefined;
    if (known !== undefined) return known;
    const lines = english.split('\n');
    return lines.map((line, i) => this.row(line, lines[i + 1]?.startsWith('| ---') === true) ?? this.line(line)).join('\n');
  }

  /** Of a table in Markdown. Its columns and cells have words of their own (`| arm`, `|| more`); what a row begins with is a name. */
  private row(line: string, head: boolean): string | undefined {
    if (!line.startsWith('| ') || !line.endsWith(' |')) return undefined;
    const cells = line.slice(2, -2).split(' | ');
    const told = cells.map((cell, i) => {
      if (head) return this.find(`| ${cell}`);
      return i === 0 && !cell.includes(' ') ? undefined : (this.lines.whole.get(`|| ${cell}`) ?? this.find(cell));
    });
    return `| ${cells.map((cell, i) => told[i] ?? cell).join(' | ')} |`;
  }

  /** What reaches over the gaps of a table is no sentence, unless nothing else is found. */
  private line(line: string): string {
    return this.marked(line, oneCell) ?? this.parts(line) ?? this.cells(line) ?? this.marked(line) ?? line;
  }

  /** A sentence, without what may stand before it and an error's code behind it. */
  private marked(line: string, fits?: RegExp): string | undefined {
    const [, before = '', rest = ''] = mark.exec(line) ?? [];
    const [, sentence = rest, after = ''] = code.exec(rest) ?? [];
    const found = after === '' ? this.find(sentence, fits) : this.error(sentence);
    return found === undefined ? undefined : `${before}${found}${after}`;
  }

  /** `undefined` where it is not known; `fits`: what every value must be. */
  private find(sentence: string, fits?: RegExp, { whole, forms } = this.lines): string | undefined {
    const exact = whole.get(sentence);
    if (exact !== undefined) return exact;
    for (const form of forms) {
      const values = valuesOf(form, sentence);
      if (values?.every((value) => fits?.test(value) ?? true) !== true) continue;
      return filled(
        form.chinese,
        values.map((value) => this.value(value)),
      );
    }
    return undefined;
  }

  /** A value may be a sentence of ours; a single word is somebody's name. */
  private value(value: string): string {
    return value.includes(' ') ? (this.error(value) ?? value) : value;
  }

  /** A sentence, or several: one and its cause behind a colon, some with semicolons between them. */
  private error(text: string): string | undefined {
    const known = this.find(text, undefined, this.errors);
    if (known !== undefined || text.length > longest) return known;
    if (/[^.]\.$/.test(text)) {
      const sentence = this.error(text.slice(0, -1));
      if (sentence !== undefined) return `${sentence}。`;
    }
    const colons = [...text.matchAll(/: /g)].map(({ index }) => index);
    for (const colon of colons.toReversed()) {
      const head = this.find(text.slice(0, colon), undefined, this.errors);
      if (head !== undefined) return `${head}：${this.value(text.slice(colon + 2))}`;
    }
    const pieces = text.split('; ').map((piece) => [piece, piece === text ? undefined : this.error(piece)] as const);
    if (pieces.some(([, found]) => found !== undefined)) return pieces.map(([piece, found]) => found ?? piece).join('；');
    for (const colon of colons) {
      const tail = this.find(text.slice(colon + 2), undefined, this.errors);
      if (tail !== undefined) return `${text.slice(0, colon)}：${tail}`;
    }
    return undefined;
  }

  /** What is set apart by dots in the middle, or by commas where all of it is known. */
  private parts(line: string): string | undefined {
    const [, before = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
    const dots = line.split(' · ').map((part) => this.find(part));
    if (dots.length > 1 && dots.some((part) => part !== undefined))
      return line
        .split(' · ')
        .map((part, i) => dots[i] ?? part)
        .join(' · ');
    const commas = rest.split(', ').map((part) => this.find(part));
    return commas.length > 1 && commas.every((part) => part !== undefined) ? before + commas.join('，') : undefined;
  }

  /** A line of a table: a cell begins in the column where it began, unless the one before it has become wider. */
  private cells(line: string): string | undefined {
    if (!/\S {2,}\S/.test(line)) return undefined;
    let column = 0;
    let told = '';
    let known = false;
    for (const part of line.match(/\S+(?: \S+)*| +/g) ?? []) {
      if (part.trim() !== '') {
        const gap = told === '' ? column : Math.max(2, column - widthOf(told));
        const found = this.find(part);
        known ||= found !== undefined;
        told += ' '.repeat(gap) + (found ?? part);
      }
      column += widthOf(part);
    }
    return known ? told : undefined;
  }
}

function bookOf(texts: Texts): Book {
  const entries = Object.entries(texts);
  const forms = entries.filter(([english]) => /…|\{n\}/.test(english)).map(([english, chinese]) => formOf(english, chinese));
  // A text may have a … of its own where others have a value.
  const whole = new Map(entries.map(([english, chinese]) => [english, chinese.replaceAll(/\{\d\}/g, '…')]));
  return { whole, forms: forms.sort((a, b) => said(b) - said(a)) };
}

function formOf(english: string, chinese: string): Form {
  const numbers = (english.match(/…|\{n\}/g) ?? []).map((place) => place === '{n}');
  return { literals: english.split(/…|\{n\}/), numbers, chinese };
}

function said({ literals, numbers }: Form): number {
  return literals.join('').length + numbers.filter(Boolean).length;
}

/** What stands where the form has its places; undefined where the text is another one. Each literal is taken where it comes first. */
function valuesOf({ literals, numbers }: Form, text: string): string[] | undefined {
  const [first = '', ...rest] = literals;
  const last = rest.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [i, literal] of rest.entries()) {
    const end = i === rest.length - 1 ? text.length - last.length : text.indexOf(literal, at);
    if (end < at) return undefined;
    const value = text.slice(at, end);
    if (numbers[i] === true && !number.test(value)) return undefined;
    values.push(value);
    at = end + literal.length;
  }
  return values;
}

/** Between Chinese characters and letters or digits stands a space, between Chinese ones none, whatever the values are. */
function filled(chinese: string, values: readonly string[]): string {
  const parts = chinese.split(/\{(\d)\}/).map((part, i) => (i % 2 === 0 ? part : (values[Number(part) - 1] ?? `{${part}}`)));
  return parts.reduce((left, right) => {
    if (right === '' || left === '') return left + right;
    const edge = `${left.trimEnd().at(-1) ?? ''}${right.trimStart().charAt(0)}`;
    if (/^[\p{Script=Han}。，；：？]{2}$/u.test(edge)) return left.trimEnd() + right.trimStart();
    return /^(?:\p{Script=Han}[\w"'$./<@~-]|[\w"'%)>\]]\p{Script=Han})$/u.test(edge)
      ? `${left.trimEnd()} ${right.trimStart()}`
      : left + right;
  });
}
