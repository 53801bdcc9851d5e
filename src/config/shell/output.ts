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
    else if (name === 'echo' || name === 'printf') text = args.join(' ');
    else if (name === 'seq') text = sequence(args.map(Number));
    else if (name === 'whoami') text = 'user';
    else if (name === 'hostname') text = 'host';
    else if (name !== 'sed' && name !== 'tr') return undefined; // those two change what another printed
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
