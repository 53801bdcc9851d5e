/** Signing in and out, the same on every site that has accounts. */
import type { Site } from '../tasks/sites.ts';
import { address, go, page, type Route, type Visit } from './answer.ts';
import { h, type Child, type Element } from './html.ts';
import { button, field } from './elements.ts';
import { cookieFor, cookieName, userOf } from './session.ts';
import type { SitesState } from './state.ts';

export type Frame = (visit: Visit, state: SitesState, title: string, ...main: readonly Child[]) => Element;

export function loginRoutes(site: Site, frame: Frame, { prefix = '', username = 'Username' } = {}): readonly Route[] {
  const form = (visit: Visit, state: SitesState): Element =>
    frame(
      visit,
      state,
      'Sign in',
      h(
        'form',
        { method: 'post', action: `${prefix}/login`, class: 'panel narrow' },
        h('h1', null, 'Sign in'),
        h('input', { type: 'hidden', name: 'next', value: inside(visit.query['next'], prefix) }),
        field(username, 'username'),
        field('Password', 'password', { type: 'password' }),
        button('Sign in'),
      ),
    );
  return [
    { method: 'GET', path: /^\/login$/, open: true, answer: (visit, state) => page(form(visit, state), state) },
    {
      method: 'POST',
      path: /^\/login$/,
      open: true,
      answer(visit, state) {
        const user = userOf(site, visit.form['username'] ?? '', visit.form['password'] ?? '');
        const next = inside(visit.form['next'], prefix);
        if (user === undefined) return go(address(`${prefix}/login`, { next, note: 'Name or password is wrong.' }), state);
        return go(next, state, { [cookieName(site)]: cookieFor(site, user) });
      },
    },
    {
      method: 'POST',
      path: /^\/logout$/,
      open: true,
      answer: (_, state) => go(`${prefix}/login`, state, { [cookieName(site)]: '' }),
    },
  ];
}

/** Only a path of this site may follow a sign-in. */
function inside(next: string | undefined, prefix: string): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : `${prefix}/`;
}
