/** A visit to a shipped site for tests: the page as what can be read on it, and the state after a form. */
import { PUBLIC, type Site } from '../tasks/sites.ts';
import type { Element, Node } from './html.ts';
import { loginCookies } from './session.ts';
import { answer, shippedSites } from './sites.ts';
import { freshState, type SitesState } from './state.ts';

type Cookies = Readonly<Record<string, string>>;
export const stranger: Cookies = {};
const member: Cookies = loginCookies([...shippedSites]);

/** What a page shows. */
export interface Seen {
  readonly status: number;
  readonly location: string | undefined;
  /** Cookies that the answer sets. */
  readonly cookies: Cookies;
  /** Everything that is written on it. */
  readonly text: string;
  /** Texts of the elements with this tag, or with this class (`.meta`). */
  all(what: string): string[];
  /** Addresses of the links in the main part. */
  readonly links: readonly string[];
  /** Lines of the first table with a heading; facts are not among them. */
  readonly rows: readonly (readonly string[])[];
  /** What a table of facts says. */
  fact(name: string): string | undefined;
}

export function see(site: Site, path: string, state: SitesState = freshState, as: Cookies = member): Seen {
  const reply = answer(site, { method: 'GET', url: new URL(path, PUBLIC[site]), cookies: as, form: [] }, state, PUBLIC);
  const root = reply.document ?? { tag: 'nothing', attributes: {}, children: [] };
  const found = (what: string, within: Element = root): Element[] =>
    elements(within).filter(({ tag, attributes }) =>
      what.startsWith('.') ? (attributes['class'] ?? '').split(' ').includes(what.slice(1)) : tag === what,
    );
  const [main = root] = found('main');
  const [table] = found('table').filter((one) => one.attributes['class'] !== 'facts');
  return {
    status: reply.status,
    location: reply.location,
    cookies: reply.cookies ?? {},
    text: textOf(root),
    all: (what) => found(what).map(textOf),
    links: found('a', main).map(({ attributes }) => attributes['href'] ?? ''),
    rows: table
      ? found('tr', table)
          .slice(1)
          .map((row) => found('td', row).map(textOf))
      : [],
    fact: (name) => {
      const row = found('.facts')
        .flatMap((facts) => found('tr', facts))
        .find((one) => found('th', one).map(textOf)[0] === name);
      return row && found('td', row).map(textOf)[0];
    },
  };
}

/** Sends a form. */
export function send(
  site: Site,
  path: string,
  form: Readonly<Record<string, string>> = {},
  state: SitesState = freshState,
  as: Cookies = member,
) {
  const url = new URL(path, PUBLIC[site]);
  return answer(site, { method: 'POST', url, cookies: as, form: Object.entries(form) }, state, PUBLIC);
}

/** The entries of a list over all of its pages, until a page has no link to the next. */
export function everyPage(
  site: Site,
  path: string,
  read: (seen: Seen) => readonly string[],
  state: SitesState = freshState,
): string[][] {
  const pages: string[][] = [];
  for (let number = 1; number < 100; number++) {
    const seen = see(site, `${path}${path.includes('?') ? '&' : '?'}page=${number}`, state);
    pages.push([...read(seen)]);
    if (!seen.all('.pager').some((text) => text.includes('Next'))) break;
  }
  return pages;
}

/** The note that the page after a form shows. */
export const noteOf = (location: string | undefined): string | null =>
  location === undefined ? null : new URL(location, 'http://a.example').searchParams.get('note');

function elements(node: Node): Element[] {
  return typeof node === 'string' ? [] : [node, ...node.children.flatMap(elements)];
}

function textOf(node: Node): string {
  if (typeof node === 'string') return node;
  const inner = node.children.map(textOf);
  return ['a', 'span', 'strong', 'td', 'th', 'h1', 'h3', 'p'].includes(node.tag) ? inner.join('') : inner.join(' ');
}
