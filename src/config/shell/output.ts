/** What common commands print inside `$( … )`, known without running them: dates, folders, names. Undefined: only the other machine knows. */
import { basename, dirname, resolve } from 'node:path';

export function outputOf(commands: readonly (readonly string[])[], start: string): string | undefined {
  let folder = start;
  let text = '';
  for (const [name = '', ...given] of commands) {
    const args = given.filter((word) => word !== '--');
    const [first = ''] = args;
    if (name === 'cd') folder = resolve(folder, first);
    else if (name === 'pwd') text = folder;
    else if (name === 'date') text = date(args.find((word) => word.startsWith('+'))?.slice(1) ?? '%Y-%m-%d', new Date());
    else if (name === 'basename') text = basename(first, args[1]);
    else if (name === 'dirname') text = dirname(first);
    else if (name === 'realpath' || name === 'readlink') text = resolve(folder, args.at(-1) ?? '');
    else if (name === 'echo') text = args.slice(args.findIndex((word) => !/^-[neE]+$/.test(word))).join(' ');
    else if (name === 'printf') {
      const written = formatted(args);
      if (written === undefined) return undefined;
      text = written;
    } else if (name === 'tr' || name === 'sed') {
      const changed = (name === 'tr' ? translated : substituted)(text, args);
      if (changed === undefined) return undefined;
      text = changed;
    } else if (name === 'seq') text = sequence(args.map(Number));
    else if (name === 'whoami') text = 'user';
    else if (name === 'hostname') text = 'host';
    else return undefined;
  }
  return text;
}

function date(format: string, now: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const parts: Readonly<Record<string, string>> = {
    Y: String(now.getFullYear()),
    y: two(now.getFullYear() % 100),
    m: two(now.getMonth() + 1),
    d: two(now.getDate()),
    H: two(now.getHours()),
    M: two(now.getMinutes()),
    S: two(now.getSeconds()),
    F: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    T: `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`,
    s: String(Math.floor(now.getTime() / 1000)),
  };
  return format.replace(/%(.)/g, (all, letter: string) => parts[letter] ?? all);
}

function sequence(numbers: readonly number[]): string {
  const [from = 1, to = from] = numbers.length === 1 ? [1, numbers[0]] : [numbers[0], numbers.at(-1)];
  const step = numbers.length === 3 ? (numbers[1] ?? 1) : 1;
  if (![from, to, step].every(Number.isFinite) || step === 0 || (to - from) / step > 1000) return '';
  const list: number[] = [];
  for (let number = from; step > 0 ? number <= to : number >= to; number += step) list.push(number);
  return list.join('\n');
}

/** printf with texts and whole numbers. */
function formatted([format = '', ...args]: readonly string[]): string | undefined {
  if (/%(?!%|0?\d*[sd])/.test(format)) return undefined;
  let at = 0;
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };
  return format
    .replace(/\\(.)/g, (all, letter: string) => signs[letter] ?? all)
    .replace(/%(?:%|(0?)(\d*)([sd]))/g, (sign, zero: string, width: string) =>
      sign === '%%' ? '%' : (args[at++] ?? '').padStart(Number(width), zero === '' ? ' ' : '0'),
    );
}

/** tr with two sets of the same kind, or with one that is deleted. */
function translated(text: string, args: readonly string[]): string | undefined {
  const [from, to] = args.filter((word) => word !== '-d').map(charactersOf);
  if (args.includes('-d'))
    return from && to === undefined ? [...text].filter((char) => !from.includes(char)).join('') : undefined;
  if (!from || !to || to.length === 0) return undefined;
  return [...text].map((char) => (from.includes(char) ? (to[from.lastIndexOf(char)] ?? to.at(-1) ?? '') : char)).join('');
}

function charactersOf(set: string): string[] | undefined {
  const named: Readonly<Record<string, string>> = {
    '[:upper:]': 'A-Z',
    '[:lower:]': 'a-z',
    '[:digit:]': '0-9',
    '[:space:]': ' \t\n',
  };
  const plain = named[set] ?? set;
  if (plain.includes('[:') || (plain.startsWith('-') && plain.length > 1)) return undefined;
  return [
    ...plain.replace(/(.)-(.)/g, (_, a: string, b: string) =>
      Array.from({ length: b.charCodeAt(0) - a.charCodeAt(0) + 1 }, (_each, i) => String.fromCharCode(a.charCodeAt(0) + i)).join(
        '',
      ),
    ),
  ];
}

/** sed with one substitution of plain texts. */
function substituted(text: string, args: readonly string[]): string | undefined {
  const [program = '', more] = args.filter((word) => !/^-[eEr]$/.test(word));
  const [, , from = '', to = '', flags = ''] = /^s(.)((?:(?!\1).)*)\1((?:(?!\1).)*)\1(g?)$/.exec(program) ?? [];
  if (more !== undefined || from === '' || /[\\.*+?^$[\](){}|]/.test(from) || /[\\&]/.test(to)) return undefined;
  return flags === 'g' ? text.replaceAll(from, () => to) : text.replace(from, () => to);
}
