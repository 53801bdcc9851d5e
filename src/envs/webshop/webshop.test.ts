import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPurchase } from './expert.ts';
import { tokenSetRatio } from './reward/fuzzy.ts';
import { generateProducts } from './catalogue/generated.ts';
import { NO_BOUND } from './catalogue/goals.ts';
import { kinds } from './catalogue/kinds.ts';
import { titleNouns, titleTokens } from './reward/nouns.ts';
import { readProduct, type Product } from './catalogue/product.ts';
import { htmlSafeJson } from './pages/tojson.ts';
import { pythonFloat } from '../../core/python/repr.ts';
import { meetsOption, rewardOf } from './reward/reward.ts';
import { Session } from './session.ts';
import { Shop } from './shop.ts';
import { webShop } from './opened.fixture.ts';
import { WebShop } from './webshop.ts';

const env = new WebShop(generateProducts({ size: 480, seed: 0 }), { seed: 0, page: 10, source: 'test' });
const { shop } = env;

const made = (change: Partial<Product>): Product => ({
  asin: 'B000000001',
  title: 'Halvale Water Proof Table Lamp',
  description: 'A lamp.',
  bullets: ['bright'],
  pricing: [25],
  options: [],
  category: 'garden',
  query: 'table lamps',
  productCategory: 'Home › Lighting › Lamps',
  attributes: ['water proof', 'easy install'],
  instruction: { text: 'Find me water proof table lamps', attributes: ['water proof'] },
  image: '',
  ...change,
});

describe('actions', () => {
  it('are read as Python reads (.+)\\[(.+)\\], however many brackets they have', () => {
    const pages = (action: string): string => {
      const session = new Session(shop, shop.goals.goal(0));
      session.step(action);
      return session.url.replace(/^.*:3000/, '');
    };
    const reference = (action: string): string[] => /^([^\n]+)\[([^\n]+)\]/.exec(action)?.slice(1) ?? [];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('[', ']', 'search', 'x', '\n', ' ') }), (action) => {
        const [verb, argument = ''] = reference(action);
        expect(pages(action)).toBe(verb === 'search' ? `/search_results/0/${argument.split(' ').join('+')}/1` : '/0');
      }),
    );
    expect(pages('[['.repeat(100_000))).toBe('/0');
  });
});

describe('the generated catalogue', () => {
  it('has 48 kinds, unique ids, and is the same for the same seed, whatever its size', () => {
    const products = generateProducts({ size: 2400, seed: 3 });
    expect(new Set(products.map(({ query }) => query)).size).toBe(48);
    expect(kinds.length).toBeGreaterThanOrEqual(40);
    expect(new Set(products.map(({ asin }) => asin)).size).toBe(2400);
    expect(generateProducts({ size: 100, seed: 3 })).toEqual(products.slice(0, 100));
    expect(generateProducts({ size: 5, seed: 4 })[0]?.title).not.toBe(products[0]?.title);
  });

  it('splits by product and counts all goals as session ids', () => {
    expect(env.tasks('all').size).toBe(shop.goals.size);
    const asked = (split: string) => {
      const tasks = env.tasks(split);
      return new Set(
        Array.from({ length: tasks.size }, (_, i) => shop.goals.productPosition(Number(tasks.info(i).itemId.split('_')[1]))),
      );
    };
    const test = asked('test');
    expect([...asked('train')].filter((position) => test.has(position))).toEqual([]);
    expect(test.size).toBe(48);
    expect(env.tasks('train').info(0).category).toMatch(/^(fashion|beauty|electronics|garden|grocery)$/);
  });

  it('can be bought from for the whole reward, by the expert, for every test task and a sample of the others', () => {
    const tasks = [
      ...Array.from({ length: 48 }, (_, index) => ({ env: 'webshop', split: 'test', index })),
      ...Array.from({ length: 150 }, (_, i) => ({
        env: 'webshop',
        split: 'all',
        index: Math.floor((i * shop.goals.size) / 150),
      })),
    ];
    for (const task of tasks) {
      const episode = env.open(task);
      const expert = env.expert(task);
      let last;
      for (let action = expert.next(''); action !== null; action = expert.next('')) {
        const before = episode.actions;
        if (!action.startsWith('search')) expect(before).toContain(action.toLowerCase());
        last = episode.step(action);
      }
      expect(last, episode.goal.instruction).toMatchObject({
        reward: 1,
        done: true,
        success: true,
        breakdown: { type: 1, price: 1 },
      });
    }
  });
});

describe('actions', () => {
  const start = () => new Session(shop, shop.goals.goal(0));
  const searched = () => {
    const session = start();
    session.step('search[table lamps]');
    return session;
  };

  it('follow the pages', () => {
    const session = start();
    expect(session.observation).toMatch(/^WebShop \[SEP\] Instruction: \[SEP\] Find me .* \[SEP\] Search$/);
    expect(session.clickables).toEqual(['search']);
    const results = session.step('search[Table LAMPS]').observation;
    expect(results).toContain('Back to Search [SEP] Page 1 (Total results: 20) [SEP] Next > [SEP] B0');
    expect(session.url).toContain('/search_results/0/table+lamps/1');
    expect(session.step('click[Next >]').observation).toContain('Page 2 (Total results: 20) [SEP] < Prev [SEP] Next >');
    session.step('click[< Prev]');
    const asin = session.clickables[2] ?? '';
    expect(session.step(`click[${asin.toUpperCase()}]`).observation).toContain('Rating: N.A. [SEP] Description [SEP] Features');
    expect(session.step('click[features]').observation).not.toContain('Buy Now');
    expect(session.step('click[< prev]').observation).toContain('Buy Now');
    expect(session.step('click[reviews]').observation.endsWith('Back to Search [SEP] < Prev')).toBe(true);
    session.step('click[< prev]');
    expect(session.step('click[< prev]').observation).toBe(results);
    expect(session.step('click[back to search]').observation).toBe(start().observation);
  });

  it('of other forms change nothing', () => {
    for (const action of [
      ...['', 'search', 'search[]', 'Search[lamp]', ' search[lamp]', 'click[search]', 'click[buy now]', 'buy', 'click[]'],
      ...['search[lamp[green]desk]', 'click[[x]]', 'click[next >', 'search[a\nb]', '[x]', '\u0000[\u0000]', 'click[b0]'],
    ]) {
      const session = start();
      expect(session.step(action), action).toEqual({ observation: start().observation, reward: 0, done: false });
    }
  });

  it('search from every page, in any text: unicode, stop words, ten thousand letters', () => {
    const session = searched();
    session.step(`click[${session.clickables[2] ?? ''}]`);
    expect(session.step('search[the of and]').observation).toMatch(/Page 1 \(Total results: 0\) \[SEP\] Next >$/);
    for (const words of [
      '灯 ランプ 👍🏽 ﷽',
      'l'.repeat(10_000),
      'lamp '.repeat(2000),
      '<c>',
      '<q>',
      '<a> ',
      '<r>',
      '\ud800',
      '%00',
    ]) {
      expect(session.step(`search[${words}]`).observation).toContain('Page 1');
    }
    expect(session.step('search[<q> table lamps]').observation).toContain('Total results: 10');
    expect(session.step('search[<c> grocery]').observation).toContain('Total results: 60');
    expect(session.step('search[<r>]').observation).toContain('Total results: 50');
    for (let i = 0; i < 8; i++) session.step('click[next >]');
    expect(session.observation).toContain('Page 9 (Total results: 50) [SEP] < Prev [SEP] Next >');
  });

  it('never throw, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('search[lamp]', 'click[next >]', 'click[buy now]'))),
        (actions) => {
          const episode = env.openItem(1);
          for (const action of actions) expect(typeof episode.step(action).observation).toBe('string');
        },
      ),
      { numRuns: 50 },
    );
  });

  it('after a purchase: an episode is over, the shop of the server is not', () => {
    const { actions } = env.plan({ env: 'webshop', split: 'test', index: 0 });
    const episode = env.open({ env: 'webshop', split: 'test', index: 0 });
    for (const action of actions) episode.step(action);
    const done = { observation: episode.present, reward: 0, done: true, success: true };
    expect(done.observation).toMatch(/^Thank you for shopping with us! .*\[SEP\] 1\.0 \[SEP\] Reward Details \[SEP\] None$/);
    expect(episode.step('search[lamp]')).toEqual(done);
    expect(episode.state).toMatchObject({ page: 'done', reward: 1 });
    expect(episode.available).toEqual({ searchBar: false, clickables: [] });
    expect(episode.play('search[lamp]')).toMatchObject({ reward: 0, done: false });
  });
});

describe('options', () => {
  it('that share a value belong to the later one, and are forgotten with the results', () => {
    const options = [
      { name: 'frame', values: ['small', 'oak'] },
      { name: 'shade', values: ['small', 'linen'] },
    ];
    const little = new Shop([made({ options })], { seed: 0 });
    const session = new Session(little, little.goals.goal(0));
    for (const action of ['search[lamp]', 'click[b000000001]', 'click[small]', 'click[oak]']) session.step(action);
    expect([...('options' in session.page ? session.page.options : [])]).toEqual([
      ['shade', 'small'],
      ['frame', 'oak'],
    ]);
    session.step('click[< prev]');
    session.step('click[b000000001]');
    expect('options' in session.page && session.page.options.size).toBe(0);
  });

  it('are met by words in any order, and colours by the first colour word that a value contains', () => {
    expect(meetsOption('28" x 28"', ['size', '28" x 28"'])).toBe(true);
    expect(meetsOption('x-large', ['size', 'large'])).toBe(false);
    expect(meetsOption('navy blue', ['color', 'blue'])).toBe(true);
    expect(meetsOption('dark red', ['color', 'red'])).toBe(false);
    expect(meetsOption('tangerine', ['color', 'tangerine'])).toBe(false);
    expect(tokenSetRatio('', 'a')).toBe(0);
  });

  it('that no click can meet: the expert says what is left to earn', () => {
    const little = new Shop([made({ options: [{ name: 'color', values: ['tangerine'] }] })], { seed: 0 });
    expect(planPurchase(little, little.goals.goal(0)).best).toBeCloseTo(2 / 3);
  });
});

describe('rewards', () => {
  const little = new Shop(
    [
      made({}),
      made({
        asin: 'B000000002',
        title: 'Oakora Velvet Chair',
        query: 'chairs',
        productCategory: 'Home › Chairs',
        attributes: [],
        pricing: [500],
      }),
    ],
    { seed: 0 },
  );
  const goal = little.goals.goal(little.goals.productPosition(0) === 0 ? 0 : 1);
  const buy = (product: Product) => rewardOf({ product, price: little.price(product), options: new Map() }, goal);

  it('have their parts', () => {
    expect(buy(little.products[0]!)).toEqual({ total: 1, type: 1, attributes: 1, price: 1 });
    expect(buy(little.products[1]!)).toEqual({ total: 0, type: 0, attributes: 0, price: 0 });
    expect(buy(made({ title: 'Table', attributes: [], query: 'tables', productCategory: '', asin: 'B000000001' }))).toMatchObject(
      { type: 0.5, attributes: 0 },
    );
  });

  it('read titles as spaCy cuts them', () => {
    expect(titleTokens("Men's Slim-Fit Shirt,Blue 16oz Pocket(S to XXL)")).toEqual([
      'Men',
      'Slim',
      'Fit',
      'Shirt',
      'Blue',
      '16',
      'oz',
      'Pocket(S',
      'to',
      'XXL',
    ]);
    expect(titleNouns('The Lamp for 2 rooms')).toEqual(['lamp', 'rooms']);
  });
});

describe('goals', () => {
  it('bound the price by one of the next four multiples of ten, or not at all', () => {
    for (let index = 0; index < shop.goals.size; index += 97) {
      const goal = shop.goals.goal(index);
      const price = shop.price(goal.product);
      expect(goal.priceUpper === NO_BOUND || (goal.priceUpper > price && goal.priceUpper <= price + 40)).toBe(true);
    }
    expect(shop.goals.goal(0, 70).instruction).toMatch(/, and price lower than 70\.00 dollars$/);
    const dear = new Shop([made({ pricing: [995] })], { seed: 0 });
    expect(dear.goals.goal(0)).toMatchObject({ priceUpper: NO_BOUND, instruction: 'Find me water proof table lamps' });
  });

  it('keep seeded prices within their range, the same each time', () => {
    const ranged = made({ pricing: [10, 20] });
    const price = new Shop([ranged], { seed: 1 }).price(ranged);
    expect(price).toBeGreaterThanOrEqual(10);
    expect(price).toBeLessThanOrEqual(20);
    expect(new Shop([ranged], { seed: 1 }).price(ranged)).toBe(price);
    expect(new Shop([ranged], { seed: 1, prices: new Map([['B000000001', 12]]) }).price(ranged)).toBe(12);
  });

  it('are drawn by weight, the same for the same name', () => {
    const draws = Array.from({ length: 50 }, (_, i) => env.drawItem(String(i)));
    expect(draws).toEqual(Array.from({ length: 50 }, (_, i) => env.drawItem(String(i))));
    expect(new Set(draws).size).toBeGreaterThan(30);
  });
});

describe('unusual requests', () => {
  it('are refused with the remedy', async () => {
    expect(() => env.tasks('dev')).toThrow(/train, test, all/);
    expect(() => env.open({ env: 'webshop', split: 'test', index: 48 })).toThrow(/0 to 47/);
    expect(() => env.openItem(shop.goals.size)).toThrow(/0 to/);
    expect(env.openItem(-1).goal.index).toBe(shop.goals.size - 1);
    expect(() => new Shop([], { seed: 0 })).toThrow(/no products/);
    expect(() => new WebShop([made({ instruction: null })], { seed: 0, page: 10, source: 'x' })).toThrow(/webshop\.attributes/);
    await expect(webShop({ size: 'many' })).rejects.toThrow(/whole number/);
    await expect(webShop({ limit: '5' })).rejects.toThrow(/webshop\.products/);
  });

  it('of Python: floats and JSON', () => {
    expect([1, 0.5, 100, 1e16, 0.00001, 877.8].map(pythonFloat)).toEqual(['1.0', '0.5', '100.0', '1e+16', '1e-05', '877.8']);
    expect(
      htmlSafeJson([
        ['b', "it's <x> é"],
        ['a', '"'],
      ]),
    ).toBe('{"a": "\\"", "b": "it\\u0027s \\u003cx\\u003e \\u00e9"}');
  });

  it('of records: prices and options as distributed', () => {
    const raw = { asin: 'B1', name: 'N', category: 'c', query: ' Q ', product_category: 'p', small_description: 'one' };
    const full = {
      ...raw,
      pricing: '$1,234.50 to $2,000',
      customization_options: { Color: [{ value: ' Red/Blue ', image: null }], Size: null },
    };
    expect(readProduct(full, 'r')).toMatchObject({
      pricing: [1234.5, 2000],
      options: [{ name: 'color', values: ['red | blue'] }],
      query: 'q',
      bullets: ['one'],
    });
    expect(readProduct({ ...raw, pricing: '' }, 'r').pricing).toEqual([100]);
    expect(() => readProduct({ ...raw, pricing: '$x' }, 'record 9 of f')).toThrow(/record 9 of f/);
    expect(() => readProduct({ ...raw, name: 5 }, 'record 9 of f')).toThrow(
      /record 9 of f \(asin B1\) has a bad or missing "name"/,
    );
  });
});
