/**
 * WebShop as an Environment: a catalogue (our own, or the official files) with its goals in splits. `all` counts as
 * AgentGym's session_id does; `train` and `test` are AgentGym's item ids on the 1,000 official products, else a split by
 * product. An episode's reward is what its purchase earns; 1 is success.
 */
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskInfo, TaskSet } from '../environment.ts';
import { badSetting } from '../settings.ts';
import { standInId, type StandIn } from '../stand-in.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { goalWords, planPurchase, type Plan } from './expert.ts';
import { generateProducts } from './catalogue/generated.ts';
import type { Goal } from './catalogue/goals.ts';
import { pageHtml } from './pages/html.ts';
import { priceTag, type Product } from './catalogue/product.ts';
import { instructions } from './prompt.ts';
import { Session, type Outcome } from './session.ts';
import type { WebShopSettings } from './settings.ts';
import { PAGE, Shop } from './shop.ts';
import { OFFICIAL_GOALS, officialSplits, splitByProduct } from './catalogue/splits.ts';

export interface WebShopOptions {
  readonly seed: number;
  readonly page: number;
  /** Prices of range-priced products that a recorded server had drawn, by asin. */
  readonly prices?: ReadonlyMap<string, number>;
  /** Named in the version: where the products come from. */
  readonly source: string;
  /** Present for a catalogue of our own. */
  readonly standIn?: StandIn;
}

/** What viewers may draw. */
export interface WebShopState {
  readonly page: string;
  readonly url: string;
  readonly instruction: string;
  readonly keywords?: string;
  readonly total?: number;
  readonly products?: readonly { readonly asin: string; readonly title: string; readonly price: string }[];
  readonly product?: { readonly asin: string; readonly title: string; readonly price: string };
  readonly options?: Readonly<Record<string, string>>;
  readonly reward?: number;
}

/** Files are read only where `products` names one. */
export async function openWebShop(given: WebShopSettings): Promise<WebShop> {
  const { seed, page, products: path, attributes, limit, size } = given;
  if (path === undefined) {
    for (const key of ['attributes', 'limit'] as const) {
      if (given[key] !== undefined) throw bad(key, given[key], `only beside webshop.products, or leave it out`);
    }
    const count = size ?? 2400;
    const standIn = { plays: `a generated catalogue of ${count} products`, remedy: filesRemedy, chosen: given.generated };
    return new WebShop(generateProducts({ size: count, seed }), { seed, page, source: `generated-v2-${count}`, standIn });
  }
  if (size !== undefined) throw bad('size', size, 'only without webshop.products, or use webshop.limit');
  const { readProducts } = await import('./files.ts');
  const products = await readProducts({ products: path, attributes, limit });
  return new WebShop(products, { seed, page, source: `file${products.length}` });
}

const filesRemedy =
  'set webshop.products and webshop.attributes to items_shuffle_1000.json and items_ins_v2_1000.json, which WebShop’s setup.sh downloads';

const bad = (key: string, value: string | number, remedy: string): AgogeError => badSetting('webshop', key, value, remedy);

export class WebShop implements Environment {
  readonly name = 'webshop';
  readonly version: string;
  readonly splits = ['train', 'test', 'all'];
  readonly instructions = instructions;
  readonly standIn: StandIn | undefined;
  readonly shop: Shop;
  private readonly indices: ReadonlyMap<string, readonly number[]>;
  private weights: Float64Array | undefined;

  constructor(products: readonly Product[], { seed, page, prices, source, standIn }: WebShopOptions) {
    this.standIn = standIn;
    this.shop = new Shop(products, { seed, page, ...(prices && { prices }) });
    const { goals } = this.shop;
    if (goals.size === 0) {
      throw new AgogeError(
        'ENV_NO_GOALS',
        'no product has an instruction, so there is nothing to shop for: set webshop.attributes to the file with the instructions',
      );
    }
    this.version = ['1', source, `seed${seed}`, ...(page === PAGE ? [] : [`page${page}`])].join('-');
    const official = goals.size === OFFICIAL_GOALS && products.length === 1000;
    const { train, test } = official ? officialSplits() : splitByProduct(goals);
    this.indices = new Map([
      ['train', train],
      ['test', test],
    ]);
  }

  tasks(split: string): TaskSet {
    if (!this.splits.includes(split)) {
      throw unknownSplit(this.name, split, this.splits);
    }
    return { size: this.sizeOf(split), info: (index) => this.info(this.goalIndex({ env: this.name, split, index })) };
  }

  open(task: TaskRef): WebShopEpisode {
    return new WebShopEpisode(this.session(this.goalIndex(task)));
  }

  expert(task: TaskRef): Expert {
    const { actions } = this.plan(task);
    let next = 0;
    return { next: () => actions[next++] ?? null };
  }

  /** What the expert will do and earn; below 1 where no purchase meets the whole goal. */
  plan(task: TaskRef): Plan {
    return planPurchase(this.shop, this.shop.goals.goal(this.goalIndex(task)));
  }

  taskOfItem(item: number): TaskRef {
    const { size } = this.shop.goals;
    if (Number.isInteger(item) && item >= 0 && item < size) return { env: this.name, split: 'all', index: item };
    const remedy = this.standIn ? filesRemedy : 'choose one of them, or set webshop.products to a file with more products';
    throw new AgogeError('ENV_UNKNOWN_TASK', `webshop has goals 0 to ${size - 1} with these products, not ${item}: ${remedy}`);
  }

  /** The episode of AgentGym's session_id, counted from the end where negative, as Python does. */
  openItem(sessionId: number, bound?: number): WebShopEpisode {
    const { size } = this.shop.goals;
    const index = sessionId < 0 ? sessionId + size : sessionId;
    return new WebShopEpisode(this.session(this.goalIndex({ env: this.name, split: 'all', index }), bound));
  }

  /** A goal drawn by weight, as AgentGym draws for a reset without session_id; here the same name draws the same. */
  drawItem(name: string): number {
    this.weights ??= this.shop.goals.cumulativeWeights();
    const total = at(this.weights, this.weights.length - 1);
    const draw = Random.of(this.shop.seed, 'session', name).float() * total;
    return Math.max(
      0,
      this.weights.findIndex((sum) => draw < sum),
    );
  }

  private session(index: number, bound?: number): Session {
    return new Session(this.shop, this.shop.goals.goal(index, bound));
  }

  private sizeOf(split: string): number {
    return split === 'all' ? this.shop.goals.size : (this.indices.get(split)?.length ?? 0);
  }

  private goalIndex({ split, index }: TaskRef): number {
    const { size } = this.tasks(split);
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw unknownTask(this.name, { split, index }, size, `, or split "all" (0 to ${this.shop.goals.size - 1})`);
    }
    return split === 'all' ? index : at(this.indices.get(split) ?? [], index);
  }

  private info(index: number): TaskInfo {
    const goal = this.shop.goals.goal(index);
    return {
      category: goal.product.category,
      itemId: this.standIn ? standInId(this.name, index) : `webshop_${index}`,
      title: goal.instruction,
    };
  }
}

class WebShopEpisode implements Episode {
  readonly observation: string;
  private ended: Step | undefined;

  constructor(private readonly session: Session) {
    this.observation = session.observation;
  }

  /** The page as it is now, whatever was done. */
  get present(): string {
    return this.session.observation;
  }

  get goal(): Goal {
    return this.session.goal;
  }

  get url(): string {
    return this.session.url;
  }

  get html(): string {
    return pageHtml(this.session.page);
  }

  /** Whether the page has a search bar; what can be clicked. */
  get available(): { readonly searchBar: boolean; readonly clickables: readonly string[] } {
    return { searchBar: this.session.page.kind === 'search', clickables: this.session.clickables };
  }

  /** Clicks, and on the page with the search bar a search in the goal's words. */
  get actions(): readonly string[] {
    const { searchBar, clickables } = this.available;
    return searchBar ? [`search[${goalWords(this.goal)}]`] : clickables.map((text) => `click[${text}]`);
  }

  get state(): WebShopState {
    const { page, url, goal } = this.session;
    const base = { page: page.kind === 'sub' ? page.name.toLowerCase() : page.kind, url, instruction: goal.instruction };
    if (page.kind === 'search') return base;
    if (page.kind === 'results') {
      return { ...base, keywords: page.keywords.join(' '), total: page.total, products: page.products.map(shown) };
    }
    const options = Object.fromEntries(page.options);
    return { ...base, product: shown(page.product), options, ...(page.kind === 'done' && { reward: page.parts.total }) };
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const { observation, reward, done, parts } = this.play(action);
    if (!done || !parts) return { observation, reward, done };
    const success = reward >= 1;
    this.ended = { observation, reward: 0, done, success };
    const { total: _, ...breakdown } = parts;
    return { observation, reward, done, success, breakdown };
  }

  /** As `step`, but the shop stays open after a purchase, as AgentGym's server has it. */
  play(action: string): Outcome {
    return this.session.step(action);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

function shown(product: Product): { asin: string; title: string; price: string } {
  return { asin: product.asin, title: product.title, price: priceTag(product) };
}
