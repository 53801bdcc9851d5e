/** WebArena on the sites that ship, without a browser: nothing of it does I/O, so it runs in a page as well. */
import { AgogeError } from '../../core/error.ts';
import { fastBackend } from './fast/player.ts';
import type { WebArenaSettings } from './settings.ts';
import { shippedSites } from './sites/sites.ts';
import { siteBook, type BookChoice } from './sites/tasks/book.ts';
import { PUBLIC } from './tasks/sites.ts';
import type { WebArenaSetup } from './setup.ts';

/** True for settings that need nothing but the shipped sites, in a page as well. */
export function isPlain({ lane, tasks, judge }: WebArenaSettings): boolean {
  return lane !== 'browser' && tasks === undefined && judge === undefined;
}

export function shippedSetup(settings: WebArenaSettings): WebArenaSetup {
  const short = settings.text === 'short';
  const book = siteBook(PUBLIC, shippedChoice(settings));
  const variant = short ? 'shipped-short-2' : 'shipped';
  return { book, backend: fastBackend(), addresses: PUBLIC, variant, short, otherLines: settings.other_lines };
}

export function shippedChoice({ sites, longest }: WebArenaSettings): BookChoice {
  const unknown = sites?.find((site) => !shippedSites.some((known) => known === site));
  if (unknown !== undefined) {
    const remedy = `choose some of ${shippedSites.filter((site) => site !== 'homepage').join(', ')}`;
    throw new AgogeError('ENV_BAD_SETTING', `webarena.sites names "${unknown}": ${remedy}`);
  }
  return { sites, longest };
}
