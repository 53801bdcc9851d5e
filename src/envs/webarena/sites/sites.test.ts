import { describe, expect, test } from 'vitest';
import { PUBLIC, type Site } from '../tasks/sites.ts';
import { h, html } from './html.ts';
import { accounts, cookieFor, loginCookies, signedIn, userOf } from './session.ts';
import { answer, shippedSites, siteAt } from './sites.ts';
import { freshState, type SitesState } from './state.ts';

const cookies = loginCookies([...shippedSites]);

function visit(site: Site, path: string, state: SitesState = freshState, form?: Readonly<Record<string, string>>) {
  const url = new URL(path, PUBLIC[site]);
  return answer(site, { method: form ? 'POST' : 'GET', url, cookies, form: Object.entries(form ?? {}) }, state, PUBLIC);
}

const shown = (site: Site, path: string, state?: SitesState): string => {
  const { document } = visit(site, path, state);
  return document ? html(document) : '';
};

describe('pages', () => {
  test('text and attributes are escaped, neighbouring texts are one', () => {
    const tree = h('p', { title: '"<&' }, 'a', 1, null, '<b>', h('br'));
    expect(html(tree)).toBe('<p title="&#34;&#60;&#38;">a1&#60;b&#62;<br></p>');
    expect(tree.children).toHaveLength(2);
  });

  test('what was typed into a site never becomes markup', () => {
    expect(shown('shopping', '/search?q=%3Cscript%3Ealert(1)%3C/script%3E')).not.toContain('<script');
    expect(shown('reddit', '/?note=%3Cimg+src=x%3E')).not.toContain('<img');
  });

  test('every site has a first page, and answers an unknown address with a page', () => {
    for (const site of shippedSites) {
      const prefix = new URL(PUBLIC[site]).pathname;
      expect(visit(site, prefix).status, site).toBe(200);
      expect(visit(site, `${prefix === '/' ? '' : prefix}/no/such/page/at/all`).document, site).toBeDefined();
      expect(siteAt(new URL(PUBLIC[site]), PUBLIC)).toBe(site);
    }
    expect(siteAt(new URL('http://example.org/'), PUBLIC)).toBeUndefined();
  });

  test('pages outside of the list are moved inside', () => {
    expect(shown('shopping', '/orders?page=999')).toContain('Page 3 of 3');
    expect(shown('shopping', '/orders?page=-1')).toContain('Page 1 of 3');
    expect(shown('shopping', '/orders?page=x')).toContain('Page 1 of 3');
  });
});

describe('signing in', () => {
  test('needs the right password, and cookies cannot be made up', () => {
    const { username, password } = accounts.reddit ?? { username: '', password: '' };
    expect(userOf('reddit', username, password)).toBe('maren');
    expect(userOf('reddit', username, 'wrong')).toBeUndefined();
    expect(signedIn('reddit', cookieFor('reddit', 'tobias'))).toBe('tobias');
    expect(signedIn('reddit', 'tobias.00000000')).toBeUndefined();
    expect(signedIn('gitlab', cookieFor('reddit', 'maren'))).toBeUndefined();
  });

  test('who is not signed in is asked to, and led back', () => {
    const url = new URL('http://onestopmarket.com/orders?page=2');
    const reply = answer('shopping', { method: 'GET', url, cookies: {}, form: [] }, freshState, PUBLIC);
    expect(reply.location).toBe('/login?next=%2Forders%3Fpage%3D2');
    const done = visit('shopping', '/login', freshState, { ...accounts.shopping, next: '/orders?page=2' });
    expect(done.location).toBe('/orders?page=2');
    expect(visit('shopping', '/login', freshState, { ...accounts.shopping, next: '//evil.example' }).location).toBe('/');
  });
});

describe('state', () => {
  test('a request makes a new state and leaves the old one as it was', () => {
    const before = JSON.stringify(freshState);
    const { state } = visit('shopping', '/cart/add', freshState, { product: 'bread-knife', count: '2' });
    expect(state.shop.cart).toEqual([{ product: 'bread-knife', count: 2, price: 3100 }]);
    expect(JSON.stringify(freshState)).toBe(before);
    expect(shown('shopping', '/cart')).toContain('Your cart is empty.');
    expect(shown('shopping', '/cart', state)).toContain('$62.00');
  });

  test('more than is in stock cannot be bought, nor less than one', () => {
    for (const count of ['0', '-1', '1000', 'x', '']) {
      const { state } = visit('shopping', '/cart/add', freshState, { product: 'bread-knife', count });
      expect(state.shop.cart, count).toEqual([]);
    }
  });

  test('one site sees what another changed', () => {
    const edit = { name: 'Bread Knife', price: '29.5', stock: '3' };
    const { state } = visit('shopping_admin', '/admin/products/bread-knife', freshState, edit);
    expect(shown('shopping', '/p/bread-knife', state)).toContain('$29.50');
  });

  test('a project of somebody else is not mine to manage', () => {
    const reply = visit('gitlab', '/felix/pebble/members', freshState, { user: 'maren', role: 'Maintainer' });
    expect(reply.status).toBe(404);
    expect(reply.state).toBe(freshState);
  });
});
