/** WebArena on the sites that ship, without a browser: nothing of it does I/O, so it runs in a page as well. */
import { AgogeError } from '../../core/error.ts';
import type { Settings } from '../registry.ts';
import { fastLane } from './fast/player.ts';
import { shippedSites } from './sites/sites.ts';
import { siteBook, type BookChoice } from './sites/tasks/book.ts';
import { PUBLIC } from './tasks/sites.ts';
import type { WebArenaParts } from './webarena.ts';

/** Settings of the shipped tasks that hold in every lane. */
export const SHIPPED_SETTINGS = ['sites', 'longest', 'text'];

export function shippedParts(settings: Settings = {}): WebArenaParts {
  const { short } = shippedText(settings);
  const book = siteBook(PUBLIC, shippedChoice(settings));
  return { book, lane: fastLane(), addresses: PUBLIC, variant: short ? 'shipped-short-2' : 'shipped', short };
}

export function shippedText(settings: Settings): { readonly short: boolean } {
  const text = settings['text'] ?? 'full';
  if (text === 'full' || text === 'short') return { short: text === 'short' };
  throw new AgogeError('ENV_BAD_SETTING', `webarena.text is ${JSON.stringify(text)}: set it to full or short`);
}

export function shippedChoice(settings: Settings): BookChoice {
  const sites = settings['sites']?.split(',').map((site) => site.trim());
  const unknown = sites?.find((site) => !shippedSites.some((known) => known === site));
  if (unknown !== undefined) {
    const remedy = `choose some of ${shippedSites.filter((site) => site !== 'homepage').join(', ')}`;
    throw new AgogeError('ENV_BAD_SETTING', `webarena.sites names "${unknown}": ${remedy}`);
  }
  const longest = settings['longest'] === undefined ? undefined : Number(settings['longest']);
  if (longest !== undefined && !(Number.isInteger(longest) && longest >= 2))
    throw new AgogeError('ENV_BAD_SETTING', `webarena.longest is "${settings['longest'] ?? ''}": set it to a number from 2`);
  return { sites, longest };
}
