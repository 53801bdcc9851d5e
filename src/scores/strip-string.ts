/**
 * The normalisation of MATH's answers (Hendrycks et al. 2021) that half of the field compares by: commands that only change the looks
 * go, `\frac12` and `1/2` become `\frac{1}{2}`, units on the right go. Undefined where the original raises an error.
 */
import { toInteger } from '../core/python/numbers.ts';

export function stripString(text: string): string | undefined {
  let s = text
    .replaceAll('\n', '')
    .replaceAll('\\!', '')
    .replaceAll('\\\\', '\\')
    .replaceAll('tfrac', 'frac')
    .replaceAll('dfrac', 'frac')
    .replaceAll('\\left', '')
    .replaceAll('\\right', '')
    .replaceAll('^{\\circ}', '')
    .replaceAll('^\\circ', '')
    .replaceAll('\\$', '');
  const units = s.split('\\text{ ');
  if (units.length > 2) return undefined;
  s = (units[0] ?? '').replaceAll('\\\\%', '').replaceAll('\\%', '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.');
  if (s === '') return s;
  if (s.startsWith('.')) s = `0${s}`;
  const [left = '', right, ...more] = s.split('=');
  if (right !== undefined && more.length === 0 && Array.from(left).length <= 2) s = right;
  const rooted = fixRoots(s);
  if (rooted === undefined) return undefined;
  const fractions = fixFractions(rooted.replaceAll(' ', ''));
  if (fractions === undefined) return undefined;
  return fixSlash(fractions === '0.5' ? '\\frac{1}{2}' : fractions);
}

/** `\sqrt3` is `\sqrt{3}`. */
function fixRoots(text: string): string | undefined {
  const [first = '', ...rest] = text.split('\\sqrt');
  if (rest.includes('')) return undefined;
  return first + rest.map((part) => (part.startsWith('{') ? `\\sqrt${part}` : braced('\\sqrt', part))).join('');
}

function braced(command: string, text: string): string {
  const [first = '', ...rest] = Array.from(text);
  return `${command}{${first}}${rest.join('')}`;
}

/** `\frac12` and `\frac1{72}` get their braces. */
function fixFractions(text: string): string | undefined {
  const [first = '', ...rest] = text.split('\\frac');
  let fixed = first;
  for (const part of rest) {
    if (part === '') return undefined;
    fixed += '\\frac';
    const [a = '', b, ...tail] = Array.from(part);
    if (a === '{') fixed += part;
    else if (b === undefined) return text;
    else fixed += `{${a}}${b === '{' ? b : `{${b}}`}${tail.join('')}`;
  }
  return fixed;
}

/** `3/4` is `\frac{3}{4}`. */
function fixSlash(text: string): string {
  const [a = '', b, ...more] = text.split('/');
  if (b === undefined || more.length > 0) return text;
  const [top, bottom] = [toInteger(a), toInteger(b)];
  return top === undefined || bottom === undefined || text !== `${top}/${bottom}` ? text : `\\frac{${top}}{${bottom}}`;
}
