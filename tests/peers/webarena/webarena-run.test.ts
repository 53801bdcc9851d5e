/**
 * The original WebArena beside ours, where a checkout is at hand (WEBARENA names it): Playwright actions, `func:` helpers on the sites'
 * stand-in, and what models are sent in completion mode and at a text-generation server.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { parseCalls, parsePlaywright } from '../../../src/envs/webarena/actions/playwright.ts';
import { actionRecord } from '../../../src/envs/webarena/actions/print.ts';
import { BrowserBackend } from '../../../src/envs/webarena/browser/backend.ts';
import { findChromium } from '../../../src/envs/webarena/browser/find.ts';
import { OfficialSites } from '../../../src/envs/webarena/browser/official-sites.fixture.ts';
import { postUrl, runHelper } from '../../../src/envs/webarena/evaluators/helpers.ts';
import { completionsModel, generationModel } from '../../../src/eval/webarena/models/text-endpoint.ts';
import { environmentOf } from '../python.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const checkout = process.env['WEBARENA'] ?? '';
const prepared =
  checkout !== '' && existsSync(join(checkout, 'browser_env')) ? environmentOf(here('webarena-requirements.txt')) : undefined;
const missing = prepared ? prepared.problem : 'WEBARENA names no checkout of web-arena-x/webarena';
if (missing !== undefined) console.log(`skipped: ${missing}`);

const random = Random.of(1, 'webarena run peer');
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;

describe.skipIf(missing !== undefined)('the original WebArena’s programs', () => {
  it('read Playwright actions, ask sites and models as ours do', async () => {
    await using sites = await OfficialSites.start();
    await using models = await modelServer();
    sites.sessions.add('peer');
    sites.reviews.push({ nickname: 'Emma Lopez', ratings: [{ rating_name: 'Rating', percent: 80 }] });
    sites.members.set('yjlou', 'Guest');
    const { path, args } = await findChromium();
    const members = `${sites.addresses.gitlab}/byteblaze/dotfiles/-/project_members`;
    const codes = [...fixed, ...Array.from({ length: 600 }, randomCode)];
    const urls = ['http://a:9/f/books/12/x/-/comment/3', 'http://a/f/books', 'http://a/user/b/c/d', 'http://a/f/b/9?c=d#e', 'x'];
    const skus = ['B00J8RZL7I', 'NONE'];
    const accounts = ['yjlou', 'byteblaze', 'nobody'];
    const prompt = 'You browse.\n{x} “quoted”';
    const child = spawn(join(prepared?.venv ?? '', 'bin/python'), [here('webarena_run_peer.py'), checkout], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const cookie = { name: 'gitlab', value: 'peer', url: sites.addresses.gitlab };
    const states = ['./.auth/gitlab.reddit_state.json', 'shopping_admin_state.json'];
    const asked = { sites: sites.addresses, chromium: path, args, members, cookie, codes, urls, skus, accounts, prompt, states };
    child.stdin.end(JSON.stringify({ ...asked, models: models.url }));
    const theirs = JSON.parse(await text(child.stdout)) as Record<string, unknown[]> & { order: string };

    let read = 0;
    codes.forEach((code, at) => {
      const their = theirs['actions']?.[at] as { readonly action?: object; readonly broken?: string };
      if (their.broken !== undefined) return; // no rule there
      read += their.action ? 1 : 0;
      expect(ourAction(code), code).toEqual(their);
      const ours = ourCalls(code);
      // Arguments that are no texts become the names of Python objects there; here they are refused.
      if (!JSON.stringify(theirs['calls']?.[at]).includes('<ast.')) expect(ours, code).toEqual(theirs['calls']?.[at]);
    });
    expect(read).toBeGreaterThan(200);
    expect(urls.map(postUrl)).toEqual(theirs['posts']);
    expect(theirs['combinations']).toEqual([['gitlab', 'reddit'], ['shopping_admin']]);

    await using backend = await BrowserBackend.open({ chromium: await findChromium(), addresses: sites.addresses });
    const viewport = { width: 1280, height: 720 };
    await using player = await backend.open({ urls: [`${sites.addresses.gitlab}/`], viewport, login: [] });
    const context = { page: player.page, addresses: sites.addresses };
    expect(await runHelper('shopping_get_latest_order_url()', context)).toBe(theirs.order);
    const reviews = skus.map((sku) =>
      Promise.all(['author', 'rating'].map((what) => runHelper(`shopping_get_sku_latest_review_${what}('${sku}')`, context))),
    );
    expect(await Promise.all(reviews)).toEqual(theirs['reviews']);
    await player.page.goto(members);
    await player.act({
      kind: 'playwright',
      act: 'type',
      code: 'page.get_by_test_id("username-field").type("byteblaze")',
      text: '',
    });
    await player.act({
      kind: 'playwright',
      act: 'type',
      code: 'page.get_by_test_id("password-field").type("hello1234")',
      text: '',
    });
    await player.act({ kind: 'playwright', act: 'click', code: 'page.get_by_test_id("sign-in-button").click()', text: '' });
    await player.page.goto(members);
    const roles: string[] = [];
    for (const account of accounts)
      roles.push(await runHelper(`gitlab_get_project_memeber_role(__page__, '${account}')`, context));
    expect(roles).toEqual(theirs['roles']);
    expect(roles).toEqual(['Guest', 'Owner', '']);

    const limits = {
      maxTokens: 9,
      temperature: 0.5,
      topP: 0.9,
      stopStrings: ['\n\n'],
      seed: 1,
      signal: new AbortController().signal,
    };
    const write = (): string => prompt;
    const instruction = { intro: '', examples: [], template: '', meta_data: meta };
    const ours = [
      completionsModel({ model: 'm', baseUrl: `${models.url}/v1`, write }),
      generationModel({ model: 'm', baseUrl: `${models.url}/generate`, write }),
    ];
    const replies: string[] = [];
    for (const model of ours) replies.push(await model.ask(instruction, '', limits));
    expect(replies).toEqual(theirs['replies']);
    const [theirCompletion, theirGeneration, completion, generation] = models.asked;
    for (const key of ['prompt', 'temperature', 'top_p', 'max_tokens', 'stop'])
      expect(completion?.[key], key).toEqual(theirCompletion?.[key]);
    expect(generation?.['inputs']).toEqual(theirGeneration?.['inputs']);
    for (const key of ['temperature', 'top_p', 'max_new_tokens', 'stop', 'return_full_text'])
      expect(parameters(generation)[key], key).toEqual(parameters(theirGeneration)[key]);
    console.log(
      `WebArena: ${String(codes.length)} Playwright codes (${String(read)} of them actions), helpers and requests as the original`,
    );
  });
});

const meta = { keywords: [], prompt_constructor: 'DirectPromptConstructor' as const, action_splitter: '```' };

function parameters(body: Record<string, unknown> | undefined): Record<string, unknown> {
  return body?.['parameters'] as Record<string, unknown>;
}

/** Answers completions and text generation, and writes down what it is asked. */
async function modelServer(): Promise<AsyncDisposable & { readonly url: string; readonly asked: Record<string, unknown>[] }> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(JSON.parse(body) as Record<string, unknown>);
      response.setHeader('content-type', 'application/json');
      const details = { finish_reason: 'length', generated_tokens: 1, prefill: [], tokens: [] };
      const generated = [{ generated_text: 'generated', details }];
      response.end(JSON.stringify(request.url === '/generate' ? generated : { choices: [{ text: 'completed', index: 0 }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { url, asked, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

function ourAction(code: string): unknown {
  const parsed = parsePlaywright(code);
  if ('error' in parsed) return { error: parsed.error.message };
  const pw_code = parsed.action.kind === 'playwright' ? parsed.action.code : '';
  return { action: { ...actionRecord(parsed.action), pw_code } };
}

function ourCalls(code: string): unknown {
  try {
    return parseCalls(code).map(({ name, arguments: given, keywords }) => [name, given, keywords]);
  } catch {
    return null;
  }
}

const fixed = [
  'page.goto("https://demo.playwright.dev/todomvc/")',
  'page.get_by_placeholder("What needs to be done?").fill("hello")',
  'page.get_by_placeholder("What needs to be done?").press("Enter")',
  'page.get_by_role("listitem").filter(has_text="world").get_by_role("checkbox", name="Toggle Todo").check()',
  'page.frame_locator("iframe[name=\\"imgbox\\"]").get_by_role("img").click()',
  'page.locator("xpath=/html/body/section/div/header/input").fill("no")',
  'page.locator("xpath=//*[@id=\'searchbox\']/div/form/input[1]").fill("word")',
  'page.stop("Wilson and Reade")',
  'page.stop()',
  'page.page_focus(3)',
  'page.scroll("up")',
];

function randomCode(): string {
  const word = (): string =>
    pick(['"a"', "'b.c'", '"it\'s"', '"é"', '"雪"', '"x y"', '""', '3', 'True', 'name', '"(d)"', '"e\\"f"']);
  const named = (): string => pick(['', '', `, name=${word()}`, ', exact=True', `, has_text=${word()}`, `, level=2`]);
  const locator = (): string =>
    pick([
      `get_by_role(${word()}${named()})`,
      `get_by_text(${word()}${named()})`,
      `locator(${word()})`,
      `filter(has_text=${word()})`,
      'first',
      'evaluate("1")',
      `get_by_label(${word()})`,
    ]);
  const last = pick([
    'click()',
    'hover()',
    `fill(${word()})`,
    `press(${word()})`,
    'check()',
    `select_option(${word()})`,
    `goto(${word()})`,
    'scroll("down")',
    'page_focus(1)',
    'page_focus(x)',
    'new_tab()',
    'page_close()',
    'go_forward()',
    `stop(${word()})`,
    'dclick()',
    'focus()',
    '',
  ]);
  const start = pick(['page', 'page', 'page', 'page', 'browser']);
  return [start, ...Array.from({ length: random.below(3) }, locator), last].join('.');
}
