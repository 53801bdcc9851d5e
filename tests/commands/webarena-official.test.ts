/**
 * `agoge webarena` on servers that answer as the official sites do: signing in with auto_login, reference sequences of Playwright actions,
 * and every `func:` helper. A browser plays it.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OfficialSites } from '../../src/envs/webarena/browser/official-sites.fixture.ts';

const MEMBERS = '__GITLAB__/byteblaze/dotfiles/-/project_members';

/** The official schema; what is checked is what the official tasks 436, 585, 600 and 481 check. */
function task(task_id: number, site: string, actions: readonly string[], program_html: readonly object[]): object {
  return {
    sites: [site],
    task_id,
    require_login: true,
    storage_state: `./.auth/${site}_state.json`,
    start_url: `__${site.toUpperCase()}__`,
    geolocation: null,
    intent: `task ${String(task_id)}`,
    eval: { eval_types: ['program_html'], reference_answers: null, reference_url: '', program_html },
    reference_action_sequence: { action_set_tag: 'playwright', action_sequence: actions },
  };
}

const post = {
  url: "func:reddit_get_post_url('__last_url__')",
  locator: "document.querySelector('.submission__inner').outerText",
  required_contents: { must_include: ['what console to buy'] },
};
const tasks = [
  task(
    0,
    'shopping',
    [
      'page.get_by_role("link", name="Proceed to Checkout").click()',
      'page.get_by_role("button", name="Place Order").click()',
      'page.stop()',
    ],
    [
      {
        url: 'func:shopping_get_latest_order_url()',
        locator: 'document.querySelector(".order-details-items.ordered").outerText',
        required_contents: { must_include: ['Order 170', 'B07DFJ5XKH'] },
      },
    ],
  ),
  task(
    1,
    'shopping',
    [
      'page.get_by_role("link", name="Fan").click()',
      'page.get_by_label("Rating").select_option("5")',
      'page.get_by_label("Nickname").fill("Emma Lopez")',
      'page.get_by_role("button", name="Submit Review").click()',
      'page.stop()',
    ],
    [
      {
        url: 'last',
        locator: "func:shopping_get_sku_latest_review_rating('B00J8RZL7I')",
        required_contents: { must_include: ['100'] },
      },
      {
        url: 'last',
        locator: "func:shopping_get_sku_latest_review_author('B00J8RZL7I')",
        required_contents: { must_include: ['Emma Lopez'] },
      },
    ],
  ),
  task(
    2,
    'gitlab',
    [
      `page.goto("${MEMBERS}")`,
      'page.get_by_label("Username or email address").fill("yjlou")',
      'page.get_by_role("combobox", name="Select a role").select_option(label="Developer")',
      'page.locator("form").get_by_text("Invite", exact=True).click()',
      'page.stop()',
    ],
    [
      {
        url: MEMBERS,
        locator: "func:gitlab_get_project_memeber_role(__page__, 'yjlou')",
        required_contents: { must_include: ['Developer'] },
      },
    ],
  ),
  task(
    3,
    'reddit',
    [
      'page.get_by_role("navigation").get_by_role("link", name="Submit").click()',
      'page.get_by_label("Title").fill("what console to buy")',
      'page.get_by_label("Title").press("Tab")',
      'page.get_by_label("Body").type("these days")',
      'page.get_by_role("button", name="Create submission").click()',
      'page.stop()',
    ],
    [post],
  ),
  // An element that is not there has no effect; nothing was posted.
  task(4, 'reddit', ['page.get_by_role("link", name="Nowhere").click()', 'page.stop()'], [post]),
];

describe('agoge webarena on sites that answer as the official ones', () => {
  let sites: OfficialSites;
  let folder = '';

  beforeAll(async () => {
    sites = await OfficialSites.start();
    folder = await mkdtemp(join(tmpdir(), 'agoge-official-'));
    await writeFile(join(folder, 'tasks.json'), JSON.stringify(tasks));
  });
  afterAll(async () => {
    await sites[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('signs in as auto_login.py does', async () => {
    const one = await agoge('auto_login', '--site_list', 'gitlab', 'reddit', '--auth_folder', '.pair');
    expect(one).toMatchObject({ code: 0, out: `ok      ${join('.pair', 'gitlab.reddit_state.json')}\n` });
    expect(await agoge('auto-login')).toMatchObject({ code: 0 });
    expect((await readdir(join(folder, '.auth'))).sort()).toEqual(
      [
        ...['gitlab', 'gitlab.reddit', 'gitlab.shopping', 'gitlab.shopping_admin'],
        ...['reddit', 'shopping', 'shopping.shopping_admin', 'shopping_admin'],
      ]
        .map((name) => `${name}_state.json`)
        .sort(),
    );
    expect((await stat(join(folder, '.auth', 'reddit_state.json'))).mode & 0o777).toBe(0o600);
    sites.accepts = false;
    const refused = await agoge('auto_login', '--site_list', 'reddit');
    sites.accepts = true;
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('ENV_WEBARENA_LOGIN') as string });
    expect(await agoge('auto_login', '--site_list', 'map')).toMatchObject({ code: 1 });
  });

  it('plays Playwright reference sequences, and asks the sites what func: helpers ask', async () => {
    const { out, err } = await agoge(
      ...['run', '--agent_type', 'teacher_forcing', '--test_start_idx', '0', '--test_end_idx', '9', '--result_dir', 'results'],
      ...['--set', 'webarena.tasks=tasks.json', '--set', 'webarena.patience=8', '--json'],
    );
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      lines.slice(0, -1).map(({ task_id, score, error }) => [task_id, score ?? error]),
      err,
    ).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 0],
    ]);
    expect(sites.posts).toEqual([{ title: 'what console to buy', body: 'these days' }]);
    expect(sites.orders).toEqual(['000000169', '000000170']);
    const page = await readFile(join(folder, 'results/render_3.html'), 'utf8');
    expect(page).toContain("<div class='predict_action'>page.get_by_label(&#34;Body&#34;).type(&#34;these days&#34;)</div>");
  });

  function agoge(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const cli = join(import.meta.dirname, '../../dist/cli/main.js');
    const addresses = Object.fromEntries(Object.entries(sites.addresses).map(([site, url]) => [site.toUpperCase(), url]));
    return new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, ...addresses } };
      execFile(process.execPath, [cli, 'webarena', ...args], options, (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
      });
    });
  }
});
