/** For commander: values that several commands take in the same form. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

export function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new InvalidArgumentError('Write on or off.');
  return value === 'on';
}

/** Dollars per million tokens in and out. */
export function prices(value: string): { input: number; output: number } {
  const [input, output] = value.split(',').map(Number);
  if (input === undefined || output === undefined || !(input >= 0 && output >= 0))
    throw new InvalidArgumentError('Write two numbers: 0.15,0.60.');
  return { input, output };
}
