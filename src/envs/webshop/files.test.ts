import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readProducts } from './files.ts';
import { webShop } from './opened.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'webshop-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const file = (contents: string): string => {
  const path = join(folder, `${++files}.json`);
  writeFileSync(path, contents);
  return path;
};
const item = (asin: string, more: object = {}) => ({
  ...{ asin, name: `Lamp ${asin} "{[`, full_description: 'a\\b', small_description: ['x', ''], pricing: '$9.99', images: ['i'] },
  ...{ category: 'garden', query: 'Lamps', product_category: 'Home › Lamps', customization_options: '' },
  ...more,
});
const products = [
  item('A'),
  item('B', { customization_options: { Size: [{ value: 'S/M' }] } }),
  item('A'),
  item('nan'),
  item('TOOLONGASIN1'),
];
const attributes = {
  A: { attributes: ['x y'], instruction: 'Find me x y lamps', instruction_attributes: ['x y'] },
  B: { attributes: [] },
};

describe('product files', () => {
  it('are read record by record, as array or lines, without repeated and nameless products', async () => {
    for (const text of [
      JSON.stringify(products),
      JSON.stringify(products, null, 2),
      products.map((p) => JSON.stringify(p)).join('\n'),
    ]) {
      const read = await readProducts({ products: file(text), attributes: file(JSON.stringify(attributes)) });
      expect(read.map(({ asin }) => asin)).toEqual(['A', 'B']);
      expect(read[0]).toMatchObject({ title: 'Lamp A "{[', attributes: ['x y'], instruction: { text: 'Find me x y lamps' } });
      expect(read[1]?.options).toEqual([{ name: 'size', values: ['s | m'] }]);
    }
    expect(await readProducts({ products: file(JSON.stringify(products)), limit: 1 })).toHaveLength(1);
  });

  it('open a shop by settings', async () => {
    const env = await webShop({ products: file(JSON.stringify(products)), attributes: file(JSON.stringify(attributes)) });
    expect(env.tasks('all').size).toBe(1);
    expect(env.open({ env: 'webshop', split: 'test', index: 0 }).observation).toContain('Find me x y lamps');
    await expect(webShop({ products: file(JSON.stringify(products)) })).rejects.toThrow(/webshop\.attributes/);
  });

  it('that are broken are refused, naming the record', async () => {
    const { name: _, ...nameless } = item('C');
    const cases: [string, RegExp][] = [
      ['[]', /holds no products/],
      ['', /holds no products/],
      ['[{"asin": "A", ', /record 1 of .* is cut off/],
      [JSON.stringify(products).slice(0, -1), /ends without "]" after record 5/],
      [`[${JSON.stringify(item('A'))}, {"asin": oops}]`, /record 2 of .* is not JSON/],
      [JSON.stringify([item('A'), nameless]), /record 2 of .* \(asin C\) has a bad or missing "name"/],
      [JSON.stringify([item('A'), item('B', { pricing: 'cheap' })]), /the pricing of record 2 of .* is "cheap"/],
      [JSON.stringify([item('A'), 5]), /"5" between its records/],
      ['version https://git-lfs.github.com/spec/v1', /between its records/],
    ];
    for (const [text, message] of cases) await expect(readProducts({ products: file(text) }), text).rejects.toThrow(message);
    await expect(readProducts({ products: join(folder, 'none.json') })).rejects.toThrow(/cannot be read/);
    await expect(readProducts({ products: file('[{}]'), attributes: file('[]') })).rejects.toThrow(/attributes by asin/);
    await expect(readProducts({ products: file('[{}]'), attributes: file('{"A": {"attributes": 5}}') })).rejects.toThrow(
      /A in .*"attributes"/,
    );
  });
});
