import { describe, expect, it } from 'vitest';
import { parseCalls, parsePlaywright } from './playwright.ts';
import { actionRecord, actionRepr, describeAction } from './print.ts';

const link = 'page.get_by_role("link", name="Forums")';

describe('Playwright actions of WebArena', () => {
  it.each([
    [`${link}.click()`, { kind: 'playwright', act: 'click', code: `${link}.click()`, text: '' }],
    [`${link}.hover()`, { kind: 'playwright', act: 'hover', code: `${link}.hover()`, text: '' }],
    [
      'page.locator("a").fill("it\'s")',
      { kind: 'playwright', act: 'type', code: 'page.locator("a").fill("it\'s")', text: "it's" },
    ],
    // The original breaks off at both: its expression takes the word `type` for the whole match.
    ['page.locator("a").type("b")', { kind: 'playwright', act: 'type', code: 'page.locator("a").type("b")', text: 'b' }],
    [
      'page.locator("[type=text]").fill("b")',
      { kind: 'playwright', act: 'type', code: 'page.locator("[type=text]").fill("b")', text: 'b' },
    ],
    ['page.get_by_label("a").press("ctrl+pagedown")', { kind: 'press', keys: 'ctrl+PageDown' }],
    ['page.scroll("up")', { kind: 'scroll', direction: 'up' }],
    ['page.scroll()', { kind: 'scroll', direction: 'down' }],
    ['page.goto("http://a.b/c?d=e")', { kind: 'goto', url: 'http://a.b/c?d=e' }],
    ['page.page_focus(2)', { kind: 'tab_focus', tab: 2 }],
    ['page.new_tab()', { kind: 'new_tab' }],
    ['page.page_close()', { kind: 'close_tab' }],
    ['page.go_back()', { kind: 'go_back' }],
    ['page.stop("Wilson and Reade")', { kind: 'stop', answer: 'Wilson and Reade' }],
    ['page.stop()', { kind: 'stop', answer: '' }],
    ['page.stop("")', { kind: 'stop', answer: '' }],
  ])('%s', (code, action) => {
    expect(parsePlaywright(code)).toEqual({ action });
  });

  it.each([
    ['page.press()', 'Invalid press action, required to be page.press(KEY_COMB_STR)'],
    ['page.locator("a").fill("")', 'Invalid type/fill action, required to be page.type(TEXT)'],
    ['page.goto(url)', 'Invalid goto action, required to be page.goto(URL_STR)'],
    // Dots before parentheses divide calls, in an address as well.
    ['page.goto("http://a.b/c?d=(e)")', 'Unknown playwright action b/c?d='],
    ['page.page_focus("1")', 'page focus requires a page number'],
    ['page.locator("a").dclick()', 'Unknown playwright action dclick'],
    ['click [3]', 'Unknown playwright action click [3]'],
    ['', 'Unknown playwright action '],
  ])('%s is none', (code, message) => {
    expect(parsePlaywright(code)).toEqual({ error: { type: 'ActionParsingError', message } });
  });

  it('names its elements by calls of literals', () => {
    expect(
      parseCalls('page.get_by_role("listitem").filter(has_text="w.").get_by_role("checkbox", name=\'T\', exact=True).check()'),
    ).toEqual([
      { name: 'get_by_role', arguments: ['listitem'], keywords: {} },
      { name: 'filter', arguments: [], keywords: { has_text: 'w.' } },
      { name: 'get_by_role', arguments: ['checkbox'], keywords: { name: 'T', exact: true } },
      { name: 'check', arguments: [], keywords: {} },
    ]);
  });

  it.each([
    ['browser.click()', 'must start with "page."'],
    ['page.get_by_role("a", name=other).click()', 'Fail to parse'],
    ['page.get_by_role("a").first.click()', 'Fail to parse first'],
    ['page.evaluate("1").click()', 'needs to be one of'],
    ['page.get_by_role("a")', 'needs to be one of'],
    ['page.get_by_role(open("x")).click()', 'Fail to parse'],
  ])('%s cannot be played', (code, why) => {
    expect(() => parseCalls(code)).toThrow(why);
  });

  it('is told and printed as the original does', () => {
    const parsed = parsePlaywright(`${link}.click()`);
    if ('error' in parsed) throw new Error(parsed.error.message);
    expect(describeAction(parsed.action, { nodes: new Map(), actionSet: 'playwright' })).toBe(`${link}.click()`);
    expect(describeAction({ kind: 'goto', url: 'u' }, { nodes: new Map(), actionSet: 'playwright' })).toBe('');
    expect(actionRecord(parsed.action)).toMatchObject({ action_type: 6, element_id: '', text: [] });
    expect(actionRepr(parsed.action, 'r')).toContain(`'pw_code': '${link}.click()'`);
  });

  it('takes time in proportion to hostile texts', () => {
    for (const part of ['page.press("', '.', 'stop("', 'goto("a', 'page.locator("', '(', ')', "fill('"])
      for (const end of ['', '.press(', '.fill(', '.goto(', '.stop('])
        expect(parsePlaywright(part.repeat(50_000) + end)).toBeDefined();
  });
});
