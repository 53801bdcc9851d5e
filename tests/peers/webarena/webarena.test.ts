/**
 * The original WebArena beside ours, where a checkout is at hand (WEBARENA names it): observation texts of the shipped sites in the same
 * Chromium, its parser, its evaluators, its prompts. And AgentGym's Python client (AGENTGYM names that checkout) on our server.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { parseAction } from '../../../src/envs/webarena/actions/parse.ts';
import { actionRecord, actionToString } from '../../../src/envs/webarena/actions/print.ts';
import { findChromium } from '../../../src/envs/webarena/browser/find.ts';
import { Tab } from '../../../src/envs/webarena/browser/tab.ts';
import { evaluate } from '../../../src/envs/webarena/evaluators/evaluate.ts';
import type { PageView } from '../../../src/envs/webarena/backend.ts';
import { withTabs } from '../../../src/envs/webarena/observation/tabs.ts';
import {
  constructChat,
  constructCompletion,
  constructLlama2,
  currentText,
} from '../../../src/envs/webarena/prompts/construct.ts';
import { extractAction } from '../../../src/envs/webarena/prompts/extract.ts';
import { type Instruction, readInstruction } from '../../../src/envs/webarena/prompts/instruction.ts';
import { SiteServer } from '../../../src/envs/webarena/sites/server.ts';
import { loginCookies } from '../../../src/envs/webarena/sites/session.ts';
import { SITES, toLocal, toPublic } from '../../../src/envs/webarena/tasks/sites.ts';
import { readTasks, type WebTask } from '../../../src/envs/webarena/tasks/task.ts';
import { webArena } from '../../../src/envs/webarena/webarena.ts';
import { startGym } from '../../../src/gym/server/server.ts';
import { environmentOf, peersMissing, python } from '../python.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const checkout = process.env['WEBARENA'] ?? '';
const raw = join(checkout, 'agent/prompts/raw');
const prepared = checkout !== '' && existsSync(raw) ? environmentOf(here('webarena-requirements.txt')) : undefined;
const missing = prepared ? prepared.problem : 'WEBARENA names no checkout of web-arena-x/webarena';
if (missing !== undefined) console.log(`skipped: ${missing}`);

const VIEWPORT = { width: 1280, height: 720 };
const random = Random.of(1, 'webarena peer');
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
const instructions = ['p_cot_id_actree_2s.py', 'p_direct_id_actree_2s.py', 'p_direct_id_actree_3s_llama.py'];

type Kind = 'accessibility_tree' | 'html';
type AskedPage = readonly [urls: readonly string[], kind: Kind, scroll: boolean];

describe.skipIf(missing !== undefined)('the original WebArena', () => {
  it('sees, reads, judges and asks as ours does', { timeout: 600_000 }, async () => {
    await using server = await SiteServer.start();
    const { addresses } = server;
    const found = await findChromium();
    const pages = [...(await pagesOf(Object.values(addresses))), ...hiding()];
    const actions = Array.from({ length: 400 }, actionText);
    const read = instructions.map((name) => readInstruction(readFileSync(join(raw, name), 'utf8'), name));
    const official = readTasks(readFileSync(join(checkout, 'config_files/test.raw.json'), 'utf8'), 'test.raw.json', addresses);
    const cases = official.flatMap(evaluations);
    const prompts = Array.from({ length: 60 }, () => promptCase(read, addresses.shopping));
    const replies = Array.from({ length: 100 }, () => ({ ...promptCase(read, addresses.shopping), reply: replyText() }));
    const asked = {
      sites: addresses,
      chromium: found.path,
      args: found.args,
      pages,
      cookies: cookies(addresses),
      actions,
      judged: cases,
      prompts,
      replies,
      instructions,
    };
    const child = spawn(join(prepared?.venv ?? '', 'bin/python'), [here('webarena_peer.py'), checkout], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify(asked));
    const theirs = JSON.parse(await text(child.stdout)) as Record<string, unknown[]> & { instructions: Record<string, unknown> };

    const seen = await look(pages, cookies(addresses));
    pages.forEach((page, at) => expect(renumbered(seen[at]), JSON.stringify(page)).toBe(renumbered(theirs['pages']?.[at])));
    actions.forEach((action, at) => expect(ourAction(action), action).toEqual(theirs['actions']?.[at]));
    for (const [at, { task, page, answer }] of cases.entries()) {
      expect(await judge(task, page, answer, addresses), `task ${task.task_id}: ${answer}`).toBe(theirs['judged']?.[at]);
    }
    prompts.forEach((one, at) => expect(ourPrompt(one, addresses)).toEqual(theirs['prompts']?.[at]));
    replies.forEach((one, at) => expect(ourExtraction(one, addresses)).toEqual(theirs['replies']?.[at]));
    read.forEach((instruction, at) => expect(instruction).toEqual(theirs.instructions[instructions[at] ?? '']));
    const right = theirs['judged']?.filter((score) => score === 1).length ?? 0;
    console.log(
      `WebArena: ${pages.length} pages, ${actions.length} actions, ${cases.length} evaluations (${right} of them 1), ${prompts.length} prompts and ${replies.length} replies as the original`,
    );
    expect(right).toBeGreaterThan(50);
    expect(pages.length).toBeGreaterThanOrEqual(40);
  });
});

const agentGym = process.env['AGENTGYM'] ?? '';
const clientMissing =
  peersMissing() ??
  (existsSync(join(agentGym, 'agentenv/agentenv/envs/webarena.py')) ? undefined : 'AGENTGYM names no checkout of AgentGym');

describe.skipIf(clientMissing !== undefined)("AgentGym's WebArena client in Python", () => {
  it('plays a task on our server, unchanged', { timeout: 120_000 }, async () => {
    const environment = await webArena();
    await using server = await startGym({ environments: [environment] });
    const task = environment.task({ env: 'webarena', split: 'train', index: 0 });
    const { stdout } = await promisify(execFile)(python, [
      here('webarena_client.py'),
      agentGym,
      `${server.url}/webarena`,
      String(task.task_id),
    ]);
    const played = JSON.parse(stdout) as Record<string, unknown>;
    expect(played).toMatchObject({
      reset: { sites: task.sites, object: task.intent },
      unfenced: [
        'Cannot parse action from response. Your action should be inside triple backticks (```). Please adjust accordingly.',
        0,
        false,
      ],
      wrong: ['Invalid click action click x', 0, false],
      closed: { closed: 'closed' },
    });
    expect(played['stopped']).toEqual([expect.stringContaining('PREVIOUS ACTION: stop [nothing]'), 0, true]);
  });
});

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly url: string;
}

/** Signed in everywhere, so that orders, forms and the administration are there. Our sites share a host, and cookies know no ports. */
function cookies({ shopping }: SiteServer['addresses']): Cookie[] {
  return Object.entries(loginCookies(SITES)).map(([name, value]) => ({ name, value, url: shopping }));
}

/** Pages of every site, found by following every third link; some scrolled, some with another tab, some as HTML. */
async function pagesOf(addresses: readonly string[]): Promise<readonly AskedPage[]> {
  const urls: string[] = [];
  const cookie = Object.entries(loginCookies(SITES))
    .map((pair) => pair.join('='))
    .join('; ');
  for (const address of addresses) {
    const own = [`${address}/`];
    for (const url of own) {
      if (own.length >= 9) break;
      const body = await (await fetch(url, { headers: { cookie } })).text().catch(() => '');
      for (const [at, [, href = '']] of [...body.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].entries()) {
        const next = new URL(href.replaceAll('&#38;', '&'), url).href;
        if (at % 3 === 0 && own.length < 9 && !own.includes(next)) own.push(next);
      }
    }
    urls.push(...own);
  }
  return [...new Set(urls)].map((url, at): AskedPage => {
    const other = urls[(at * 7 + 3) % urls.length] ?? url;
    return [at % 5 === 0 ? [url, other] : [url], at % 6 === 5 ? 'html' : 'accessibility_tree', at % 3 === 1];
  });
}

/** What the shipped sites do not have: hidden and off-screen elements, nested tables, forms in every state, names by other elements. */
function hiding(): readonly AskedPage[] {
  const bodies = [
    `<p hidden>a</p><p style="display:none">b</p><p style="visibility:hidden">c</p><p style="opacity:0">d</p><p aria-hidden=true>e</p>
<div style="position:absolute;left:-9999px"><a href="/x">far left</a></div><div style="position:absolute;top:650px;height:200px"><button>half below</button></div>
<div style="height:0;overflow:hidden"><button>clipped</button></div><details><summary>More</summary><p>folded</p></details><details open><summary>Open</summary>shown</details>`,
    `<table><caption>Outer</caption><tr><th scope=col>A<th>B<tr><td>1<td><table><tr><td>inner <b>bold</b></table><tr><td colspan=2>wide</table>
<ul><li>one<li><ul><li>two</ul></ul><ol start=3><li>three</ol><dl><dt>t<dd>d</dl><div style="height:2000px"></div><p>the end</p>`,
    `<form><label>Name <input value="it's"></label><label for=b>Pick</label><select id=b><option>x<option selected>y</select><input type=checkbox checked aria-label=c>
<input type=radio name=r><input type=range min=1 max=5 value=2><textarea placeholder="tell us">t</textarea><button disabled>Send</button><input type=submit><input required readonly value=r>
<fieldset disabled><legend>L</legend><input type=number value=4></fieldset><meter value=.5></meter><progress max=2 value=1></progress></form>`,
    `<main><h1 id=h>Title "quoted" & 'single'</h1><nav aria-labelledby=h><a href="/a"><img alt=""><img alt="pic"></a></nav><div role=tablist><div role=tab aria-selected=true>T</div></div>
<div role=button aria-pressed=mixed aria-expanded=false tabindex=0>R</div><span lang=zh>雪 ü €</span><iframe srcdoc="<p>inside</p>"></iframe><svg><title>drawing</title></svg><p contenteditable>edit</p></main>`,
  ];
  return bodies.map((body, at) => [
    [`data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>Page ${at}</title>${body}`)}`],
    'accessibility_tree',
    at === 1,
  ]);
}

async function look(pages: readonly AskedPage[], signedIn: Cookie[]): Promise<readonly string[]> {
  const { path, args } = await findChromium();
  const browser = await chromium.launch({ executablePath: path, args: [...args], headless: true });
  try {
    const seen: string[] = [];
    for (const [urls, observation, scroll] of pages) {
      const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: 1 });
      await context.addCookies(signedIn);
      const tabs: Tab[] = [];
      for (const url of urls) {
        const tab = new Tab(await context.newPage());
        await tab.page.goto(url);
        tabs.push(tab);
      }
      const [front] = tabs;
      if (!front) throw new Error('a page needs an address');
      await front.page.bringToFront();
      if (scroll) await front.page.evaluate('scrollBy(0, innerHeight)');
      const page = await front.look({ observation, viewport: VIEWPORT }, 60_000);
      seen.push(withTabs(await Promise.all(tabs.map((tab) => tab.title())), 0, page.text));
      await context.close();
    }
    return seen;
  } finally {
    await browser.close();
  }
}

function actionText(): string {
  const word = pick([
    'click',
    'hover',
    'type',
    'press',
    'scroll',
    'goto',
    'tab_focus',
    'stop',
    'new_tab',
    'go_back',
    'close_tab',
    'Click',
    'none',
    '',
    'type type',
  ]);
  const part = (): string =>
    pick([
      '[12]',
      ' [7]',
      '[a b]',
      ' []',
      ' [1]',
      '[0]',
      ' [x] y',
      '[[]]',
      ' [ü€]',
      '[雪]',
      ' [a\nb]',
      '\t[3]',
      'up',
      ' [down]',
      ' [ctrl+pageup]',
      ' [٣]',
      '  ',
      ']',
      '[',
      '[http://a/?b=[c]]',
    ]);
  return word + Array.from({ length: random.below(4) }, part).join('');
}

function ourAction(source: string): unknown {
  const parsed = parseAction(source);
  if ('error' in parsed) return { error: parsed.error.type, message: parsed.error.message };
  return { action: actionRecord(parsed.action), says: actionToString(parsed.action, "link 'a'") };
}

interface Given {
  readonly url: string;
  readonly content: string;
  readonly value: unknown;
}

interface Evaluation {
  readonly task: WebTask;
  readonly answer: string;
  readonly page: Given;
}

/** A right and a doubtful ending of an official task, made from its own references. Tasks that ask a site are left out. */
function evaluations(task: WebTask, at: number): readonly Evaluation[] {
  const targets = JSON.stringify(task.eval.program_html ?? []);
  if (at % 3 !== 0 || targets.includes('func:shopping') || targets.includes('func:gitlab')) return [];
  const references = task.eval.reference_answers;
  const phrases =
    references && !Array.isArray(references)
      ? [references.exact_match ?? [], references.must_include ?? [], references.fuzzy_match ?? []].flat()
      : [];
  const needed = [...targets.matchAll(/"(?:exact_match|must_include)":(?:\["(.*?)"\]|"(.*?)")/g)].map(
    ([, many, one]) => many ?? one ?? '',
  );
  const url = (task.eval.reference_url ?? '').split(' |OR| ')[0] || 'http://elsewhere.test/a?b=c';
  const given = (content: string): Given => ({ url, content, value: content });
  return [
    { task, answer: ` "${phrases.join(' and ')}" `, page: given(needed.join(' ').replaceAll('\\"', '"')) },
    {
      task,
      answer: pick(['n/a', '', phrases[0]?.slice(0, -1) ?? 'x', `it's ${phrases[0] ?? 5}.`]),
      page: {
        ...given(needed[0] ?? '&amp; 5'),
        url: `${url}/more/?x=1`,
        value: pick([null, true, 3, 0.5, ['a'], needed[0] ?? '']),
      },
    },
  ];
}

async function judge(task: WebTask, given: Given, answer: string, addresses: SiteServer['addresses']): Promise<number> {
  const page: PageView = {
    url: given.url,
    goto: (url) => {
      (page as { url: string }).url = url;
      return Promise.resolve();
    },
    content: () => Promise.resolve(given.content),
    evaluate: () => Promise.resolve(given.value),
    request: () => Promise.reject(new Error('no site is asked here')),
  };
  // The judge of both sides: is the reference part of the answer?
  const ask = ({ user }: { readonly user: string }): Promise<string> => {
    const fuzzy = /reference answer: (.*)\nall the string[\s\S]*\nstudent answer: ([\s\S]*)\nConclude/.exec(user);
    if (fuzzy) return Promise.resolve(fuzzy[2]?.includes((fuzzy[1] ?? '').toLowerCase()) ? 'correct' : 'incorrect');
    const [, reason = '', told = ''] =
      /actual unachievable reason: ([\s\S]*)\nreported unachievable reason: ([\s\S]*)\nThe task/.exec(user) ?? [];
    return Promise.resolve(told.includes(reason.toLowerCase()) ? 'same' : 'different');
  };
  return evaluate(task, { answer, page, addresses, judge: { ask } });
}

interface PromptCase {
  readonly instruction: Instruction;
  readonly kind: 'chat' | 'completion' | 'llama2';
  readonly url: string;
  readonly page: string;
  readonly objective: string;
  readonly previous: string;
}

function promptCase(read: readonly Instruction[], shop: string): PromptCase {
  const words = (): string =>
    Array.from({ length: 1 + random.below(6) }, () => pick(['a', '{x}', 'ü', "it's", '\n', '[1] link', '```'])).join(' ');
  return {
    instruction: pick(read),
    kind: pick(['chat', 'completion', 'llama2']),
    url: `${shop}/${random.below(9)}`,
    page: words(),
    objective: words(),
    previous: words(),
  };
}

function ourPrompt({ instruction, kind, ...told }: PromptCase, addresses: SiteServer['addresses']): unknown {
  const current = currentText(instruction, { ...told, url: toPublic(told.url, addresses) });
  if (kind === 'chat') return constructChat(instruction, current);
  return kind === 'completion' ? constructCompletion(instruction, current) : constructLlama2(instruction, current);
}

function replyText(): string {
  return Array.from({ length: 1 + random.below(6) }, () =>
    pick(['```', 'click [1]', 'goto [https://reddit.com/f]', ' ', '\n', 'so', '``', 'http://luma.com/admin']),
  ).join('');
}

function ourExtraction(
  { instruction: { meta_data: meta }, reply }: PromptCase & { readonly reply: string },
  addresses: SiteServer['addresses'],
): unknown {
  const answerPhrase = meta.prompt_constructor === 'CoTPromptConstructor' ? meta.answer_phrase : undefined;
  const extracted = extractAction(reply, { splitter: meta.action_splitter, answerPhrase });
  return 'text' in extracted ? { text: toLocal(extracted.text, addresses) } : { message: extracted.error.message };
}

/**
 * Elements numbered in the order of the text: Chromium's own numbers depend on what it was asked while a page loaded. So does whether a
 * text that is a number is shown (the original leaves out what an id nearby happens to hold): those lines are left out of both.
 */
function renumbered(page: unknown): string {
  const numbers = new Map<string, number>();
  const text = String(page).replace(/^\t*\[\d+\] StaticText '\d+'\n/gm, '');
  return text.replace(/^(\t*)\[(-?\d+)\]/gm, (_, tabs: string, id: string) => {
    numbers.set(id, numbers.get(id) ?? numbers.size + 1);
    return `${tabs}[${String(numbers.get(id))}]`;
  });
}
