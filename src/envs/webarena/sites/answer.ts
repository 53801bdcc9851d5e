/** What a site's pages are written with: a visit as pages read it, and the few kinds of reply they give. */
import type { Site, SiteAddresses } from '../tasks/sites.ts';
import type { Element } from './html.ts';
import type { SitesState } from './state.ts';

/** A request after the border: path without the site's own prefix, the last value of each field, who is signed in. */
export interface Visit {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly addresses: SiteAddresses;
}

export interface Reply {
  readonly status: number;
  readonly state: SitesState;
  readonly location?: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly document?: Element;
}

/** A page of a site: its method and path, whether one has to be signed in, and what it answers. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly open?: boolean;
  answer(visit: Visit, state: SitesState, ...parts: readonly string[]): Reply;
}

export interface SiteDefinition {
  readonly site: Site;
  /** Path in front of every address of the site (`/admin`). */
  readonly prefix: string;
  readonly routes: readonly Route[];
  /** Is a user needed for routes that do not say? */
  readonly closed: boolean;
  notFound(visit: Visit, state: SitesState): Element;
}

export function page(document: Element, state: SitesState, status = 200): Reply {
  return { status, state, document };
}

/** After a form: on to the page that shows what it did. */
export function go(location: string, state: SitesState, cookies?: Readonly<Record<string, string>>): Reply {
  return { status: 303, location, state, ...(cookies && { cookies }) };
}

/** The items of one page, the number of that page and how many there are. Pages count from 1; what lies outside is moved inside. */
export function paged<T>(items: readonly T[], asked: string | undefined, size: number): Paged<T> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const number = Math.min(pages, Math.max(1, Math.floor(Number(asked)) || 1));
  return { items: items.slice((number - 1) * size, number * size), number, pages };
}

export interface Paged<T> {
  readonly items: readonly T[];
  readonly number: number;
  readonly pages: number;
}

/** An address with some fields of its query set; empty ones are left out. */
export function address(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)] as [string, string]));
  return fields.length > 0 ? `${path}?${search.toString()}` : path;
}

/** Does every word of the question occur in one of the texts? */
export function matches(question: string, ...texts: readonly string[]): boolean {
  const body = texts.join(' ').toLowerCase();
  const words = question
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.every((word) => body.includes(word));
}
