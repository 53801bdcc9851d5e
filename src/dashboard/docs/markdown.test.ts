/** Markdown of our pages, and text that would like to be more. */
import { describe, expect, it } from 'vitest';
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

it('leaves out a line that is a comment', () => {
  expect(renderMarkdown('a\n\n<!-- goals -->\n\nb').html).toBe('<p>a</p>\n<p>b</p>');
});

it('numbers headings that are alike, as hosting sites do', () => {
  expect(renderMarkdown('## A b!\n## A b!\n## 三 个').headings.map(({ id }) => id)).toEqual(['a-b', 'a-b-1', '三-个']);
});

it('lets no text become markup', () => {
  const evil = '<script>x</script> [a](javascript:x) ![b](data:text/html,y) "q" \u00001\u0000 [c](" onclick=z)';
  const shown = html(`${evil}\n\n# ${evil}\n\n| ${evil} |\n|---|\n| ${evil} |\n\n- ${evil}`);
  expect(shown).not.toMatch(/<script|javascript:|data:text|" onclick/);
});

describe('text of pages never becomes markup', () => {
  it.each<[string, RegExp]>([
    ['<script>alert(1)</script>', /^<p>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>$/],
    ['[x](javascript:alert(1))', /href="#"/],
    ['[x](JaVaScRiPt:alert(1))', /href="#"/],
    ['[x](data:text/html,hi)', /href="#"/],
    ['[x](vbscript:x)', /href="#"/],
    ['![a" onerror="x](y.png)', /alt="a&quot; onerror=&quot;x"/],
    ['[x](a"onclick="y)', /href="a&quot;onclick=&quot;y"/],
    ['`<b>`', /<code>&lt;b&gt;<\/code>/],
    ['# <img src=x>', /<h1 id="img-srcx">&lt;img src=x&gt;<\/h1>/],
    ['| a |\n|---|\n| <b> |', /<td>&lt;b&gt;<\/td>/],
    ['```\n</code><script>\n```', /<code>&lt;\/code&gt;&lt;script&gt;<\/code>/],
    ['- <i>x</i>', /<li>&lt;i&gt;x&lt;\/i&gt;<\/li>/],
    ['> <u>', /<blockquote><p>&lt;u&gt;<\/p>/],
    ['\u00000\u0000', /^<p>0<\/p>$/],
  ])('%j', (markdown, want) => expect(renderMarkdown(markdown).html).toMatch(want));
  it('links of the web, of pages and of places stay', () => {
    const { html } = renderMarkdown('[a](https://x.org/?a=1&b=2) [b](training.md#recipes) [c](#here) <https://y.org>');
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual([
      'https://x.org/?a=1&amp;b=2',
      'training.md#recipes',
      '#here',
      'https://y.org',
    ]);
  });
  it('headings of one name have ids of their own, as on the hosting sites', () => {
    const { headings } = renderMarkdown('# A b!\n## A b\n### `A` *b*\n');
    expect(headings.map(({ id, depth }) => [id, depth])).toEqual([
      ['a-b', 1],
      ['a-b-1', 2],
      ['a-b-2', 3],
    ]);
  });
  it('what is not closed ends with the page', () => {
    for (const open of ['```\ncode', '| a |\n|---|', '- a\n  - b', '**bold', '`code', '[x](', '![', '> q'])
      expect(renderMarkdown(open).html.length).toBeGreaterThan(0);
  });
});
