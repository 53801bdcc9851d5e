/**
 * One shopper's way through the shop: which page is open and where each action leads, with the original's rules and quirks.
 * Actions are `search[words]`, which works on every page, and `click[text]` for what the page offers; anything else leaves
 * the page as it is.
 */
import type { Goal } from './catalogue/goals.ts';
import { clickables, pageText, type Page, type SubPage } from './pages/pages.ts';
import { htmlSafeJson } from './pages/tojson.ts';
import { rewardOf, type Reward } from './reward/reward.ts';
import type { Shop } from './shop.ts';

export interface Outcome {
  readonly observation: string;
  readonly reward: number;
  readonly done: boolean;
  /** On a purchase. */
  readonly parts?: Reward;
}

/** Where the pages of the original's simulated site lie. */
const SITE = 'http://127.0.0.1:3000';
const subPages: readonly SubPage[] = ['Description', 'Features', 'Reviews'];

export class Session {
  private current: Page;
  private searches = 0;
  private text: string | undefined;

  constructor(
    readonly shop: Shop,
    readonly goal: Goal,
  ) {
    this.current = { kind: 'search', goal };
  }

  get page(): Page {
    return this.current;
  }

  get observation(): string {
    return (this.text ??= pageText(this.current));
  }

  /** Texts that can be clicked now, in page order, buttons first. */
  get clickables(): string[] {
    return [...clickables(this.current).keys()];
  }

  /** The address of the page, as the original would have it. */
  get url(): string {
    const page = this.current;
    const session = this.goal.index;
    if (page.kind === 'search') return `${SITE}/${session}`;
    if (page.kind === 'results') return `${SITE}/search_results/${session}/${page.keywords.join('+')}/${page.number}`;
    const chosen = htmlSafeJson(page.options);
    if (page.kind === 'done') return `${SITE}/done/${session}/${page.product.asin}/${chosen}`;
    const { keywords, number } = page.from;
    const path = `${session}/${page.product.asin}/${keywords.join('+')}/${number}`;
    return page.kind === 'item' ? `${SITE}/item_page/${path}/${chosen}` : `${SITE}/item_sub_page/${path}/${page.name}/${chosen}`;
  }

  step(action: string): Outcome {
    const [verb, argument] = readAction(action);
    if (verb === 'search') {
      this.searches++;
      this.open(this.results(argument.split(' '), 1));
    } else if (verb === 'click' && argument !== 'search' && clickables(this.current).has(argument)) {
      return this.click(argument);
    }
    return { observation: this.observation, reward: 0, done: false };
  }

  private click(name: string): Outcome {
    const page = this.current;
    if (name === 'buy now' && page.kind === 'item') return this.buy(page);
    if (name === 'back to search') this.open({ kind: 'search', goal: this.goal });
    else if (page.kind === 'results') this.clickResults(page, name);
    else if (page.kind === 'sub') this.open({ ...page, kind: 'item' });
    else if (page.kind === 'item') this.clickItem(page, name);
    return { observation: this.observation, reward: 0, done: false };
  }

  private clickResults(page: Page & { kind: 'results' }, name: string): void {
    const product = page.products.find(({ asin }) => asin.toLowerCase() === name);
    if (name === 'next >') this.open(this.results(page.keywords, page.number + 1));
    else if (name === '< prev') this.open(this.results(page.keywords, page.number - 1));
    else if (product) this.open({ kind: 'item', goal: this.goal, product, from: page, options: new Map() });
  }

  private clickItem(page: Page & { kind: 'item' }, name: string): void {
    const sub = subPages.find((title) => title.toLowerCase() === name);
    const option = clickables(page).get(name);
    if (name === '< prev') this.open(this.results(page.from.keywords, page.from.number));
    else if (sub) this.open({ ...page, kind: 'sub', name: sub });
    else if (option) this.open({ ...page, options: new Map(page.options).set(option.toLowerCase(), name) });
  }

  private buy({ product, options }: Page & { kind: 'item' }): Outcome {
    const parts = rewardOf({ product, options, price: this.shop.price(product) }, this.goal);
    this.open({ kind: 'done', goal: this.goal, product, options, parts });
    return { observation: this.observation, reward: parts.total, done: true, parts };
  }

  private results(keywords: readonly string[], number: number): Page {
    const found = this.shop.find(keywords, `${this.goal.index}/${this.searches}`);
    const products = found.slice((number - 1) * this.shop.page, number * this.shop.page);
    return { kind: 'results', goal: this.goal, keywords, number, total: found.length, products };
  }

  private open(page: Page): void {
    this.current = page;
    this.text = undefined;
  }
}

/** Verb and argument as `(.+)\[(.+)\]` finds them in Python, in time that grows with the text only: all on the first line. */
function readAction(action: string): readonly [verb: string, argument: string] {
  const [line = ''] = action.split('\n', 1);
  const close = line.lastIndexOf(']');
  const open = close < 3 ? -1 : line.lastIndexOf('[', close - 2);
  return open < 1 ? ['', ''] : [line.slice(0, open), line.slice(open + 1, close).toLowerCase()];
}
