/** Braces of a bash script: `a{b,c}` is two words, `{1..3}` three. Quotes and `${ … }` are left alone. */
import { pieceEnd } from './lex.ts';

/** Sequences longer than this are no settings of a run. */
const longest = 1000;

export function braceWords(word: string): string[] {
  for (let at = 0; at < word.length; at = word[at] === '{' ? at + 1 : pieceEnd(word, at)) {
    if (word[at] !== '{') continue;
    const end = closing(word, at);
    const choices = end === undefined ? undefined : choicesOf(word.slice(at + 1, end));
    if (end === undefined || choices === undefined) continue;
    const [before, rest] = [word.slice(0, at), braceWords(word.slice(end + 1))];
    return choices.flatMap((choice) => braceWords(choice).flatMap((one) => rest.map((after) => before + one + after)));
  }
  return [word];
}

function closing(word: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < word.length; at = /[{}]/.test(word.charAt(at)) ? at + 1 : pieceEnd(word, at)) {
    if (word[at] === '{') depth++;
    else if (word[at] === '}' && --depth === 0) return at;
  }
  return undefined;
}

function choicesOf(inside: string): string[] | undefined {
  const range = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(inside);
  if (range) return sequence(Number(range[1]), Number(range[2]), Math.abs(Number(range[3] ?? 1)) || 1);
  const parts: string[] = [];
  let [from, depth] = [0, 0];
  for (let at = 0; at < inside.length; at = /[{},]/.test(inside.charAt(at)) ? at + 1 : pieceEnd(inside, at)) {
    const char = inside.charAt(at);
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(inside.slice(from, at));
      from = at + 1;
    }
  }
  return parts.length === 0 ? undefined : [...parts, inside.slice(from)];
}

function sequence(from: number, to: number, step: number): string[] | undefined {
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > longest) return undefined;
  return Array.from({ length: count }, (_, i) => String(from + (to < from ? -i : i) * step));
}
