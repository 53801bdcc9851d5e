/** What the administration answers where there is nothing. */
import type { Visit } from '../answer.ts';
import { h, type Element } from '../html.ts';
import type { SitesState } from '../state.ts';
import { adminPage } from './frame.ts';

export function missing(visit: Visit, state: SitesState): Element {
  return adminPage(
    visit,
    state,
    'Not found',
    h('h1', null, 'Not found'),
    h('p', null, 'There is no such page in the administration.'),
  );
}
