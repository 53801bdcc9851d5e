/** Signing in: who may, where it leads, and that a cookie is good for its person and its site alone. */
import { describe, expect, it } from 'vitest';
import { accounts, cookieFor, cookieName, loginCookies, signedIn, userOf } from './session.ts';
import { freshState } from './state.ts';
import { noteOf, see, send, stranger } from './visited.fixture.ts';

const closed = ['shopping', 'shopping_admin', 'reddit', 'gitlab'] as const;
const prefixed = (site: (typeof closed)[number], path: string): string => (site === 'shopping_admin' ? `/admin${path}` : path);

describe.each(closed)('%s', (site) => {
  const account = accounts[site] ?? { username: '', password: '' };
  const login = (form: Record<string, string>) => send(site, prefixed(site, '/login'), form, freshState, stranger);

  it('lets its account in, and a wrong password out', () => {
    const right = login({ ...account });
    expect(right.status).toBe(303);
    const user = signedIn(site, right.cookies?.[cookieName(site)]);
    expect(user).toBe(site === 'shopping_admin' ? 'admin' : 'maren');
    const wrong = login({ ...account, password: `${account.password}x` });
    expect([noteOf(wrong.location), wrong.cookies]).toEqual(['Name or password is wrong.', undefined]);
  });

  it('leads on to where one wanted to go, but never to another site', () => {
    const after = (next: string): string | undefined => login({ ...account, next }).location;
    expect(after(prefixed(site, '/orders?page=2'))).toBe(prefixed(site, '/orders?page=2'));
    for (const next of ['http://evil.example', '//evil.example', '/\\evil.example', 'orders', ''])
      expect(after(next), next).toBe(prefixed(site, '/'));
  });

  it('forgets who signs out', () => {
    const out = send(site, prefixed(site, '/logout'));
    expect(out.cookies).toEqual({ [cookieName(site)]: '' });
    expect(signedIn(site, '')).toBeUndefined();
  });

  it('gives the page that was asked for only to who is signed in', () => {
    const path = prefixed(site, { shopping: '/orders', shopping_admin: '/orders', reddit: '/settings', gitlab: '/todo' }[site]);
    expect(see(site, path).status).toBe(200);
    expect(see(site, path, freshState, stranger)).toMatchObject({
      status: 303,
      location: `${prefixed(site, '/login')}?next=${encodeURIComponent(path)}`,
    });
  });
});

describe('a cookie', () => {
  it('is good on the site that gave it, and for nobody else', () => {
    const cookie = cookieFor('shopping', 'maren');
    expect(signedIn('shopping', cookie)).toBe('maren');
    expect(signedIn('reddit', cookie)).toBeUndefined();
    expect(signedIn('shopping', cookie.replace('maren', 'tobias'))).toBeUndefined();
    for (const forged of ['maren', 'maren.', '.', '', `${cookie}0`, undefined])
      expect(signedIn('shopping', forged)).toBeUndefined();
  });

  it('comes for the sites of an episode, where there are accounts', () => {
    expect(Object.keys(loginCookies(['shopping', 'map', 'gitlab'])).sort()).toEqual(['gitlab_session', 'shopping_session']);
  });
});

describe('accounts', () => {
  it.each([
    ['shopping', 'maren', 'maren'],
    ['shopping', ' Maren.Holt@mail.example ', 'maren'],
    ['reddit', 'TOBIAS', 'tobias'],
    ['shopping', 'admin', undefined],
    ['shopping_admin', 'maren', undefined],
    ['gitlab', 'nobody', undefined],
  ] as const)('%s knows %j as %s', (site, name, user) => {
    expect(userOf(site, name, `${user ?? name}-2026`)).toBe(user);
  });
});
