import { expect, test } from 'vitest';
import { ShortText } from './short.ts';

const page = (title: string, ...main: readonly string[]): string =>
  [
    `Tab 0 (current): ${title}`,
    '',
    `[1] RootWebArea '${title}' focused: True`,
    "\t[2] link 'Shop'",
    "\t[3] textbox 'Search' focused: True required: False",
    "\t[4] main ''",
    ...main.map((line) => `\t\t${line}`),
    "\t[90] contentinfo ''",
    "\t\t[91] button 'Sign out'",
  ].join('\n');

test('what stands around a page is told once; rows are one line; a heading does not repeat the title; numbers only where they are needed', () => {
  const short = new ShortText();
  const first = page(
    'Cart',
    "[5] heading 'Cart'",
    "[6] table ''",
    "\t[7] row ''",
    "\t\t[8] cell 'Bread Knife'",
    "\t\t\t[9] link 'Bread Knife'",
    "\t\t[10] cell '$31.00'",
    '[11] radio "It\'s fine" checked: true',
  );
  expect(short.page(first).split('\n')).toEqual([
    '# Cart',
    '[2] link Shop',
    '[3] textbox Search (focused)',
    '[9] link Bread Knife | $31.00',
    "[11] radio It's fine (chosen)",
    '[91] button Sign out',
  ]);
  expect(short.page(page('Two', "[5] heading 'Two'", "[7] link 'Shop'"))).toBe('# Two\n[7] link Shop');
});
