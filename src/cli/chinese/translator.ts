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

const number = /^(?:[-−+]?[\d.,]+(?:e[-+]?\d+)?(?: ?%)?|–)$/;
/** A value within one cell of a table, and within one part of a line. */
const oneCell = /^(?!.*(?: {2}| · ))/s;
/** What a line may begin with, whatever follows. */
const mark = /^(\s*(?:agoge: |→ |# |#|- |… )?)(.*)$/s;
const code = /^(.*?)( \[[A-Z]+_[A-Z0-9_]+\])$/s;

export class Translator {
  private readonly whole: ReadonlyMap<string, string>;
  /** Those that say most come first: they fit fewest texts by chance. */
  private readonly forms: readonly Form[];

  constructor(texts: Texts) {
    const entries = Object.entries(texts);
    this.whole = new Map(entries);
    this.forms = entries
      .filter(([english]) => /…|\{n\}/.test(english))
      .map(([english, chinese]) => formOf(english, chinese))
      .sort((a, b) => said(b) - said(a));
  }

  /** Of one or several lines. */
  text(english: string): string {
    const known = english.includes('\n') ? this.marked(english) : undefined;
    return (
      known ??
      english
        .split('\n')
        .map((line) => this.line(line))
        .join('\n')
    );
  }

  /** What reaches over the gaps of a table is no sentence, unless nothing else is found. */
  private line(line: string): string {
    return this.marked(line, oneCell) ?? this.parts(line) ?? this.cells(line) ?? this.marked(line) ?? line;
  }

  /** A sentence, without what may stand before it and an error's code behind it. */
  private marked(line: string, fits?: RegExp): string | undefined {
    const [, before = '', rest = ''] = mark.exec(line) ?? [];
    const [, sentence = rest, after = ''] = code.exec(rest) ?? [];
    const found = this.find(sentence, fits);
    return found === undefined ? undefined : `${before}${found}${after}`;
  }

  /** `undefined` where it is not known; `fits`: what every value must be. */
  private find(sentence: string, fits?: RegExp): string | undefined {
    const exact = this.whole.get(sentence);
    if (exact !== undefined) return exact;
    for (const form of this.forms) {
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
    return value.includes(' ') ? (this.find(value) ?? value) : value;
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

function filled(chinese: string, values: readonly string[]): string {
  return chinese.replace(/\{(\d)\}/g, (place, digit: string) => values[Number(digit) - 1] ?? place);
}
