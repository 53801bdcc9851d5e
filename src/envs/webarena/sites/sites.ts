/**
 * The shipped sites as one function: a request to one of them and the episode's state give a page and the next state. It never waits
 * and never throws; whatever is asked, some page is the answer.
 */
import type { Site, SiteAddresses } from '../tasks/sites.ts';
import { address, go, page, type Reply, type SiteDefinition, type Visit } from './answer.ts';
import { adminSite } from './admin/index.ts';
import { forumSite } from './forum/index.ts';
import { gitSite } from './git/index.ts';
import { homeSite } from './home.ts';
import { mapSite } from './map/index.ts';
import { cookieName, signedIn } from './session.ts';
import { shopSite } from './shop/index.ts';
import type { SiteVisit } from './site.ts';
import type { SitesState } from './state.ts';
import { wikiSite } from './wiki/index.ts';

const definitions: readonly SiteDefinition[] = [shopSite, adminSite, forumSite, gitSite, mapSite, wikiSite, homeSite];

export const shippedSites: readonly Site[] = definitions.map(({ site }) => site);

/** Path that every address of a site begins with. */
export function prefixOf(site: Site): string {
  return definitions.find((one) => one.site === site)?.prefix ?? '';
}

/** Which site an address belongs to; undefined outside of all. */
export function siteAt(url: URL, addresses: SiteAddresses): Site | undefined {
  return definitions.find(({ site }) => isWithin(url, addresses[site]))?.site;
}

export function answer(site: Site, request: SiteVisit, state: SitesState, addresses: SiteAddresses): Reply {
  const definition = definitions.find((one) => one.site === site);
  if (!definition) throw new RangeError(`no site of that name ships: ${site}`);
  const { prefix, routes } = definition;
  const full = request.url.pathname;
  const visit: Visit = {
    method: request.method,
    path: full.slice(prefix.length) || '/',
    query: Object.fromEntries(request.url.searchParams),
    form: Object.fromEntries(request.form),
    user: signedIn(site, request.cookies[cookieName(site)]),
    addresses,
  };
  for (const route of routes) {
    if (route.method !== visit.method) continue;
    const parts = route.path.exec(visit.path);
    if (!parts) continue;
    if (definition.closed && route.open !== true && visit.user === undefined)
      return go(address(`${prefix}/login`, { next: visit.method === 'GET' ? full + request.url.search : full }), state);
    return route.answer(visit, state, ...parts.slice(1));
  }
  return page(definition.notFound(visit, state), state, 404);
}

function isWithin(url: URL, base: string): boolean {
  const { origin, pathname } = new URL(base);
  if (url.origin !== origin) return false;
  return pathname === '/' || url.pathname === pathname || url.pathname.startsWith(`${pathname}/`);
}
