/** Addresses of sites: placeholders in task files, public names that agents see, and the original's variables. */
import { describe, expect, it } from 'vitest';
import { addressesFrom, fillAddresses, PUBLIC, SITES, toLocal, toPublic, type SiteAddresses } from './sites.ts';

const local: SiteAddresses = {
  reddit: 'http://10.0.0.1:9999',
  shopping: 'http://10.0.0.1:7770',
  shopping_admin: 'http://10.0.0.1:7780/admin',
  gitlab: 'http://10.0.0.1:8023',
  wikipedia: 'http://10.0.0.1:8888',
  map: 'http://10.0.0.1:3000',
  homepage: 'http://10.0.0.1:4399',
};

describe('public names', () => {
  it.each([
    ['shopping', 'http://onestopmarket.com'],
    ['reddit', 'http://reddit.com'],
    ['gitlab', 'http://gitlab.com'],
    ['shopping_admin', 'http://luma.com/admin'],
    ['wikipedia', 'http://wikipedia.org'],
    ['map', 'http://openstreetmap.org'],
    ['homepage', 'http://homepage.com'],
  ] as const)('%s is shown as %s, and goes back to where it is', (site, name) => {
    expect(toPublic(`${local[site]}/a?b=1`, local)).toBe(`${name}/a?b=1`);
    expect(toLocal(`${name}/a?b=1`, local)).toBe(`${local[site]}/a?b=1`);
    expect(toLocal(`${name.replace('http:', 'https:')}/a`, local)).toBe(`${local[site]}/a`);
  });

  it('stand wherever an address stands in a text, and leave other addresses alone', () => {
    expect(toPublic(`see ${local.map} and ${local.map}/x, http://10.0.0.2:3000`, local)).toBe(
      'see http://openstreetmap.org and http://openstreetmap.org/x, http://10.0.0.2:3000',
    );
    expect(toLocal('goto [http://example.org]', local)).toBe('goto [http://example.org]');
  });

  it('a site without an address changes nothing', () => {
    expect(toPublic('abc', { ...local, map: '' })).toBe('abc');
  });
});

describe('placeholders', () => {
  it('are filled in by site, the longer name before the shorter', () => {
    expect(fillAddresses('__SHOPPING__/a __SHOPPING_ADMIN__/b __REDDIT__', local)).toBe(
      'http://10.0.0.1:7770/a http://10.0.0.1:7780/admin/b http://10.0.0.1:9999',
    );
    for (const site of SITES) expect(fillAddresses(`__${site.toUpperCase()}__`, PUBLIC)).toBe(PUBLIC[site]);
  });

  it('that are not known stay', () => expect(fillAddresses('__OTHER__ __shopping__', local)).toBe('__OTHER__ __shopping__'));
});

describe('the original’s variables', () => {
  const all = Object.fromEntries(SITES.map((site) => [site.toUpperCase(), `${local[site]}//`]));

  it('name every site, slashes at the end aside', () => expect(addressesFrom(all)).toEqual(local));

  it('are none where none is set', () => expect(addressesFrom({ PATH: '/bin', SHOPPING: '' })).toBeUndefined());

  it('that are set in part are an error which names the others', () => {
    expect(() => addressesFrom({ ...all, MAP: '', REDDIT: undefined })).toThrow(/no address for REDDIT, MAP: set them/);
  });
});
