/** Parts that several sites use: the document around a page, fields, tables and page numbers. */
import type { Paged } from './answer.ts';
import { address } from './answer.ts';
import { h, type Child, type Element } from './html.ts';

/** A whole document; `look` chooses the site's colours in the common style sheet. */
export function documentOf(look: string, title: string, ...body: readonly Child[]): Element {
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('title', null, title),
      h('link', { rel: 'stylesheet', href: '/style.css' }),
      h('link', { rel: 'icon', href: 'data:,' }),
    ),
    h('body', { class: look }, ...body),
  );
}

/** A labelled text field. */
export function field(label: string, name: string, more: Readonly<Record<string, string | boolean>> = {}): Element {
  const id = `field-${name}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h('input', { type: 'text', id, name, autocomplete: 'off', ...more }),
  );
}

export function textArea(label: string, name: string, value = ''): Element {
  const id = `field-${name}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h('textarea', { id, name, rows: 4, autocomplete: 'off' }, value),
  );
}

/** One choice of several, as radio buttons under a heading. */
export function choice(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen = '',
): Element {
  return h(
    'fieldset',
    null,
    h('legend', null, legend),
    options.map(([value, label]) => {
      const id = `choice-${name}-${value}`;
      return h(
        'div',
        { class: 'choice' },
        h('input', { type: 'radio', id, name, value, autocomplete: 'off', checked: value === chosen }),
        h('label', { for: id }, label),
      );
    }),
  );
}

export function button(label: string, more: Readonly<Record<string, string>> = {}): Element {
  return h('button', { type: 'submit', ...more }, label);
}

/** A form of one button, for what changes something. */
export function act(action: string, label: string, fields: Readonly<Record<string, string>> = {}, look = 'quiet'): Element {
  const hidden = Object.entries(fields).map(([name, value]) => h('input', { type: 'hidden', name, value }));
  return h('form', { method: 'post', action, class: 'act' }, hidden, button(label, { class: look }));
}

export function searchBox(action: string, label: string, value = ''): Element {
  return h(
    'form',
    { method: 'get', action, class: 'search' },
    h('input', {
      type: 'text',
      name: 'q',
      'aria-label': label,
      placeholder: label,
      autocomplete: 'off',
      value: value === '' ? undefined : value,
    }),
    button('Search'),
  );
}

export function table(heads: readonly string[], rows: readonly (readonly Child[])[]): Element {
  return h(
    'table',
    null,
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        heads.map((head) => h('th', { scope: 'col' }, head)),
      ),
    ),
    h(
      'tbody',
      null,
      rows.map((row) =>
        h(
          'tr',
          null,
          row.map((cell) => h('td', null, cell)),
        ),
      ),
    ),
  );
}

/** Facts in two columns: what, and its value. */
export function facts(rows: readonly (readonly [string, Child])[]): Element {
  return h(
    'table',
    { class: 'facts' },
    h(
      'tbody',
      null,
      rows.map(([name, value]) => h('tr', null, h('th', { scope: 'row' }, name), h('td', null, value))),
    ),
  );
}

export function pager<T>(
  { number, pages }: Paged<T>,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Element | null {
  if (pages === 1) return null;
  const link = (to: number, label: string): Child => h('a', { href: address(path, { ...query, page: to }) }, label);
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    number > 1 && link(number - 1, 'Previous'),
    h('span', null, `Page ${String(number)} of ${String(pages)}`),
    number < pages && link(number + 1, 'Next'),
  );
}

/** Links of which one is where we are. */
export function tabs(label: string, links: readonly (readonly [href: string, text: string, here: boolean])[]): Element {
  return h(
    'nav',
    { class: 'tabs', 'aria-label': label },
    links.map(([href, text, here]) => h('a', { href, class: here ? 'here' : undefined }, text)),
  );
}

/** What a form did, told on the page it leads to. */
export function notice(text: string | undefined): Element | null {
  return text === undefined || text === '' ? null : h('p', { class: 'notice', role: 'status' }, text);
}
