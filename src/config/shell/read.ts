/** What `read` and `mapfile` make of the text that a script gives them (`<<<`, `<<EOF`), with the borders that IFS names. */

/** Read from the front, line by line. */
export interface Input {
  readonly text: string;
  at: number;
}

/** A sign behind a backslash is never a border. */
interface Sign {
  readonly char: string;
  readonly plain: boolean;
}

export interface ReadOptions {
  /** `-r`: a backslash is a sign like others. */
  readonly raw: boolean;
  /** `-d`: what a line ends with; '' where it is all that there is. */
  readonly end: string;
  /** `-a`: into an array. */
  readonly array: string | undefined;
  readonly names: readonly string[];
}

/** The words behind `read`; undefined where it reads what only the other machine has (a number of signs, another file). */
export function readOptions(words: readonly string[]): ReadOptions | undefined {
  let [raw, end, array]: [boolean, string, string | undefined] = [false, '\n', undefined];
  let at = 0;
  for (; /^-[a-zA-Z]/.test(words[at] ?? ''); at++) {
    const [, letters = '', withValue, attached = ''] = /^-([ers]*)([adptinNu])?([\s\S]*)$/.exec(words[at] ?? '') ?? [];
    if (letters.includes('r')) raw = true;
    if (withValue === undefined) continue;
    if (/[nNu]/.test(withValue)) return undefined;
    const value = attached === '' ? (words[++at] ?? '') : attached;
    if (withValue === 'a') array = value;
    if (withValue === 'd') end = value.charAt(0);
  }
  return { raw, end, array, names: words.slice(at) };
}

/** The next line as names and values; undefined at the end of the text. */
export function readValues(input: Input, options: ReadOptions, ifs: string): ReadonlyMap<string, readonly string[]> | undefined {
  if (input.at >= input.text.length) return undefined;
  const line = nextLine(input, options);
  const { array, names } = options;
  if (array !== undefined) return new Map([[array, fieldsOf(line, ifs)]]);
  if (names.length === 0) return new Map([['REPLY', [textOf(line)]]]);
  const rest = withoutBlanks(line, ifs);
  const values = new Map<string, readonly string[]>();
  names.forEach((name, i) => values.set(name, [i < names.length - 1 ? nextField(rest, ifs) : lastField(rest, ifs)]));
  return values;
}

/** `mapfile -t`: a line each. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function nextLine(input: Input, { raw, end }: ReadOptions): Sign[] {
  const line: Sign[] = [];
  while (input.at < input.text.length) {
    const char = input.text.charAt(input.at++);
    if (char === end) break;
    if (raw || char !== '\\') line.push({ char, plain: true });
    else {
      const escaped = input.text.charAt(input.at++);
      if (escaped !== '' && escaped !== '\n') line.push({ char: escaped, plain: false });
    }
  }
  return line;
}

function fieldsOf(line: readonly Sign[], ifs: string): string[] {
  const rest = withoutBlanks(line, ifs);
  const fields: string[] = [];
  while (rest.length > 0) fields.push(nextField(rest, ifs));
  return fields;
}

/** Takes a field and the one border behind it. */
function nextField(rest: Sign[], ifs: string): string {
  const border = rest.findIndex((sign) => isBorder(sign, ifs));
  const field = rest.splice(0, border < 0 ? rest.length : border);
  dropBlanks(rest, ifs);
  const [first] = rest;
  if (first && isBorder(first, ifs)) {
    rest.shift();
    dropBlanks(rest, ifs);
  }
  return textOf(field);
}

/** All that is left, without a border at the end where only one field is left. */
function lastField(rest: Sign[], ifs: string): string {
  const all = [...rest];
  const field = nextField(rest, ifs);
  if (rest.length === 0) return field;
  while (all.length > 0 && isBlank(all.at(-1), ifs)) all.pop();
  return textOf(all);
}

function withoutBlanks(line: readonly Sign[], ifs: string): Sign[] {
  const rest = [...line];
  dropBlanks(rest, ifs);
  return rest;
}

function dropBlanks(rest: Sign[], ifs: string): void {
  const first = rest.findIndex((sign) => !isBlank(sign, ifs));
  rest.splice(0, first < 0 ? rest.length : first);
}

function isBorder({ char, plain }: Sign, ifs: string): boolean {
  return plain && ifs.includes(char);
}

function isBlank(sign: Sign | undefined, ifs: string): boolean {
  return sign !== undefined && isBorder(sign, ifs) && /[ \t\n]/.test(sign.char);
}

function textOf(signs: readonly Sign[]): string {
  return signs.map(({ char }) => char).join('');
}
