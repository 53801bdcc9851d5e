/** The map: places by name and kind, their addresses and hours, and the way from one to another. Nobody signs in. */
import { matches, page, paged, type SiteDefinition, type Visit } from '../answer.ts';
import { kinds, places, route, travelModes, type Place, type TravelMode } from '../content/places.ts';
import { h, type Child, type Element } from '../html.ts';
import { button, choice, documentOf, facts, field, pager, searchBox } from '../elements.ts';
import { drawing } from './drawing.ts';

const PAGE = 8;
const modeNames: Readonly<Record<TravelMode, string>> = { car: 'By car', bike: 'By bike', foot: 'On foot' };

function mapPage(visit: Visit, title: string, picture: Element, ...side: readonly Child[]): Element {
  return documentOf(
    'wayfare',
    `${title} - Wayfare`,
    h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('a', { href: '/', class: 'brand' }, 'Wayfare'),
        searchBox('/search', 'Search places', visit.path === '/search' ? visit.query['q'] : ''),
        h('nav', { class: 'user' }, h('a', { href: '/directions' }, 'Directions')),
      ),
    ),
    h('main', { class: 'split' }, h('div', { class: 'side' }, ...side), h('div', { class: 'sheet' }, picture)),
  );
}

const addressOf = ({ number, street }: Place): string => `${String(number)} ${street}`;
const metres = (length: number): string => (length < 1000 ? `${String(length)} m` : `${(length / 1000).toFixed(1)} km`);

function list(
  visit: Visit,
  heading: string,
  found: readonly Place[],
  query: Readonly<Record<string, string | undefined>>,
): Element {
  const shown = paged(found, visit.query['page'], PAGE);
  return mapPage(
    visit,
    heading,
    drawing({ pins: shown.items }),
    h('h1', null, heading),
    h('p', { class: 'line' }, found.length === 1 ? '1 place' : `${String(found.length)} places`),
    h(
      'ul',
      { class: 'entries' },
      shown.items.map((one) =>
        h(
          'li',
          null,
          h('h3', null, h('a', { href: `/place/${one.id}` }, one.name)),
          h('p', { class: 'meta' }, `${one.kind}, ${addressOf(one)}`),
        ),
      ),
    ),
    pager(shown, visit.path, query),
  );
}

function placePage(visit: Visit, one: Place): Element {
  const near = places
    .filter((other) => other !== one)
    .map((other) => ({ other, length: route(one, other, 'foot').metres }))
    .sort((a, b) => a.length - b.length)
    .slice(0, 3);
  return mapPage(
    visit,
    one.name,
    drawing({ pins: [one] }),
    h('h1', null, one.name),
    facts([
      ['Kind', one.kind],
      ['Address', addressOf(one)],
      ['Open', one.hours],
      ['Phone', one.phone],
    ]),
    h('p', null, h('a', { href: `/directions?to=${encodeURIComponent(one.name)}`, class: 'button' }, 'Directions to here')),
    h('h2', null, 'Nearby'),
    h(
      'ul',
      { class: 'links' },
      near.map(({ other, length }) => h('li', null, h('a', { href: `/place/${other.id}` }, other.name), ` ${metres(length)}`)),
    ),
  );
}

function directions(visit: Visit): Element {
  const { from = '', to = '' } = visit.query;
  const asked = visit.query['mode'] ?? 'foot';
  const mode: TravelMode = asked === 'car' || asked === 'bike' ? asked : 'foot';
  const named = (name: string) => places.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  const [start, end] = [named(from), named(to)];
  const unknown = [from, to].filter((name) => name.trim() !== '' && !named(name));
  const way = start && end && route(start, end, mode);
  const pins = [start, end].filter((one) => one !== undefined);
  return mapPage(
    visit,
    'Directions',
    drawing({ pins, ...(way && { way }) }),
    h('h1', null, 'Directions'),
    h(
      'form',
      { method: 'get', action: '/directions' },
      field('From', 'from', { value: from }),
      field('To', 'to', { value: to }),
      choice(
        'Travel',
        'mode',
        (Object.keys(travelModes) as TravelMode[]).map((one) => [one, modeNames[one]] as const),
        mode,
      ),
      button('Find the way'),
    ),
    unknown.map((name) => h('p', { class: 'wrong' }, `There is no place called "${name}".`)),
    way && [
      h('h2', null, 'The way'),
      facts([
        ['Distance', metres(way.metres)],
        ['Time', way.minutes === 1 ? '1 minute' : `${String(way.minutes)} minutes`],
      ]),
      h(
        'ol',
        { class: 'steps' },
        way.streets.map((street) => h('li', null, `Follow ${street}`)),
      ),
    ],
  );
}

export const mapSite: SiteDefinition = {
  site: 'map',
  prefix: '',
  closed: false,
  routes: [
    {
      method: 'GET',
      path: /^\/$/,
      answer: (visit, state) =>
        page(
          mapPage(
            visit,
            'Merrow Bay',
            drawing(),
            h('h1', null, 'Merrow Bay'),
            h('p', { class: 'line' }, `${String(places.length)} places in walking distance`),
            h(
              'ul',
              { class: 'chips' },
              kinds.map((kind) => h('li', null, h('a', { href: `/kind/${kind}` }, kind))),
            ),
          ),
          state,
        ),
    },
    {
      method: 'GET',
      path: /^\/search$/,
      answer(visit, state) {
        const question = visit.query['q'] ?? '';
        const found = places.filter((one) => matches(question, one.name, one.kind, addressOf(one)));
        return page(list(visit, `Results for "${question}"`, found, { q: question }), state);
      },
    },
    {
      method: 'GET',
      path: /^\/kind\/([a-z]+)$/,
      answer(visit, state, kind = '') {
        if (!kinds.includes(kind)) return page(missing(visit), state, 404);
        return page(
          list(
            visit,
            kind,
            places.filter((one) => one.kind === kind),
            {},
          ),
          state,
        );
      },
    },
    {
      method: 'GET',
      path: /^\/place\/([a-z-]+)$/,
      answer(visit, state, id = '') {
        const found = places.find((one) => one.id === id);
        return found ? page(placePage(visit, found), state) : page(missing(visit), state, 404);
      },
    },
    { method: 'GET', path: /^\/directions$/, answer: (visit, state) => page(directions(visit), state) },
  ],
  notFound: missing,
};

function missing(visit: Visit): Element {
  return mapPage(
    visit,
    'Not found',
    drawing(),
    h('h1', null, 'Not found'),
    h('p', null, 'There is nothing on the map at this address.'),
  );
}
