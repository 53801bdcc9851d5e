/** The encyclopaedia: articles with boxes of facts, search and categories. Nobody signs in. */
import { matches, page, paged, type SiteDefinition, type Visit } from '../answer.ts';
import { articleCategories, articles, type Article } from '../content/articles.ts';
import { slug } from '../content/products.ts';
import { h, type Child, type Element } from '../html.ts';
import { documentOf, facts, pager, searchBox } from '../elements.ts';

const PAGE = 10;

function wikiPage(visit: Visit, title: string, ...main: readonly Child[]): Element {
  return documentOf(
    'wiki',
    `${title} - Almanac`,
    h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('a', { href: '/', class: 'brand' }, 'Almanac'),
        searchBox('/search', 'Search the encyclopaedia', visit.path === '/search' ? visit.query['q'] : ''),
        h('nav', { class: 'user' }, h('a', { href: '/all' }, 'All articles')),
      ),
    ),
    h('main', null, ...main),
    h('footer', null, h('p', null, 'Almanac, the encyclopaedia of the Merrow coast. Texts may be copied freely.')),
  );
}

function list(
  visit: Visit,
  heading: string,
  found: readonly Article[],
  query: Readonly<Record<string, string | undefined>>,
): Element {
  const shown = paged(found, visit.query['page'], PAGE);
  return wikiPage(
    visit,
    heading,
    h('h1', null, heading),
    h(
      'ul',
      { class: 'entries' },
      shown.items.map((one) =>
        h(
          'li',
          null,
          h('h3', null, h('a', { href: `/wiki/${one.id}` }, one.title)),
          h('p', { class: 'meta' }, plain(one.text[0] ?? '')),
        ),
      ),
    ),
    pager(shown, visit.path, query),
  );
}

function articlePage(visit: Visit, one: Article): Element {
  const mentioned = articles.filter((other) => other !== one && other.text.some((text) => linksIn(text).includes(one.title)));
  return wikiPage(
    visit,
    one.title,
    h(
      'article',
      null,
      h('aside', { class: 'box' }, h('h2', null, one.title), facts(one.facts)),
      h('h1', null, one.title),
      one.text.map((text) => h('p', null, linked(text))),
      h('p', { class: 'meta' }, 'Category: ', h('a', { href: `/category/${one.category.toLowerCase()}` }, one.category)),
      mentioned.length > 0 && [
        h('h2', null, 'Mentioned in'),
        h(
          'ul',
          { class: 'links' },
          mentioned.map((other) => h('li', null, h('a', { href: `/wiki/${other.id}` }, other.title))),
        ),
      ],
    ),
  );
}

const LINK = /\[\[([^\]|]*)(?:\|([^\]]*))?\]\]/g;

function linked(text: string): Child[] {
  const parts: Child[] = [];
  let at = 0;
  for (const found of text.matchAll(LINK)) {
    parts.push(text.slice(at, found.index), h('a', { href: `/wiki/${slug(found[1] ?? '')}` }, found[2] ?? found[1]));
    at = found.index + found[0].length;
  }
  return [...parts, text.slice(at)];
}

function plain(text: string): string {
  return text.replace(LINK, (_, target: string, label?: string) => label ?? target);
}

function linksIn(text: string): string[] {
  return [...text.matchAll(LINK)].map((found) => found[1] ?? '');
}

export const wikiSite: SiteDefinition = {
  site: 'wikipedia',
  prefix: '',
  closed: false,
  routes: [
    {
      method: 'GET',
      path: /^\/$/,
      answer: (visit, state) =>
        page(
          wikiPage(
            visit,
            'Welcome',
            h(
              'div',
              { class: 'welcome' },
              h('h1', null, 'Almanac'),
              h('p', null, `${String(articles.length)} articles about the Merrow coast`),
            ),
            h(
              'div',
              { class: 'shelves' },
              articleCategories.map((category) =>
                h(
                  'section',
                  null,
                  h('h2', null, h('a', { href: `/category/${category.toLowerCase()}` }, category)),
                  h('p', null, shelf(articles.filter((one) => one.category === category).length)),
                ),
              ),
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
        const titled = articles.filter((one) => matches(question, one.title));
        const rest = articles.filter((one) => !titled.includes(one) && matches(question, one.title, ...one.text.map(plain)));
        return page(list(visit, `Results for "${question}"`, [...titled, ...rest], { q: question }), state);
      },
    },
    {
      method: 'GET',
      path: /^\/all$/,
      answer: (visit, state) =>
        page(
          list(
            visit,
            'All articles',
            [...articles].sort((a, b) => (a.title < b.title ? -1 : 1)),
            {},
          ),
          state,
        ),
    },
    {
      method: 'GET',
      path: /^\/category\/([a-z]+)$/,
      answer(visit, state, id = '') {
        const category = articleCategories.find((one) => one.toLowerCase() === id);
        if (category === undefined) return page(missing(visit), state, 404);
        return page(
          list(
            visit,
            category,
            articles.filter((one) => one.category === category),
            {},
          ),
          state,
        );
      },
    },
    {
      method: 'GET',
      path: /^\/wiki\/([a-z0-9-]+)$/,
      answer(visit, state, id = '') {
        const found = articles.find((one) => one.id === id);
        return found ? page(articlePage(visit, found), state) : page(missing(visit), state, 404);
      },
    },
  ],
  notFound: missing,
};

function missing(visit: Visit): Element {
  return wikiPage(visit, 'No such article', h('h1', null, 'No such article'), h('p', null, 'Nobody has written it yet.'));
}

function shelf(count: number): string {
  return count === 1 ? '1 article' : `${String(count)} articles`;
}
