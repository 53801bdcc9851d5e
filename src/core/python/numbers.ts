/** How Python reads and rounds numbers. */
import { pythonStrip } from './strings.ts';

/** `float(text)`, or undefined where Python raises. */
export function toFloat(text: string): number | undefined {
  const bare = pythonStrip(text).toLowerCase();
  if (/^[+-]?(inf|infinity)$/.test(bare)) return bare.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/.test(bare)) return NaN;
  const number = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/;
  return number.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
}

/** `int(text)` of a text, or undefined where Python raises. */
export function toInteger(text: string): bigint | undefined {
  const bare = pythonStrip(text);
  if (!/^[+-]?\d+(_\d+)*$/.test(bare)) return undefined;
  const digits = BigInt(bare.replace(/^[+-]/, '').replaceAll('_', ''));
  return bare.startsWith('-') ? -digits : digits;
}

/** `str(int(round(number)))`: all digits, however large. */
export function integerText(number: number): string {
  return BigInt(roundHalfEven(number)).toString();
}

/** `round(number)`: a half goes to the even neighbour. */
export function roundHalfEven(number: number): number {
  const floor = Math.floor(number);
  if (number - floor !== 0.5) return Math.round(number);
  return floor % 2 === 0 ? floor : floor + 1;
}
