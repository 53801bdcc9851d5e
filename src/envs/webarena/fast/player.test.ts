import { expect, test } from 'vitest';
import type { Action } from '../actions/action.ts';
import type { Player } from '../backend.ts';
import { PUBLIC } from '../tasks/sites.ts';
import { findId } from '../sites/tasks/expert.ts';
import { fastBackend } from './player.ts';

const open = (...urls: readonly string[]): Promise<Player> =>
  fastBackend().open({ urls, viewport: { width: 1280, height: 720 }, login: ['shopping', 'reddit'] });

/** The number of an element on the page in front. */
async function id(player: Player, role: string, name: string): Promise<string> {
  const { text } = await player.see();
  const found = findId(text.split('\n'), { role, name });
  if (found === undefined) throw new Error(`no ${role} ${name} in\n${text}`);
  return found;
}

async function act(player: Player, action: Action): Promise<string> {
  await player.see();
  return (await player.act(action)).failure;
}

test('a page reads as Chromium would tell it', async () => {
  const player = await open(PUBLIC.homepage);
  const { text, url } = await player.see();
  expect(url).toBe('http://homepage.com/');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'Tab 0 (current): Merrow Bay online',
    '',
    "[1] RootWebArea 'Merrow Bay online' focused: True",
    "\t[2] main ''",
    "\t\t[3] heading 'Merrow Bay online'",
    "\t\t[4] heading 'Fernhill Market'",
  ]);
});

test('fields hold what is typed, and Enter sends their form', async () => {
  const player = await open(PUBLIC.shopping);
  const field = await id(player, 'textbox', 'Search the shop');
  await act(player, { kind: 'type', element: field, text: 'bread' });
  expect((await player.see()).text).toContain(
    "textbox 'Search the shop' focused: True required: False\n\t\t[4] StaticText 'bread'",
  );
  await act(player, { kind: 'press', keys: 'Meta+a' });
  await act(player, { kind: 'press', keys: 'Backspace' });
  await act(player, { kind: 'type', element: field, text: 'knife\n' });
  expect((await player.see()).url).toBe('http://onestopmarket.com/search?q=knife');
});

test('tabs, history and what is not there', async () => {
  const player = await open(PUBLIC.shopping, PUBLIC.reddit);
  expect((await player.see()).text.split('\n')[0]).toBe(
    'Tab 0 (current): Good things, made nearby - Fernhill Market | Tab 1: Lantern',
  );
  await act(player, { kind: 'click', element: await id(player, 'link', 'Garden') });
  await act(player, { kind: 'click', element: await id(player, 'link', 'Toys') });
  await act(player, { kind: 'go_back' });
  expect((await player.see()).url).toBe('http://onestopmarket.com/c/garden');
  await act(player, { kind: 'go_forward' });
  expect((await player.see()).url).toBe('http://onestopmarket.com/c/toys');
  await act(player, { kind: 'tab_focus', tab: 1 });
  expect((await player.see()).url).toBe('http://reddit.com/');
  expect(await act(player, { kind: 'tab_focus', tab: 7 })).toBe('there is no tab 7');
  expect(await act(player, { kind: 'click', element: '4000' })).toBe('there is no element [4000] on this page');
  await act(player, { kind: 'close_tab' });
  await act(player, { kind: 'close_tab' });
  expect((await player.see()).text).toBe("Tab 0 (current): \n\n[1] RootWebArea '' focused: True");
});

test('addresses outside of the sites are refused', async () => {
  const player = await open(PUBLIC.shopping);
  for (const url of ['http://example.org/', 'file:///etc/passwd', 'javascript:1', 'nonsense'])
    expect(await act(player, { kind: 'goto', url }), url).not.toBe('');
  expect((await player.see()).url).toBe('http://onestopmarket.com/');
});

test('evaluators read a page without running scripts', async () => {
  const { page } = await open(`${PUBLIC.shopping}/p/bread-knife`);
  expect(await page.evaluate("document.querySelector('h1').outerText")).toBe('Bread Knife');
  expect(await page.evaluate('() => document.querySelector("#field-count").value')).toBe('1');
  await expect(page.evaluate("document.querySelector('.no').outerText")).rejects.toThrow('no .no');
  await expect(page.evaluate('while (true) {}')).rejects.toThrow('play this task with lane=browser');
});
