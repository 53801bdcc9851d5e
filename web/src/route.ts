/** The address of what is shown, kept in the hash so that it can be shared and works from a file: `#/run/x/episodes?step=3`. */
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = (): void => setRoute(read());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** A link to a place; empty query values are left out. */
export function href(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value as readonly string[]) search.append(key, one);
    else if (value !== undefined && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${text ? `?${text}` : ''}`;
}

export function go(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
): void {
  location.hash = href(path, query);
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** A link that was cut in the middle of an escape names nothing that exists, and is shown as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
