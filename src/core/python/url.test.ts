/** Addresses as urllib.parse of CPython 3.11 takes them apart. */
import { expect, it } from 'vitest';
import { parseQuery, splitUrl } from './url.ts';

it.each<[string, string, string, string, string]>([
  ['http://a.b:80/p;x=1/q;y?z=1#f', 'http', 'a.b:80', '/p;x=1/q', 'z=1'],
  ['  \x01HTTP://A/b', 'http', 'A', '/b', ''],
  ['mailto:x@y', 'mailto', '', 'x@y', ''],
  ['//h/p', '', 'h', '/p', ''],
  ['/p?q#f', '', '', '/p', 'q'],
  ['a;b?c', '', '', 'a', 'c'],
  ['x:y;z', 'x', '', 'y;z', ''],
  ['http://h?q', 'http', 'h', '', 'q'],
  ['http://h#f?q', 'http', 'h', '', ''],
  ['1http://x', '', '', '1http://x', ''],
  ['ht\ntp://a\t/b', 'http', 'a', '/b', ''],
  ['', '', '', '', ''],
])('%j', (text, scheme, host, path, query) => expect(splitUrl(text)).toEqual({ scheme, host, path, query }));

it.each<[string, Record<string, string[]>]>([
  ['a=1&a=2&b=', { a: ['1', '2'] }],
  ['a=%20+x&%61=z', { a: ['  x', 'z'] }],
  ['a&b=1&=2', { b: ['1'], '': ['2'] }],
  ['a=1=2&a=%ff%41', { a: ['1=2', '\ufffdA'] }],
  ['a=%E4%BD%A0', { a: ['你'] }],
  ['a=%zz', { a: ['%zz'] }],
  ['a=1;b=2', { a: ['1;b=2'] }],
  ['', {}],
])('the query %j', (query, values) => expect(Object.fromEntries(parseQuery(query))).toEqual(values));
