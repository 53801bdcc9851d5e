/** Small parts of Python's strings and numbers that the scores stand on, where JavaScript's own differ. */
import { AgogeError } from '../../core/error.ts';

/** The last characters, counted as Python counts them (a character outside the basic plane is one, not two). */
export function lastCharacters(text: string, count: number): string {
  const tail = text.slice(-2 * count);
  const characters = Array.from(tail);
  return characters.length > count ? characters.slice(-count).join('') : tail;
}

const blank = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const outer = new RegExp(`^${blank}+|${blank}+$`, 'g');
const blanks = new RegExp(`${blank}+`);

/** `str.strip()` */
export function strip(text: string): string {
  return text.replace(outer, '');
}

/** `str.split()` */
export function words(text: string): string[] {
  const bare = strip(text);
  return bare === '' ? [] : bare.split(blanks);
}

/** `str.isdigit()` for what answers are made of. */
export function isDigits(text: string): boolean {
  return /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u.test(text);
}

/** `float(text)`, or undefined where Python raises. */
export function toFloat(text: string): number | undefined {
  const bare = strip(text).toLowerCase();
  if (/^[+-]?(inf|infinity)$/.test(bare)) return bare.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/.test(bare)) return NaN;
  const number = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/;
  return number.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
}

/** `int(text)` of a text, or undefined where Python raises. */
export function toInteger(text: string): bigint | undefined {
  const bare = strip(text);
  if (!/^[+-]?\d+(_\d+)*$/.test(bare)) return undefined;
  const digits = BigInt(bare.replace(/^[+-]/, '').replaceAll('_', ''));
  return bare.startsWith('-') ? -digits : digits;
}

/** `str(int(round(number)))`: all digits, however large. */
export function integerText(number: number): string {
  return BigInt(roundHalfEven(number)).toString();
}

function roundHalfEven(number: number): number {
  const floor = Math.floor(number);
  if (number - floor !== 0.5) return Math.round(number);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The ground truth as the text that most scores compare with; throws REWARD_GROUND_TRUTH. */
export function textOf(groundTruth: unknown): string {
  if (typeof groundTruth === 'string') return groundTruth;
  if (typeof groundTruth === 'number' || typeof groundTruth === 'bigint') return String(groundTruth);
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    `this score compares with a text, the ground truth is ${groundTruth === undefined ? 'missing' : JSON.stringify(groundTruth).slice(0, 80)}: write reward_model.ground_truth as a text, or choose another score`,
  );
}
