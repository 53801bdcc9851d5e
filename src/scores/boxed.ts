/** The answer in the last `\boxed{…}` of a solution, in the four ways that the originals look for it. */
import { pythonStrip } from '../core/python/strings.ts';

/** MATH: with its command, `\boxed 5` and `\fbox{…}` as well; undefined where there is none or it is not closed. */
export function lastBoxed(text: string): string | undefined {
  if (text.includes('\\boxed ')) return `\\boxed ${text.split('\\boxed ').at(-1)?.split('$')[0] ?? ''}`;
  const start = startOfBox(text);
  const end = start < 0 ? -1 : closing(text, start);
  return end < 0 ? undefined : text.slice(start, end + 1);
}

/** MATH: what stands in it; undefined for what is not a box, where the original gives up. */
export function insideBox(box: string): string | undefined {
  if (box.includes('\\boxed ')) return box.startsWith('\\boxed ') ? box.slice('\\boxed '.length) : undefined;
  return box.startsWith('\\boxed{') && box.endsWith('}') ? box.slice('\\boxed{'.length, -1) : undefined;
}

/** DAPO: only `\boxed{…}`. */
export function strictBoxed(text: string): string | undefined {
  const start = text.lastIndexOf('\\boxed{');
  const end = start < 0 ? -1 : closing(text, start);
  return end < 0 ? undefined : text.slice(start + '\\boxed{'.length, end);
}

/** Prime: what stands between the braces after the last box, `\fbox` as well. */
export function primeBoxed(text: string): string | undefined {
  const start = startOfBox(text);
  const end = start < 0 ? -1 : closing(text, start);
  const left = text.indexOf('{', start);
  return end < 0 || left < 0 || left > end ? undefined : pythonStrip(text.slice(left + 1, end));
}

/** geo3k: `\boxed{…}`, the word "None" where there is none. */
export function rulerBoxed(text: string): string {
  const start = text.lastIndexOf('\\boxed{');
  if (start < 0) return 'None';
  const from = start + '\\boxed{'.length;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === -1) return pythonStrip(text.slice(from, at));
  }
  return 'None';
}

function startOfBox(text: string): number {
  const boxed = text.lastIndexOf('\\boxed');
  return boxed < 0 ? text.lastIndexOf('\\fbox') : boxed;
}

/** Where the first brace from `start` on is closed; -1 where it is not. A brace that closes nothing counts against the next. */
function closing(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  return -1;
}
