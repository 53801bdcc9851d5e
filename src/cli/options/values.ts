/** For commander: values that several commands take in the same form. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { AgogeError } from '../../core/error.ts';

export function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new InvalidArgumentError('Write on or off.');
  return value === 'on';
}

/** One of these words, and nothing like them. */
export function oneOf<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new InvalidArgumentError(`Choose one of ${words.join(', ')}.`);
    return found;
  };
}

/** A whole number from `least` on. */
export function whole(least: number, most = Infinity): (value: string) => number {
  return (value) => {
    const parsed = Number(value);
    if (/^\d+$/.test(value) && parsed >= least && parsed <= most) return parsed;
    throw new InvalidArgumentError(`Give a whole number from ${least}${most === Infinity ? '' : ` to ${most}`}.`);
  };
}

/** A finite number within bounds. */
export function real(least = -Infinity, most = Infinity): (value: string) => number {
  return (value) => {
    const parsed = Number(value);
    if (value.trim() !== '' && Number.isFinite(parsed) && parsed >= least && parsed <= most) return parsed;
    const bounds = `${least === -Infinity ? '' : ` from ${least}`}${most === Infinity ? '' : ` to ${most}`}`;
    throw new InvalidArgumentError(`Give a number${bounds}.`);
  };
}

/** Dollars per million tokens in and out. */
export function prices(value: string): { input: number; output: number } {
  const numbers = value.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
  const [input = NaN, output = NaN] = numbers;
  if (numbers.length !== 2 || !numbers.every((price) => Number.isFinite(price) && price >= 0))
    throw new InvalidArgumentError('Write two numbers: 0.15,0.60.');
  return { input, output };
}

/** The number that an option's text stands for; throws CLI_USAGE_NUMBER. */
export function wholeNumber(text: string, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > most)
    throw new AgogeError('CLI_USAGE_NUMBER', `${name} takes a whole number from 0 to ${most}, not "${text}"`);
  return value;
}

/** Texts that end a reply, collected; `\n` and `\t` as a shell hands them over. */
export function stopText(value: string, before: readonly string[]): readonly string[] {
  const text = value.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
  if (text === '') throw new InvalidArgumentError('Give a text that is not empty.');
  return [...before, text];
}
