/** The accessibility tree of a document without a browser: roles, names, properties, and what is left out, as Chromium has them. */
import { describe, expect, it } from 'vitest';
import { accessibilityTree } from '../observation/accessibility-tree.ts';
import { h, type Child } from '../sites/html.ts';
import { accessibilityNodes, documentNumber } from './accessibility.ts';
import { FastDocument } from './document.ts';

const open = (...body: readonly Child[]): FastDocument =>
  new FastDocument(h('html', null, h('head', null, h('title', null, 'Page')), h('body', null, ...body)));

/** Role, name and properties of every node below the root. */
function nodesOf(document: FastDocument): string[] {
  return accessibilityNodes(document, 'http://a.example/')
    .slice(1)
    .map(({ node }) => {
      const properties = (node.properties ?? []).map(({ name, value }) => ` ${name}=${String(value.value)}`).join('');
      return `${String(node.role?.value)} ${JSON.stringify(node.name?.value)}${properties}`;
    });
}
const shown = (...body: readonly Child[]): string[] => nodesOf(open(...body));

describe('the root', () => {
  it('is the page with its title and address, focused', () => {
    const [root] = accessibilityNodes(open(), 'http://a.example/x');
    expect(root?.node).toMatchObject({ role: { value: 'RootWebArea' }, name: { value: 'Page' } });
    expect(root?.node.properties).toContainEqual({ name: 'url', value: { value: 'http://a.example/x' } });
    expect(root?.node.properties).toContainEqual({ name: 'focused', value: { value: true } });
  });
});

describe('roles', () => {
  it.each<[string, Child, string]>([
    ['a link', h('a', { href: '/' }, 'go'), 'link "go"'],
    ['a button', h('button', null, 'Send'), 'button "Send"'],
    ['headings', h('h3', null, 'Orders'), 'heading "Orders"'],
    ['a paragraph has no name', h('p', null, 'text'), 'paragraph ""'],
    ['a list', h('ul', null), 'list ""'],
    ['a numbered list', h('ol', null), 'list ""'],
    ['a table', h('table', null), 'table ""'],
    ['a cell is named by its text', h('td', null, '12'), 'cell "12"'],
    ['a column’s head', h('th', { scope: 'col' }, 'Price'), 'columnheader "Price" required=false'],
    ['a row’s head', h('th', { scope: 'row' }, 'Date'), 'rowheader "Date" required=false'],
    ['navigation by its label', h('nav', { 'aria-label': 'Pages' }), 'navigation "Pages"'],
    ['a section with a label', h('section', { 'aria-label': 'News' }), 'region "News"'],
    ['a picture', h('svg', { role: 'img', 'aria-label': 'A lamp' }), 'image "A lamp"'],
    ['a notice', h('p', { role: 'status' }, 'Saved.'), 'status "" live=polite atomic=true relevant=additions text'],
    ['the head of a page', h('header', null), 'banner ""'],
    ['its foot', h('footer', null), 'contentinfo ""'],
  ])('%s', (_, element, line) => expect(shown(element)[0]).toBe(line));

  it('the head of an article is no landmark, and neither is a section without a label', () => {
    expect(shown(h('article', null, h('header', null, 'x')))).toEqual(['article ""', 'StaticText "x"']);
    expect(shown(h('section', null, 'x'))).toEqual(['StaticText "x"']);
    expect(shown(h('div', null, h('span', null, 'x')))).toEqual(['StaticText "x"']);
  });
});

describe('fields', () => {
  it.each<[string, readonly Child[], string]>([
    [
      'are named by their label',
      [h('label', { for: 'a' }, 'Street'), h('input', { id: 'a' })],
      'textbox "Street" required=false',
    ],
    ['or by what they show when empty', [h('input', { placeholder: 'Search' })], 'textbox "Search" required=false'],
    ['or by a label for readers', [h('input', { 'aria-label': 'Find', placeholder: 'Search' })], 'textbox "Find" required=false'],
    ['of several lines too', [h('label', { for: 'a' }, 'Text'), h('textarea', { id: 'a' })], 'textbox "Text" required=false'],
    ['to tick', [h('input', { type: 'checkbox', id: 'a' }), h('label', { for: 'a' }, 'News')], 'checkbox "News" checked=false'],
    [
      'to choose',
      [h('input', { type: 'radio', id: 'a', checked: true }), h('label', { for: 'a' }, 'Fast')],
      'radio "Fast" checked=true',
    ],
    ['in a group', [h('fieldset', null, h('legend', null, 'Shipping'))], 'group "Shipping"'],
  ])('%s', (_, body, line) => expect(shown(...body)).toContain(line));

  it('the label of a text field is shown, that of a tick is only its name', () => {
    expect(shown(h('label', { for: 'a' }, 'Street'), h('input', { id: 'a' }))).toContain('StaticText "Street"');
    expect(shown(h('input', { type: 'radio', id: 'a' }), h('label', { for: 'a' }, 'Fast'))).toEqual([
      'radio "Fast" checked=false',
    ]);
  });

  it('show what is typed below them, line by line; passwords as dots', () => {
    expect(shown(h('textarea', null, 'one\n\ntwo')).slice(1)).toEqual([
      'StaticText "one"',
      'LineBreak "\\n"',
      'LineBreak "\\n"',
      'StaticText "two"',
    ]);
    expect(shown(h('input', { type: 'password', value: 'abc😀' })).slice(1)).toEqual(['StaticText "••••"']);
    expect(shown(h('input', { value: '' }))).toHaveLength(1);
  });

  it('the focused one says so', () => {
    const document = open(h('input', { id: 'a', 'aria-label': 'Find' }));
    document.focused = document.byId('a');
    expect(nodesOf(document)).toEqual(['textbox "Find" focused=true required=false']);
  });

  it('numbers of typed texts lead back to their field', () => {
    const document = open(h('textarea', { id: 'a' }, 'one\ntwo'));
    const field = document.byId('a')?.number ?? NaN;
    const numbers = accessibilityNodes(document, '')
      .slice(1)
      .map(({ node }) => node.backendDOMNodeId ?? NaN);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.map(documentNumber)).toEqual(numbers.map(() => field));
    expect(documentNumber(7)).toBe(7);
  });
});

describe('texts', () => {
  it.each<[string, Child, readonly string[]]>([
    ['collapse their blanks', h('p', null, ' a \n  b '), ['a b']],
    [
      'keep a blank before what follows on the line',
      h('p', null, 'by ', h('a', null, 'ada'), ' today'),
      ['by ', 'ada', ' today'],
    ],
    ['lose it at the end of a block', h('p', null, h('a', null, 'ada'), ' today '), ['ada', ' today']],
    ['of blanks alone are none', h('div', null, '  ', h('p', null, 'x'), '\n'), ['x']],
  ])('%s', (_, element, texts) => {
    const lines = shown(element).filter((line) => line.startsWith('StaticText'));
    expect(lines.map((line) => JSON.parse(line.slice('StaticText '.length)) as string)).toEqual(texts);
  });

  it('make the name of a link: parts of a line joined, blocks apart', () => {
    expect(shown(h('a', { href: '/' }, h('span', null, 'Cart'), ' (2)'))[0]).toBe('link "Cart (2)"');
    expect(shown(h('a', { href: '/' }, h('p', null, 'Lamp'), h('p', null, '$45.00')))[0]).toBe('link "Lamp $45.00"');
  });

  it('that are hidden are nowhere', () => {
    expect(shown(h('input', { type: 'hidden', name: 'a', value: 'b' }), h('span', { 'aria-hidden': 'true' }, 'x'))).toEqual([]);
    expect(shown(h('button', null, 'Buy', h('span', { 'aria-hidden': 'true' }, '★')))[0]).toBe('button "Buy"');
    expect(shown(h('script', null, 'x()'), h('style', null, 'p{}'))).toEqual([]);
  });
});

it('an agent reads it in WebArena’s lines', () => {
  const document = open(h('main', null, h('h1', null, 'Cart'), h('p', null, 'Your cart is empty.')));
  const lines = accessibilityTree(accessibilityNodes(document, 'http://a.example/')).text.split('\n');
  expect(lines.map((line) => line.replace(/\[\d+\]/, '[n]'))).toEqual([
    "[n] RootWebArea 'Page' focused: True url: http://a.example/",
    "\t[n] main ''",
    "\t\t[n] heading 'Cart'",
    "\t\t[n] StaticText 'Your cart is empty.'",
  ]);
});
