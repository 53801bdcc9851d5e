/**
 * Stand-ins: tasks of our own where an official task set needs files that were not given. Their ids are marked, and an official id
 * never plays one unless that was asked for (`--generated`, or the setting `generated: true`).
 */
import { AgogeError } from '../core/error.ts';
import { flag } from './settings.ts';

export interface StandIn {
  /** What is played instead: `a generated catalogue of 2400 products`. */
  readonly plays: string;
  /** What brings the official tasks, and where the files come from: `set webshop.products to …`. */
  readonly remedy: string;
  /** Official ids may play them. */
  readonly chosen: boolean;
}

interface Standing {
  readonly name: string;
  readonly standIn?: StandIn | undefined;
}

/** The setting of environments that have stand-ins. */
export const generated = flag()
  .default(false)
  .describe('true: official ids play tasks of our own where the official files are not given (--generated; default: an error)');

const mark = '-standin_';

/** `webshop-standin_17`: the task of our own under the number of webshop_17. */
export function standInId(prefix: string, number: number): string {
  return `${prefix}${mark}${number}`;
}

export function isStandInId(itemId: string): boolean {
  return itemId.includes(mark);
}

/** The official id whose number a stand-in has; other ids are themselves. */
export function officialId(itemId: string): string {
  return itemId.replace(mark, '_');
}

/** Throws ENV_STAND_IN where an official id would play a stand-in that nobody chose. */
export function refuseStandIn({ name, standIn }: Standing, item?: string | number): void {
  if (!standIn || standIn.chosen) return;
  const what = item === undefined ? `the official tasks of ${name}` : typeof item === 'number' ? `${name} ${item}` : item;
  throw new AgogeError(
    'ENV_STAND_IN',
    `${what} ${item === undefined ? 'need' : 'needs'} official files, and none were given: ${standIn.remedy}, or add --generated (in recipes settings: { generated: true }) to play ${standIn.plays} under its number`,
  );
}
