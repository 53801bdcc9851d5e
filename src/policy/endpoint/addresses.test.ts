import { describe, expect, it } from 'vitest';
import { Addresses, baseUrls } from './addresses.ts';

const list = 'http://a/v1,http://b/v1/,https://c/v1?x=1,2';

describe('several servers of one model', () => {
  it('are told apart by where an address begins', () => {
    expect(baseUrls(list)).toEqual(['http://a/v1', 'http://b/v1', 'https://c/v1?x=1,2']);
    expect(baseUrls('http://a/v1')).toEqual(['http://a/v1']);
  });

  it('get a request each before one gets a second', () => {
    const addresses = new Addresses(list, 500);
    const chosen = Array.from({ length: 6 }, () => {
      const address = addresses.choose(0);
      address.inHand++;
      return address.baseUrl[address.baseUrl.indexOf('//') + 2];
    });
    expect(chosen).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('leave out one that gives no answer, longer each time, and find out with one request whether it is back', () => {
    const addresses = new Addresses('http://a/v1,http://b/v1', 500);
    const a = addresses.choose(0);
    addresses.failed(a, undefined, 0);
    expect(addresses.elsewhere(0)).toBe(true);
    for (const now of [0, 499]) expect(addresses.choose(now).baseUrl).toBe('http://b/v1');
    const [b] = [addresses.choose(0)];
    b.inHand = 9;
    expect(addresses.choose(500)).toBe(a);
    a.inHand = 1;
    expect(addresses.choose(500)).toBe(b);
    a.inHand = 0;
    addresses.failed(a, undefined, 500);
    expect(addresses.choose(1499)).toBe(b);
    expect(addresses.choose(1500)).toBe(a);
    addresses.answered(a);
    a.inHand = 3;
    expect(addresses.choose(1500)).toBe(a);
  });

  it('where all rest, say how long, and name the one that is back first', () => {
    const addresses = new Addresses('http://a/v1,http://b/v1', 500);
    const a = addresses.choose(0);
    addresses.failed(a, 4000, 0);
    const b = addresses.choose(0);
    addresses.failed(b, 2000, 0);
    expect([addresses.wait(0), addresses.elsewhere(0), addresses.choose(0)]).toEqual([2000, false, b]);
  });

  it('a single one rests only where it says so: requests wait by themselves', () => {
    const addresses = new Addresses('http://a/v1', 500);
    const a = addresses.choose(0);
    addresses.failed(a, undefined, 0);
    expect([addresses.wait(0), addresses.elsewhere(0)]).toEqual([0, false]);
    addresses.failed(a, 300, 0);
    expect(addresses.wait(0)).toBe(300);
  });
});
