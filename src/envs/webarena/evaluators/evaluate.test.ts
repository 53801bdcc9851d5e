import { describe, expect, it } from 'vitest';
import { AgogeError } from '../../../core/error.ts';
import type { PageView, SiteRequest } from '../backend.ts';
import { PUBLIC } from '../tasks/sites.ts';
import { readTask, type WebTask } from '../tasks/task.ts';
import { answerMatch } from './answer.ts';
import { checkEvaluators, evaluate } from './evaluate.ts';
import { parseHelper, postUrl, runHelper } from './helpers.ts';
import type { Judge } from './judge.ts';

/** A page of which a test knows what it will be asked. */
class Page implements PageView {
  readonly visited: string[] = [];
  readonly requests: SiteRequest[] = [];
  url = 'http://onestopmarket.com/start';

  constructor(
    private readonly scripts: Readonly<Record<string, unknown>> = {},
    private readonly html = '',
    private readonly answers: readonly { readonly status: number; readonly text: string }[] = [],
  ) {}

  async goto(url: string): Promise<void> {
    this.visited.push(url);
    this.url = url;
  }

  async content(): Promise<string> {
    return this.html;
  }

  async evaluate(expression: string): Promise<unknown> {
    const found = Object.keys(this.scripts).find((script) => expression.includes(script));
    const value = found === undefined ? new Error(`no answer to ${expression}`) : this.scripts[found];
    if (value instanceof Error) throw value;
    return value;
  }

  async request(request: SiteRequest): Promise<{ status: number; text: string }> {
    this.requests.push(request);
    return this.answers[this.requests.length - 1] ?? { status: 500, text: '' };
  }
}

function task(evaluation: object): WebTask {
  return readTask({ task_id: 1, sites: [], intent: 'How many?', start_url: '', eval: evaluation }, 'test');
}

const asked = (answer: string): { judge: Judge; questions: string[] } => {
  const questions: string[] = [];
  const judge: Judge = {
    async ask({ user }) {
      questions.push(user);
      return answer;
    },
  };
  return { judge, questions };
};

const strings = (reference_answers: object, rest: object = {}): WebTask =>
  task({ eval_types: ['string_match'], reference_answers, ...rest });
const score = (of: WebTask, page: Page, answer = '', judge?: Judge): Promise<number> =>
  evaluate(of, { answer, page, addresses: PUBLIC, judge });

describe('string_match', () => {
  it.each([
    ['exact', { exact_match: '12' }, ' "12" ', 1],
    ['exact, wrong', { exact_match: '12' }, '12 items', 0],
    ['all phrases', { must_include: ['tea', 'milk'] }, 'Milk and tea', 1],
    ['not all phrases', { must_include: ['tea', 'milk'] }, 'tea', 0],
    ['a character alone is a word', { must_include: ['1'] }, '10', 0],
    ['one of two characters need not be', { must_include: ['1', '0'] }, '10', 1],
    ['both ways', { exact_match: 'tea', must_include: ['t'] }, 'tea', 0],
    ['N/A', { fuzzy_match: 'N/A' }, 'n/a', 1],
    ['nothing asked', {}, 'x', 1],
    ['ways that are not known', { regex: 'x' }, 'y', 1],
  ])('%s', async (_, references, answer, expected) => {
    expect(await answerMatch(strings(references), answer, undefined)).toBe(expected);
  });
  // The original breaks off there: a list does not say how it is compared, and any answer would pass.
  it('refuses answers in a list', async () => {
    await expect(answerMatch(strings(['tea']), 'milk', undefined)).rejects.toMatchObject({ code: 'ENV_WEBARENA_BAD_TASK' });
  });
  it.each([
    ['the answer is Correct.', 1],
    ['incorrect', 0],
    ['Partially correct', 0],
  ])('by a judge who says %s', async (verdict, expected) => {
    const { judge, questions } = asked(verdict);
    expect(await answerMatch(strings({ fuzzy_match: ['12'] }), '"A dozen"', judge)).toBe(expected);
    expect(questions).toEqual([
      expect.stringMatching(/question: How many\?\nreference answer: 12\n[^]*\nstudent answer: a dozen\nConclude/) as string,
    ]);
  });
  it.each([
    ['same', 1],
    ['they are different', 0],
  ])('by a judge of reasons who says %s', async (verdict, expected) => {
    const { judge, questions } = asked(verdict);
    const unachievable = strings({ fuzzy_match: 'N/A' }, { string_note: 'there are none' });
    expect(await answerMatch(unachievable, 'I found none', judge)).toBe(expected);
    expect(questions[0]).toContain('actual unachievable reason: there are none\nreported unachievable reason: i found none\n');
  });
  it('the judge of reasons is not asked where the answer is N/A', async () => {
    const { judge, questions } = asked('different');
    expect(await answerMatch(strings({ fuzzy_match: 'N/A' }), 'N/A', judge)).toBe(1);
    expect(questions).toEqual([]);
  });
  it('goes through the ways in the order of the file, since the rule for N/A looks at the score so far', async () => {
    const { judge } = asked('same');
    expect(await answerMatch(strings({ must_include: ['none'], fuzzy_match: 'N/A' }), 'nobody', judge)).toBe(1);
    expect(await answerMatch(strings({ fuzzy_match: 'N/A', must_include: ['none'] }), 'nobody', judge)).toBe(0);
  });
  it('fails, and is no zero, without a judge or with one who says neither', async () => {
    await expect(answerMatch(strings({ fuzzy_match: ['12'] }), '12', undefined)).rejects.toThrow(/there is no judge: name one/);
    await expect(answerMatch(strings({ fuzzy_match: ['12'] }), '12', asked('well').judge)).rejects.toThrow(/"well"/);
    await expect(answerMatch(strings({ fuzzy_match: 'N/A' }), 'x', asked('hm'.repeat(500)).judge)).rejects.toThrow(/…"/);
  });
});

const html = (...program_html: readonly object[]): WebTask => task({ eval_types: ['program_html'], program_html });

describe('program_html', () => {
  it.each([
    ['the whole page', { url: 'last', locator: '', required_contents: { must_include: ['tea & milk'] } }, 1],
    ['alternatives', { url: 'last', locator: ' ', required_contents: { must_include: ['coffee |OR| tea'] } }, 1],
    ['all of several', { url: 'last', locator: '', required_contents: { must_include: ['tea', 'coffee'] } }, 0],
    ['a script', { url: 'last', locator: 'document.title', required_contents: { exact_match: 'Shop' } }, 1],
    ['a script over a list', { url: 'last', locator: '[...document.links].length', required_contents: { exact_match: '3' } }, 1],
    ['a script that fails', { url: 'last', locator: 'document.none', required_contents: { exact_match: '' } }, 1],
    ['a script without a value', { url: 'last', locator: 'document.void', required_contents: { exact_match: 'None' } }, 1],
    ['a script that says true', { url: 'last', locator: 'document.yes', required_contents: { exact_match: 'True' } }, 1],
  ])('%s', async (_, target, expected) => {
    const scripts = { 'document.title': 'Shop', 'document.links': 3, 'document.void': undefined, 'document.yes': true };
    expect(await score(html(target), new Page(scripts, '<p>Tea &amp; milk</p>'))).toBe(expected);
  });
  it('visits each page, in order, and stops at the first that is wrong', async () => {
    const target = (url: string, wanted: string): object => ({ url, locator: '', required_contents: { must_include: [wanted] } });
    const page = new Page({}, 'tea');
    expect(await score(html(target('http://a/1', 'tea'), target('last', 'tea'), target('http://a/2', 'tea')), page)).toBe(1);
    expect(page.visited).toEqual(['http://a/1', 'http://a/2']);
    const other = new Page({}, 'tea');
    expect(await score(html(target('http://a/1', 'milk'), target('http://a/2', 'tea')), other)).toBe(0);
    expect(other.visited).toEqual(['http://a/1']);
  });
  it('prepares a look, and looks even where that fails', async () => {
    const target = { url: 'last', locator: 'document.title', required_contents: { exact_match: 'Shop' } };
    expect(await score(html({ ...target, prep_actions: ['document.open()'] }), new Page({ 'document.title': 'Shop' }))).toBe(1);
  });
  it('a player that broke is not a page that shows nothing', async () => {
    const broken = new AgogeError('ENV_WEBARENA_SITE_FAILED', 'the browser is gone: start it again');
    const look = { url: 'last', locator: 'document.title', required_contents: { exact_match: '' } };
    await expect(score(html(look), new Page({ 'document.title': broken }))).rejects.toBe(broken);
    const role = {
      url: 'last',
      locator: "func:gitlab_get_project_memeber_role(__page__, 'ada')",
      required_contents: { exact_match: '' },
    };
    await expect(score(html(role), new Page({ 'td.col-max-role': broken }))).rejects.toBe(broken);
  });
  it.each([
    [
      'a locator that is no script',
      { url: 'last', locator: 'h1', required_contents: { exact_match: '' } },
      'Unknown locator: h1',
    ],
    ['a helper that is not known', { url: 'func:rm()', locator: '', required_contents: { exact_match: '' } }, 'not a helper'],
    ['no contents', { url: 'last', locator: '', required_contents: {} }, 'required_contents'],
  ])('%s is found when the task is read', (_, target, problem) => {
    expect(() => checkEvaluators(html(target))).toThrow(problem);
  });
});

describe('helpers', () => {
  it.each([
    ["reddit_get_post_url('http://a')", 'reddit_get_post_url', ['http://a']],
    ['reddit_get_post_url("it\\"s")', 'reddit_get_post_url', ['it"s']],
    [' shopping_get_latest_order_url( ) ', 'shopping_get_latest_order_url', []],
    ["gitlab_get_project_memeber_role(__page__, 'ada')", 'gitlab_get_project_memeber_role', ['__page__', 'ada']],
    ["gitlab_get_project_memeber_role(page,'ada',)", 'gitlab_get_project_memeber_role', ['page', 'ada']],
  ])('%s', (source, name, parameters) => expect(parseHelper(source)).toEqual({ name, parameters }));
  it.each([
    "reddit_get_post_url('a', 'b')",
    'reddit_get_post_url()',
    'reddit_get_post_url(a)',
    "reddit_get_post_url('a'); x",
    "__import__('os').system('x')",
    "toString('a')",
    'reddit_get_post_url',
    '',
  ])('%j is refused', (source) => expect(() => parseHelper(source)).toThrow(/is not a helper that tasks may call/));
  it.each([
    ['http://r.com/f/books/123/a-title/-/comment/9', 'http://r.com/f/books/123/'],
    ['http://r.com/f/books/123', 'http://r.com/f/books/123/'],
    ['http://r.com/f/books', 'http://r.com/f/books'],
    ['http://r.com/user/ada/123', 'http://r.com/user/ada/123'],
    ['http://r.com/f/books/', 'http://r.com/f/books//'],
  ])('the post of %s is %s', (url, post) => expect(postUrl(url)).toBe(post));
  it('the post of the last page is found with that page’s address, quotes and all', async () => {
    const page = new Page({}, 'tea');
    page.url = "http://r.com/f/it's/5/x";
    const target = { url: "func:reddit_get_post_url('__last_url__')", locator: '', required_contents: { must_include: ['tea'] } };
    expect(await score(html(target), page)).toBe(1);
    expect(page.visited).toEqual(["http://r.com/f/it's/5/"]);
  });
  it('the latest order is asked of the shop with the administrator’s token', async () => {
    const page = new Page({}, '', [
      { status: 200, text: '"secret"' },
      { status: 200, text: '{"items": [{"increment_id": "000000190"}]}' },
    ]);
    expect(await runHelper('shopping_get_latest_order_url()', { page, addresses: PUBLIC })).toBe(
      'http://onestopmarket.com/sales/order/view/order_id/190/',
    );
    const [token, orders] = page.requests;
    expect(token).toMatchObject({ method: 'POST', url: 'http://onestopmarket.com/rest/default/V1/integration/admin/token' });
    expect(orders?.headers?.['authorization']).toBe('Bearer secret');
    expect(decodeURIComponent(orders?.url ?? '')).toContain('searchCriteria[sortOrders][0][direction]=DESC');
  });
  it.each([
    ['author', '[{"nickname": "a"}, {"nickname": "b"}]', 'b'],
    ['rating', '[{"ratings": [{"percent": 20}]}, {"ratings": [{"percent": 80}]}]', '80'],
    ['author', '[]', ''],
    ['rating', '[]', ''],
  ])('the %s of the latest review among %s', async (what, text, expected) => {
    const page = new Page({}, '', [
      { status: 200, text: '"t"' },
      { status: 200, text },
    ]);
    const call = `shopping_get_sku_latest_review_${what}('B01')`;
    expect(await runHelper(call, { page, addresses: PUBLIC })).toBe(expected);
    expect(page.requests[1]?.url).toBe('http://onestopmarket.com/rest/V1/products/B01/reviews');
  });
  it.each([
    ['no token', [{ status: 401, text: '' }], 'status 401'],
    ['no JSON', [{ status: 200, text: '<html>' }], 'no JSON'],
    [
      'no orders',
      [
        { status: 200, text: '"t"' },
        { status: 200, text: '{"items": []}' },
      ],
      'no order number',
    ],
  ])('a site that answers with %s is a failure, not a zero', async (_, answers, why) => {
    const run = runHelper('shopping_get_latest_order_url()', { page: new Page({}, '', answers), addresses: PUBLIC });
    await expect(run).rejects.toThrow(why);
  });
});

describe('the product', () => {
  const both = (reference_url: string | null): WebTask =>
    task({ eval_types: ['string_match', 'url_match'], reference_answers: { exact_match: '3' }, reference_url });
  it.each([
    ['3', 'http://onestopmarket.com', 1],
    ['4', 'http://onestopmarket.com', 0],
    ['3', 'http://reddit.com', 0],
  ])('answer %s, reference %s', async (answer, reference, expected) => {
    expect(await score(both(reference), new Page(), answer)).toBe(expected);
  });
  it('visits nothing more once it is 0', async () => {
    const wrong = task({
      eval_types: ['string_match', 'program_html'],
      reference_answers: { exact_match: '3' },
      program_html: [{ url: 'http://a', locator: '', required_contents: { must_include: [''] } }],
    });
    const page = new Page();
    expect(await score(wrong, page, '4')).toBe(0);
    expect(page.visited).toEqual([]);
  });
  it('wants a reference where an address is compared', () => {
    expect(() => checkEvaluators(both(null))).toThrow('url_match without reference_url');
  });
});
