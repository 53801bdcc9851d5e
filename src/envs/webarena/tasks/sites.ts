/** The sites of WebArena: their names, the placeholders of their addresses in task files, and the public names that agents are shown. */
import { AgogeError } from '../../../core/error.ts';

export const SITES = ['reddit', 'shopping', 'shopping_admin', 'gitlab', 'wikipedia', 'map', 'homepage'] as const;
export type Site = (typeof SITES)[number];

/** Where each site is: `http://host:port`, for the admin site with its path. No slash at the end. */
export type SiteAddresses = Readonly<Record<Site, string>>;

/** The public names; the fast backend's sites really stand there. */
export const PUBLIC: SiteAddresses = {
  reddit: 'http://reddit.com',
  shopping: 'http://onestopmarket.com',
  shopping_admin: 'http://luma.com/admin',
  gitlab: 'http://gitlab.com',
  wikipedia: 'http://wikipedia.org',
  map: 'http://openstreetmap.org',
  homepage: 'http://homepage.com',
};

/** The accounts that the published images know, by site. */
export const ACCOUNTS = {
  reddit: { username: 'MarvelsGrantMan136', password: 'test1234' },
  gitlab: { username: 'byteblaze', password: 'hello1234' },
  shopping: { username: 'emma.lopez@gmail.com', password: 'Password.123' },
  shopping_admin: { username: 'admin', password: 'admin1234' },
  shopping_site_admin: { username: 'admin', password: 'admin1234' },
} as const;

/** Fills in `__SHOPPING__` and the like. Longer names first, so that `__SHOPPING_ADMIN__` is not cut short. */
export function fillAddresses(text: string, addresses: SiteAddresses): string {
  return text.replace(/__(REDDIT|SHOPPING_ADMIN|SHOPPING|GITLAB|WIKIPEDIA|MAP|HOMEPAGE)__/g, (_, name: string) => {
    return addresses[name.toLowerCase() as Site];
  });
}

/** An address of a site as the agent sees it: the site's public name in place of the host. */
export function toPublic(text: string, addresses: SiteAddresses): string {
  let shown = text;
  for (const site of SITES) if (addresses[site] !== '') shown = shown.replaceAll(addresses[site], PUBLIC[site]);
  return shown;
}

/** Public names in an action back to where the sites are, with http or https. */
export function toLocal(text: string, addresses: SiteAddresses): string {
  let local = text;
  for (const site of SITES) {
    local = local.replaceAll(PUBLIC[site], addresses[site]);
    local = local.replaceAll(PUBLIC[site].replace('http', 'https'), addresses[site]);
  }
  return local;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Addresses from the original's environment variables (`SHOPPING`, `REDDIT`, …); undefined where none is set. */
export function addressesFrom(variables: Variables): SiteAddresses | undefined {
  const given = SITES.filter((site) => (variables[site.toUpperCase()] ?? '') !== '');
  if (given.length === 0) return undefined;
  const missing = SITES.filter((site) => !given.includes(site));
  if (missing.length > 0) {
    const names = missing.map((site) => site.toUpperCase()).join(', ');
    throw new AgogeError(
      'ENV_WEBARENA_SITE_MISSING',
      `WebArena has no address for ${names}: set them beside ${given.map((site) => site.toUpperCase()).join(', ')} (any address will do for a site that is not needed), or unset all to play the sites that ship`,
    );
  }
  const entries = SITES.map((site) => [site, (variables[site.toUpperCase()] ?? '').replace(/\/+$/, '')] as const);
  return Object.fromEntries(entries) as Record<Site, string>;
}

/** Addresses from settings (`webarena.shopping=…`), beside them from the variables; undefined where the shipped sites are meant. */
export function officialAddresses(settings: Readonly<Record<string, unknown>>, variables: Variables): SiteAddresses | undefined {
  const given = SITES.flatMap((site) => {
    const address = settings[site];
    return typeof address === 'string' ? [[site.toUpperCase(), address] as const] : [];
  });
  return addressesFrom({ ...variables, ...Object.fromEntries(given) });
}
