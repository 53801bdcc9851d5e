/** Signing in and out, the same on every site that has accounts. */
import type { Site } from '../tasks/sites.ts';
import { address, go, page, type Route, type Visit } from './answer.ts';
import { h, type Child, type Element } from './html.ts';
import { button, field } from './parts.ts';
import { cookieFor, cookieName, userOf } from './session.ts';
import type { SitesState } from './state.ts';

export type Frame = (visit: Visit, state: SitesState, title: string, ...main: readonly Child[]) => Element;

export function loginRoutes(site: Site, frame: Frame, { prefix = '', username = 'Username' } = {}): readonly Route[] {
  const form = (visit: Visit, state: SitesState, wrong: boolean): Element =>
    frame(
      visit,
      state,
      'Sign in',
      h(
        'form',
        { method: 'post', action: `${prefix}/login`, class: 'panel narrow' },
        h('h1', null, 'Sign in'),
        wrong && h('p', { class: 'wrong' }, 'Name or password is wrong.'),
        h('input', { type: 'hidden', name: 'next', value: inside(visit.query['next'] ?? visit.form['next'], prefix) }),
        field(username, 'username'),
        field('Password', 'password', { type: 'password' }),
        button('Sign in'),
      ),
    );
  return [
    { method: 'GET', path: /^\/login$/, open: true, answer: (visit, state) => page(form(visit, state, false), state) },
    {
      method: 'POST',
      path: /^\/login$/,
      open: true,
      answer(visit, state) {
        const user = userOf(site, visit.form['username'] ?? '', visit.form['password'] ?? '');
        if (user === undefined) return page(form(visit, state, true), state, 401);
        return go(inside(visit.form['next'], prefix), state, { [cookieName(site)]: cookieFor(site, user) });
      },
    },
    {
      method: 'POST',
      path: /^\/logout$/,
      open: true,
      answer: (_, state) => go(address(`${prefix}/login`, {}), state, { [cookieName(site)]: '' }),
    },
  ];
}

/** Only a path of this site may follow a sign-in. */
function inside(next: string | undefined, prefix: string): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : `${prefix}/`;
}
