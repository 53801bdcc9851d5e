/** url_match: is the page that the agent ended on one of the reference pages? */
import { AgogeError } from '../../../core/error.ts';
import { parseQuery, splitUrl } from '../../../core/python/url.ts';

/** 1 where some reference's host and path are part of the page's, and each query key of the references has one of its values. */
export function urlMatch(url: string, reference: string, rule = 'GOLD in PRED'): number {
  if (rule !== 'GOLD in PRED') {
    throw new AgogeError('ENV_WEBARENA_BAD_TASK', `Unknown matching rule: ${rule}: use "GOLD in PRED" as url_note`);
  }
  const references = reference.split(' |OR| ').map((one) => parsed(clean(one)));
  const page = parsed(clean(url));
  if (!references.some(({ base }) => page.base.includes(base))) return 0;
  const wanted = new Map<string, Set<string>>();
  for (const { query } of references) {
    for (const [key, values] of query) wanted.set(key, new Set([...(wanted.get(key) ?? []), ...values]));
  }
  return [...wanted].every(([key, values]) => page.query.get(key)?.some((value) => values.has(value)) ?? false) ? 1 : 0;
}

function clean(url: string): string {
  return url.replace(/\/+$/, '');
}

function parsed(url: string): { readonly base: string; readonly query: ReadonlyMap<string, readonly string[]> } {
  const { host, path, query } = splitUrl(url);
  return { base: host + path, query: parseQuery(query) };
}
