/** The `func:` helpers of WebArena's tasks: pages and values that must be asked of a site. Calls are parsed, never evaluated. */
import { AgogeError } from '../../../core/error.ts';
import type { PageView } from '../backend.ts';
import { pythonText } from '../../../core/python/text.ts';
import { ACCOUNTS, type SiteAddresses } from '../tasks/sites.ts';
import { splitUrl } from '../../../core/python/url.ts';

export interface HelperContext {
  readonly page: PageView;
  readonly addresses: SiteAddresses;
}

export interface HelperCall {
  readonly name: string;
  /** Texts; `__page__` stands for the page itself. */
  readonly parameters: readonly string[];
}

const HELPERS = new Map<
  string,
  { readonly parameters: number; run(context: HelperContext, given: readonly string[]): Promise<string> | string }
>([
  ['shopping_get_latest_order_url', { parameters: 0, run: latestOrderUrl }],
  [
    'shopping_get_sku_latest_review_author',
    { parameters: 1, run: (context, [sku = '']) => latestReview(context, sku, 'author') },
  ],
  [
    'shopping_get_sku_latest_review_rating',
    { parameters: 1, run: (context, [sku = '']) => latestReview(context, sku, 'rating') },
  ],
  ['reddit_get_post_url', { parameters: 1, run: (_, [url = '']) => postUrl(url) }],
  ['gitlab_get_project_memeber_role', { parameters: 2, run: (context, [, account = '']) => memberRole(context.page, account) }],
]);

/** Reads `name('text', __page__)`; throws ENV_WEBARENA_BAD_TASK for anything else. */
export function parseHelper(source: string): HelperCall {
  const call = /^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$/s.exec(source);
  const name = call?.[1] ?? '';
  const helper = HELPERS.get(name);
  if (!call || !helper) throw badHelper(source, `the helpers are ${[...HELPERS.keys()].join(', ')}`);
  const parameters: string[] = [];
  let rest = (call[2] ?? '').trim();
  while (rest !== '') {
    const one = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(__page__|page))\s*(?:,\s*|$)/s.exec(rest);
    if (!one) throw badHelper(source, 'write its parameters as quoted texts or __page__');
    parameters.push(one[3] ?? (one[1] ?? one[2] ?? '').replace(/\\(['"\\])/g, '$1'));
    rest = rest.slice(one[0].length);
  }
  if (parameters.length !== helper.parameters) throw badHelper(source, `${name} takes ${helper.parameters} parameters`);
  return { name, parameters };
}

export async function runHelper(source: string, context: HelperContext): Promise<string> {
  const { name, parameters } = parseHelper(source);
  const helper = HELPERS.get(name);
  if (!helper) throw badHelper(source, 'use a known helper');
  return helper.run(context, parameters);
}

async function latestOrderUrl({ page, addresses }: HelperContext): Promise<string> {
  const query = new URLSearchParams({
    'searchCriteria[sortOrders][0][field]': 'created_at',
    'searchCriteria[sortOrders][0][direction]': 'DESC',
    'searchCriteria[pageSize]': '1',
  });
  const answer = await shopping(page, addresses, `/rest/V1/orders?${query.toString()}`);
  const items = field(answer, 'items');
  const first: unknown = Array.isArray(items) ? items[0] : undefined;
  const number = Number(field(first, 'increment_id'));
  if (!Number.isSafeInteger(number)) throw siteFailed('the latest order', 'no order number');
  return `${addresses.shopping}/sales/order/view/order_id/${number}/`;
}

async function latestReview({ page, addresses }: HelperContext, sku: string, what: 'author' | 'rating'): Promise<string> {
  const reviews = await shopping(page, addresses, `/rest/V1/products/${sku}/reviews`);
  if (!Array.isArray(reviews)) throw siteFailed(`the reviews of ${sku}`, 'no list');
  const last: unknown = reviews.at(-1);
  if (last === undefined) return '';
  if (what === 'author') return pythonText(field(last, 'nickname'));
  const ratings = field(last, 'ratings');
  return pythonText(field(Array.isArray(ratings) ? ratings[0] : undefined, 'percent'));
}

/** The post that a page of the forum belongs to: `/f/{forum}/{number}/…` cut after the number. Other pages stand for themselves. */
export function postUrl(url: string): string {
  const { scheme, host, path } = splitUrl(url);
  const [, kind, forum, post] = path.split('/');
  if (kind !== 'f' || forum === undefined || post === undefined) return url;
  return `${scheme}://${host}/f/${forum}/${post}/`;
}

/** The role that a member has on the members' page of a project; empty where the page does not say. */
async function memberRole(page: PageView, account: string): Promise<string> {
  const accounts = `[...document.querySelectorAll("td[data-label='Account'] span.gl-avatar-labeled-sublabel")]`;
  const place = `${accounts}.findIndex((element) => element.outerText === ${JSON.stringify(`@${account}`)})`;
  try {
    const role = await page.evaluate(`document.querySelectorAll("td.col-max-role span")[${place}].outerText`);
    return pythonText(role);
  } catch (error) {
    // A page without such a member says nothing. A player that broke is another matter.
    if (error instanceof AgogeError) throw error;
    return '';
  }
}

/** A call of the shop's own interface with the administrator's token. */
async function shopping(page: PageView, addresses: SiteAddresses, path: string): Promise<unknown> {
  const { username, password } = ACCOUNTS.shopping_site_admin;
  const token = await json(page, {
    method: 'POST',
    url: `${addresses.shopping}/rest/default/V1/integration/admin/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return json(page, {
    method: 'GET',
    url: `${addresses.shopping}${path}`,
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
  });
}

async function json(page: PageView, request: Parameters<PageView['request']>[0]): Promise<unknown> {
  const { status, text } = await page.request(request);
  if (status !== 200) throw siteFailed(request.url, `status ${status}`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw siteFailed(request.url, 'no JSON');
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function siteFailed(what: string, why: string): AgogeError {
  return new AgogeError(
    'ENV_WEBARENA_SITE_FAILED',
    `the site answered a question about ${what} with ${why}: check that it is up and its accounts are as published`,
  );
}

function badHelper(source: string, remedy: string): AgogeError {
  return new AgogeError('ENV_WEBARENA_BAD_TASK', `"${source}" is not a helper that tasks may call: ${remedy}`);
}
