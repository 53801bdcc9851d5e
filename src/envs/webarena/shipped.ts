/** WebArena on the sites that ship, without a browser: nothing of it does I/O, so it runs in a page as well. */
import { fastLane } from './fast/player.ts';
import { siteBook } from './sites/tasks/book.ts';
import { PUBLIC } from './tasks/sites.ts';
import type { WebArenaParts } from './webarena.ts';

export function shippedParts(): WebArenaParts {
  return { book: siteBook(PUBLIC), lane: fastLane(), addresses: PUBLIC, variant: 'shipped' };
}
