import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, splitUrl } from '../../../core/python/url.ts';
import { urlMatch } from './url.ts';

describe('urlparse', () => {
  it.each([
    ['http://a.b:80/c/d?e=f#g', ['http', 'a.b:80', '/c/d', 'e=f']],
    ['HTTPS://A.B', ['https', 'A.B', '', '']],
    ['//a/b', ['', 'a', '/b', '']],
    ['/b?c', ['', '', '/b', 'c']],
    ['a.b/c', ['', '', 'a.b/c', '']],
    ['localhost:80/x', ['localhost', '', '80/x', '']],
    ['1a:b', ['', '', '1a:b', '']],
    ['http:a', ['http', '', 'a', '']],
    ['http://a?b', ['http', 'a', '', 'b']],
    ['http://a#b?c', ['http', 'a', '', '']],
    ['http://a/b?c#d?e', ['http', 'a', '/b', 'c']],
    ['http://a/b;v=1/c;w=2?d', ['http', 'a', '/b;v=1/c', 'd']],
    ['http://a/b;v=1/c', ['http', 'a', '/b;v=1/c', '']],
    ['mailto:x;y', ['mailto', '', 'x;y', '']],
    [' \thttp://a/b\nc', ['http', 'a', '/bc', '']],
    ['', ['', '', '', '']],
  ])('%j', (text, parts) => {
    const { scheme, host, path, query } = splitUrl(text);
    expect([scheme, host, path, query]).toEqual(parts);
  });
  it('splits plain addresses as URL does', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,6}$/);
    fc.assert(
      fc.property(part, fc.array(part, { maxLength: 3 }), fc.dictionary(part, part, { maxKeys: 3 }), (host, path, query) => {
        const text = `http://x${host}/${path.join('/')}?${new URLSearchParams(query).toString()}`;
        const url = new URL(text);
        const { host: netloc, path: found } = splitUrl(text);
        expect([netloc, found]).toEqual([url.host, url.pathname]);
        expect(parseQuery(splitUrl(text).query)).toEqual(new Map(Object.entries(query).map(([key, value]) => [key, [value]])));
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});

describe('parse_qs', () => {
  it.each([
    ['a=1&b=2&a=3', { a: ['1', '3'], b: ['2'] }],
    ['a=&b&=c&&d=1=2', { '': ['c'], d: ['1=2'] }],
    ['q=a+b%20c%2B', { q: ['a b c+'] }],
    ['q=%E9%9B%AA%C3', { q: ['雪\ufffd'] }],
    ['q=100%', { q: ['100%'] }],
    ['%61=%zz', { a: ['%zz'] }],
    ['a=1;b=2', { a: ['1;b=2'] }],
    ['', {}],
    ['__proto__=1', { ['__proto__']: ['1'] }],
  ])('%j', (query, values) => expect(parseQuery(query)).toEqual(new Map(Object.entries(values))));
});

describe('url_match', () => {
  const shop = 'http://shop.com';
  it.each([
    ['the page itself', `${shop}/a/b`, `${shop}/a/b`, 1],
    ['slashes at the end', `${shop}/a/b//`, `${shop}/a/b/`, 1],
    ['another scheme', 'https://shop.com/a', `${shop}/a`, 1],
    ['a page below the reference', `${shop}/a/b/c`, `${shop}/a`, 1],
    ['a page above the reference', `${shop}/a`, `${shop}/a/b`, 0],
    ['a longer name in the path', `${shop}/a-ha`, `${shop}/a`, 1],
    ['another site', 'http://other.com/a', `${shop}/a`, 0],
    ['one of several', `${shop}/b`, `${shop}/a |OR| ${shop}/b`, 1],
    ['none of several', `${shop}/c`, `${shop}/a |OR| ${shop}/b`, 0],
    ['a query that is asked for', `${shop}/s?q=tea&p=2`, `${shop}/s?q=tea`, 1],
    ['a query that is missing', `${shop}/s`, `${shop}/s?q=tea`, 0],
    ['another value', `${shop}/s?q=coffee`, `${shop}/s?q=tea`, 0],
    ['one of the values', `${shop}/s?q=coffee&q=tea`, `${shop}/s?q=tea`, 1],
    ['values in other writings', `${shop}/s?q=green%20tea`, `${shop}/s?q=green+tea`, 1],
    // The queries of all references are pooled: a page may take its path from one and its value from another.
    ['queries across references', `${shop}/a?x=2`, `${shop}/a?x=1 |OR| ${shop}/b?x=2`, 1],
    ['a key of the other reference', `${shop}/a?x=1`, `${shop}/a?x=1 |OR| ${shop}/b?y=2`, 0],
    ['fragments do not count', `${shop}/a#top`, `${shop}/a#bottom`, 1],
    ['an empty reference is in every page', `${shop}/a`, '', 1],
  ])('%s', (_, page, reference, score) => expect(urlMatch(page, reference)).toBe(score));
  it('knows one rule', () => {
    expect(() => urlMatch('a', 'b', 'EXACT')).toThrow('Unknown matching rule: EXACT');
  });
});
