/** `--device`: where the embedded engine computes. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** As a user names it; tests also know `resident`, a card's rules over the CPU. */
export type DeviceOption = 'host' | 'cuda' | 'resident';

export const deviceHelp = 'where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status)';

export const cardMemoryHelp = 'GiB of the card to take at most, so that others may share it';

export function deviceName(text: string): DeviceOption {
  if (text === 'host' || text === 'cuda' || text === 'resident') return text;
  throw new InvalidArgumentError(`there is no device "${text}": use host or cuda`);
}

/** As an override of a recipe. */
export function deviceOverride(device: DeviceOption | undefined): string[] {
  return device === undefined ? [] : [`engine.device=${device}`];
}

export function gibibytes(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('give a number of GiB, such as 80');
  return value * 2 ** 30;
}
