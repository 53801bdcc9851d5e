/** WebArena on the sites that ship, without a browser: nothing of it does I/O, so it runs in a page as well. */
import { fastLane } from './fast/player.ts';
import { bookOf, type TaskBook } from './tasks/book.ts';
import { PUBLIC, type SiteAddresses } from './tasks/sites.ts';
import type { WebArenaParts } from './webarena.ts';

export function shippedParts(): WebArenaParts {
  return { book: shippedBook(PUBLIC), lane: fastLane(), addresses: PUBLIC, variant: 'shipped' };
}

/** The tasks of the shipped sites, where those stand. */
export function shippedBook(_addresses: SiteAddresses): TaskBook {
  return bookOf([], 'none');
}
