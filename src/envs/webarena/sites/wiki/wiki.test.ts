/** The encyclopaedia: links lead to articles, lists are whole, a search ranks titles first; and the first page of all sites. */
import { describe, expect, it } from 'vitest';
import { PUBLIC } from '../../tasks/sites.ts';
import { articleCategories, articles } from '../content/articles.ts';
import { everyPage, see } from '../visited.fixture.ts';

const titles = (path: string): string[] => everyPage('wikipedia', path, (seen) => seen.all('h3')).flat();

describe('articles', () => {
  it.each(articles.map(({ title, id }) => [title, id]))(
    '%s: every link in it leads to an article, and its facts are shown',
    (title, id) => {
      const article = articles.find((one) => one.id === id);
      const seen = see('wikipedia', `/wiki/${id}`);
      expect(seen.all('h1')).toEqual([title]);
      for (const href of seen.links.filter((link) => link.startsWith('/wiki/')))
        expect(see('wikipedia', href).status, href).toBe(200);
      for (const [name, value] of article?.facts ?? []) expect(seen.fact(name)).toBe(value);
      expect(seen.text).not.toContain('[[');
    },
  );

  it('a link shows its label and leads to its target', () => {
    const seen = see('wikipedia', '/wiki/sandwick');
    expect(seen.text).toContain('for its tidal mill');
    expect(seen.links).toContain('/wiki/tidal-mill-of-sandwick');
  });

  it('an article names those that link to it, and not itself', () => {
    const linking = articles
      .filter(({ title, text }) => title !== 'Petrel' && text.join(' ').includes('[[Petrel]]'))
      .map(({ id }) => `/wiki/${id}`);
    const links = see('wikipedia', '/wiki/petrel').links;
    expect(linking.length).toBeGreaterThan(1);
    for (const link of linking) expect(links).toContain(link);
    expect(links).not.toContain('/wiki/petrel');
  });
});

describe('lists', () => {
  it('of all articles go by title, ten on a page', () => {
    const pages = everyPage('wikipedia', '/all', (seen) => seen.all('h3'));
    expect(pages.flat()).toEqual(articles.map(({ title }) => title).sort());
    expect(pages[0]).toHaveLength(10);
  });

  it.each(articleCategories)('of the category %s are whole', (category) => {
    expect(titles(`/category/${category.toLowerCase()}`)).toEqual(
      articles.filter((one) => one.category === category).map(({ title }) => title),
    );
  });

  it('of a search have titles before texts', () => {
    const found = titles('/search?q=lighthouse');
    const inTitle = found.map((title) => title.toLowerCase().includes('lighthouse'));
    expect(inTitle).toEqual([...inTitle].sort((a, b) => Number(b) - Number(a)));
    expect(inTitle).toContain(false);
    expect(titles('/search?q=tidal%20WHEEL')).toEqual(['Tidal Mill of Sandwick']);
    expect(titles('/search?q=dragon')).toEqual([]);
  });

  it('what nobody has written is not found', () => {
    for (const path of ['/wiki/atlantis', '/category/myths', '/x']) expect(see('wikipedia', path).status).toBe(404);
  });
});

it('the first page leads to every site', () => {
  const { links } = see('homepage', '/');
  for (const site of ['shopping', 'reddit', 'gitlab', 'map', 'wikipedia'] as const) expect(links).toContain(PUBLIC[site]);
  expect(links).toContain(`${PUBLIC.shopping_admin}/`);
});
