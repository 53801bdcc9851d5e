/** The first page: every site with a line about it. Tasks over two sites begin here. */
import type { Site } from '../tasks/sites.ts';
import { page, type SiteDefinition, type Visit } from './answer.ts';
import { h, type Element } from './html.ts';
import { documentOf } from './elements.ts';

const entries: readonly (readonly [Site, string, string, string])[] = [
  ['shopping', 'Fernhill Market', 'Buy things made nearby.', '#2f6f4f'],
  ['shopping_admin', 'Fernhill Admin', 'The shop from behind the counter.', '#4338ca'],
  ['reddit', 'Lantern', 'The forum of Merrow Bay.', '#c2410c'],
  ['gitlab', 'Quarry', 'Projects, issues and merge requests.', '#7c3aed'],
  ['map', 'Wayfare', 'Places and the way to them.', '#2563eb'],
  ['wikipedia', 'Almanac', 'The encyclopaedia of the coast.', '#3f3f46'],
];

function homePage({ addresses }: Visit): Element {
  return documentOf(
    'home',
    'Merrow Bay online',
    h(
      'main',
      null,
      h('h1', null, 'Merrow Bay online'),
      h(
        'ul',
        { class: 'tiles' },
        entries.map(([site, name, line, colour]) =>
          h(
            'li',
            { style: `border-color:${colour}` },
            h('h2', null, h('a', { href: site === 'shopping_admin' ? `${addresses[site]}/` : addresses[site] }, name)),
            h('p', null, line),
          ),
        ),
      ),
    ),
  );
}

export const homeSite: SiteDefinition = {
  site: 'homepage',
  prefix: '',
  closed: false,
  routes: [{ method: 'GET', path: /^\/$/, answer: (visit, state) => page(homePage(visit), state) }],
  notFound: homePage,
};
