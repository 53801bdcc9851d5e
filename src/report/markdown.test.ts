/** Markdown of our pages, and text that would like to be more. */
import { expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';

const html = (markdown: string): string => renderMarkdown(markdown).html;

it('renders what the pages use', () => {
  expect(html('# One `two`')).toBe('<h1 id="one-two">One <code>two</code></h1>');
  expect(html('a **b** *c* [d](e.md#f)\ng')).toBe('<p>a <strong>b</strong> <em>c</em> <a href="e.md#f">d</a>\ng</p>');
  expect(html('- a\n  b\n- c\n  - d\n\np')).toBe('<ul><li>a\nb</li><li>c<ul><li>d</li></ul></li></ul>\n<p>p</p>');
  expect(html('1. a\n2. b')).toBe('<ol><li>a</li><li>b</li></ol>');
  expect(html('| a | b |\n|---|---|\n| `x \\| y` | z<br>&lt;w> |')).toContain(
    '<tbody><tr><td><code>x | y</code></td><td>z<br>&lt;w&gt;</td></tr></tbody>',
  );
  expect(html('```ts\nif (a < b) {\n\n}\n```\n> q')).toBe(
    '<pre><code>if (a &lt; b) {\n\n}</code></pre>\n<blockquote><p>q</p></blockquote>',
  );
  expect(html('![p](a.svg) `*not*`')).toBe('<p><img alt="p" src="a.svg"> <code>*not*</code></p>');
});

it('numbers headings that are alike, as hosting sites do', () => {
  expect(renderMarkdown('## A b!\n## A b!\n## 三 个').headings.map(({ id }) => id)).toEqual(['a-b', 'a-b-1', '三-个']);
});

it('lets no text become markup', () => {
  const evil = '<script>x</script> [a](javascript:x) ![b](data:text/html,y) "q" \u00001\u0000 [c](" onclick=z)';
  const shown = html(`${evil}\n\n# ${evil}\n\n| ${evil} |\n|---|\n| ${evil} |\n\n- ${evil}`);
  expect(shown).not.toMatch(/<script|javascript:|data:text|" onclick/);
});
