import { describe, expect, it } from 'vitest';
import { h, html, type Element } from '../sites/html.ts';
import { address, matches, paged } from '../sites/answer.ts';
import { FastDocument, type FastElement } from './document.ts';
import { click, press, type } from './page.ts';
import { evaluateScript, querySelector } from './script.ts';

const base = 'http://shop.com/a/b';
const tree = (): Element =>
  h(
    'html',
    null,
    h('head', null, h('title', null, ' My\n shop ')),
    h(
      'body',
      null,
      h('a', { href: '../c?d=1' }, h('span', null, 'go')),
      h(
        'form',
        { method: 'post', action: '/send' },
        h('label', { for: 'name' }, 'Name'),
        h('input', { type: 'text', id: 'name', name: 'name', value: 'old' }),
        h('input', { type: 'hidden', name: 'token', value: 't' }),
        h('input', { type: 'checkbox', id: 'box', name: 'box', value: 'yes', checked: true }),
        h('input', { type: 'radio', id: 'r1', name: 'size', value: 's' }),
        h('input', { type: 'radio', id: 'r2', name: 'size', value: 'l', checked: true }),
        h('textarea', { id: 'text', name: 'text' }, 'one'),
        h('input', { type: 'text', id: 'nameless', value: 'x' }),
        h('button', { id: 'ok' }, 'Send'),
        h('button', { type: 'button', id: 'idle' }, 'Nothing'),
      ),
      h('form', { action: '/find?old=1' }, h('input', { id: 'q', name: 'q' })),
      h('p', { id: 'para', class: 'big red' }, 'plain ', h('strong', null, 'text')),
    ),
  );

function open(): { document: FastDocument; at: (selector: string) => FastElement; hit: (selector: string) => unknown } {
  const document = new FastDocument(tree());
  const at = (selector: string): FastElement => {
    const found = querySelector(document, selector);
    if (!found) throw new Error(`no ${selector}`);
    return found;
  };
  return { document, at, hit: (selector) => click(document, at(selector).number, base) };
}

describe('clicking', () => {
  it('a link, or what is in it, leads to its address', () => {
    const { hit } = open();
    for (const selector of ['a', 'a span'])
      expect(hit(selector)).toEqual({ method: 'GET', url: 'http://shop.com/c?d=1', form: [] });
  });
  it('a label focuses its field; a place without anything takes the focus away', () => {
    const { document, hit, at } = open();
    expect(hit('label')).toBeUndefined();
    expect(document.focused).toBe(at('#name'));
    expect(hit('#para')).toBeUndefined();
    expect(document.focused).toBeUndefined();
  });
  it('a box is ticked and unticked, of radio buttons one is chosen', () => {
    const { hit, at } = open();
    hit('#box');
    expect(at('#box').checked).toBe(false);
    hit('#box');
    expect(at('#box').checked).toBe(true);
    hit('#r1');
    expect([at('#r1').checked, at('#r2').checked]).toEqual([true, false]);
    hit('#r1');
    expect(at('#r1').checked).toBe(true);
  });
  it('a button sends what a browser would send, in the order of the page', () => {
    const { document, hit, at } = open();
    hit('#text');
    type(document, ' two', base);
    hit('#box');
    at('#name').value = 'a\nb';
    expect(hit('#ok')).toEqual({
      method: 'POST',
      url: 'http://shop.com/send',
      form: [
        ['name', 'a\r\nb'],
        ['token', 't'],
        ['size', 'l'],
        ['text', 'one two'],
      ],
    });
    expect(hit('#idle')).toBeUndefined();
  });
  it('a number that is not there does nothing', () => {
    expect(click(open().document, 9999, base)).toBeUndefined();
  });
});

describe('keys', () => {
  it('go to the end of the text, and replace what is selected', () => {
    const { document, hit, at } = open();
    hit('#name');
    type(document, 'er', base);
    expect(at('#name').value).toBe('older');
    press(document, 'Control+a', base);
    type(document, 'new', base);
    expect(at('#name').value).toBe('new');
    press(document, 'Meta+a', base);
    press(document, 'Backspace', base);
    expect(at('#name').value).toBe('');
  });
  it('take away whole characters', () => {
    const { document, hit, at } = open();
    hit('#name');
    type(document, '😀', base);
    press(document, 'Backspace', base);
    press(document, 'Delete', base);
    expect(at('#name').value).toBe('old');
  });
  it('Enter sends a form from a line, and breaks one in a larger field', () => {
    const { document, hit, at } = open();
    hit('#q');
    expect(type(document, 'tea & milk\nlost', base)).toEqual({
      method: 'GET',
      url: 'http://shop.com/find?q=tea+%26+milk',
      form: [],
    });
    hit('#text');
    expect(type(document, '\ntwo', base)).toBeUndefined();
    expect(at('#text').value).toBe('one\ntwo');
  });
  it('Tab goes from stop to stop, past hidden fields, and selects what it finds', () => {
    const { document, at } = open();
    const stops: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn++) {
      press(document, 'Tab', base);
      stops.push(document.focused?.attributes['id'] ?? document.focused?.tag);
    }
    expect(stops).toEqual(['a', 'name', 'box', 'r1']);
    press(document, 'Shift+Tab', base);
    press(document, 'Shift+Tab', base);
    type(document, 'z', base);
    expect(at('#name').value).toBe('z');
  });
  it('without a focus, or that mean nothing here, do nothing', () => {
    const { document, hit, at } = open();
    expect(press(document, 'Enter', base)).toBeUndefined();
    hit('#name');
    for (const key of ['Escape', 'F5', 'Control+c', 'ArrowLeft']) press(document, key, base);
    expect(at('#name').value).toBe('old');
  });
});

describe('scripts of evaluators', () => {
  const { document } = open();
  it.each([
    ['document.title', 'My shop'],
    ['document.URL', base],
    ['() => document.title', 'My shop'],
    ["document.querySelector('#para').outerText", 'plain text'],
    ['document.querySelector("p.big.red").textContent', 'plain text'],
    ["document.querySelector('form #name').value", 'old'],
    ["document.querySelector('[name=box]').checked", true],
    ['document.querySelector(\'[name="size"]\').value', 's'],
    ["document.querySelector('body form textarea')?.value", 'one'],
  ])('%s', (script, value) => expect(evaluateScript(document, base, script)).toBe(value));
  it.each([
    "document.querySelector('p form').value",
    "document.querySelector('[constructor]').value",
    "document.querySelector('#no').value",
  ])('%s finds nothing, which is the script’s failure', (script) =>
    expect(() => evaluateScript(document, base, script)).toThrow(TypeError),
  );
  it.each([
    'fetch("http://a")',
    "document.querySelector('a').click()",
    'document.cookie',
    "document.querySelector('p > a').value",
    '1',
  ])('%s is never run', (script) => expect(() => evaluateScript(document, base, script)).toThrow(/fast backend/));
});

describe('pages as trees', () => {
  it('become HTML in which nothing typed is markup', () => {
    expect(html(h('p', { title: `"'><b>`, hidden: true, absent: undefined }, '<i>', false, null, 0, ['a', ['b']]))).toBe(
      `<p title="&#34;'&#62;&#60;b&#62;" hidden>&#60;i&#62;0ab</p>`,
    );
  });
  it('keep the first line break of a field', () => {
    expect(html(h('textarea', null, '\nx'))).toBe('<textarea>\n\nx</textarea>');
  });
});

describe('lists by pages', () => {
  const items = [1, 2, 3, 4, 5];
  it.each([
    [undefined, 1, [1, 2]],
    ['2', 2, [3, 4]],
    ['3', 3, [5]],
    ['4', 3, [5]],
    ['0', 1, [1, 2]],
    ['-7', 1, [1, 2]],
    ['2.9', 2, [3, 4]],
    ['x', 1, [1, 2]],
    ['Infinity', 3, [5]],
    ['NaN', 1, [1, 2]],
  ])('page %s is page %d', (asked, number, shown) => expect(paged(items, asked, 2)).toEqual({ items: shown, number, pages: 3 }));
  it('an empty list has one page', () => {
    expect(paged([], '5', 2)).toEqual({ items: [], number: 1, pages: 1 });
  });
});

it('addresses leave empty fields out', () => {
  expect(address('/s', { q: 'a b&c', page: 2, sort: '', other: undefined })).toBe('/s?q=a+b%26c&page=2');
  expect(address('/s', {})).toBe('/s');
});

it.each([
  ['', true],
  ['knife BREAD', true],
  ['kni', true],
  ['bread fork', false],
  ['  ', true],
])('the question %j: %s', (question, found) => expect(matches(question, 'Bread Knife', 'steel')).toBe(found));
