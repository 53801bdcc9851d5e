/** What every page of the book is set in: search, grouped navigation that folds away on phones, the other language, the style. */
import { groupOf, groups, otherLanguage, type DocsPage } from './docs-pages.ts';
import type { Tried } from './docs-runs.ts';
import { renderMarkdown } from './markdown.ts';
import type { Hit } from './search.ts';

/** Where things are: on the server, or in files that may lie anywhere. */
export interface DocsPlace {
  readonly pages: readonly DocsPage[];
  /** The address of a page or file, for a link on the page at `from`. */
  address(from: string, to: string): string;
  /** Path of the page that searches. */
  readonly search: string;
  /** Pages that are no text: to play, to look at runs. */
  readonly more: readonly Tried[];
}

/** A page as a whole document. */
export function pageHtml(place: DocsPlace, page: DocsPage, linked = (html: string): string => html): string {
  const { html, headings } = renderMarkdown(page.text);
  const other = otherLanguage(page, place.pages);
  const link = other
    ? `<p class="other"><a href="${place.address(page.path, other.path)}">${other.chinese ? '中文' : 'English'}</a></p>`
    : '';
  const within = headings.filter(({ depth }) => depth === 2).map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
  const contents =
    within.length > 2
      ? `<details class="within"><summary>${page.chinese ? '本页' : 'On this page'}</summary><ul>${within.join('')}</ul></details>`
      : '';
  return frame(place, { title: page.title, path: page.path, chinese: page.chinese, main: `${link}${contents}${linked(html)}` });
}

/** What was found, or that nothing was. */
export function hitsHtml(place: DocsPlace, from: string, query: string, hits: readonly Hit[], chinese: boolean): string {
  const none = chinese ? '没有找到。请换一个词。' : 'Nothing was found: try another word.';
  const items = hits.map(({ section, snippet }) => {
    const to = `${place.address(from, section.path)}${section.id === '' ? '' : `#${section.id}`}`;
    const where = section.heading === section.title ? '' : ` <small>${safe(section.title)}</small>`;
    const text = snippet.map((part) => (part.found ? `<mark>${safe(part.text)}</mark>` : safe(part.text))).join('');
    return `<li><a href="${to}">${safe(section.heading)}</a>${where}<br>${text}</li>`;
  });
  return `<h1>${safe(query)}</h1>${items.length === 0 ? `<p>${none}</p>` : `<ul class="hits">${items.join('')}</ul>`}`;
}

export interface Framed {
  readonly title: string;
  /** Where the page is. */
  readonly path: string;
  readonly chinese: boolean;
  readonly main: string;
  readonly query?: string;
}

export function frame(place: DocsPlace, { title, path, chinese, main, query = '' }: Framed): string {
  const word = chinese ? '搜索' : 'Search';
  const language = chinese ? '<input type="hidden" name="lang" value="zh">' : '';
  return `<!doctype html><html lang="${chinese ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(title)} · Agoge</title><style>${style}</style></head><body><header><label for="menu">${chinese ? '目录' : 'Menu'}</label></header><input type="checkbox" id="menu" aria-label="${chinese ? '目录' : 'Menu'}">
<nav aria-label="${chinese ? '页面' : 'Pages'}"><form role="search" action="${place.address(path, place.search)}"><input type="search" name="q" value="${safe(query)}" aria-label="${word}" placeholder="${word}">${language}</form>
${navigation(place, path, chinese)}</nav><main>${main}</main></body></html>`;
}

/** Pages of the language by their groups, and those that the language lacks; the group of this page is open. */
function navigation(place: DocsPlace, path: string, chinese: boolean): string {
  const listed = place.pages.filter((page) => (chinese ? page.chinese || !otherLanguage(page, place.pages) : !page.chinese));
  const entry = (to: string, title: string, english: boolean): string =>
    `<li><a href="${place.address(path, to)}"${to === path ? ' aria-current="page"' : ''}${english ? ' lang="en"' : ''}>${safe(title)}</a></li>`;
  const parts = groups.map((group) => {
    const own = listed.filter((page) => groupOf(page) === group);
    const items = own.map((page) => entry(page.path, page.title, chinese && !page.chinese));
    const open = group.open || own.some((page) => page.path === path);
    return folded(chinese ? group.chinese : group.name, items, open);
  });
  const more = place.more.map((one) => {
    const [page = '', where = ''] = one.path.split(/(?=#)/);
    const to = `${page}${chinese ? '?lang=zh' : ''}${where}`;
    return entry(to, chinese ? (one.chinese ?? one.title) : one.title, false);
  });
  const [start = '', ...rest] = parts;
  return [start, folded(chinese ? '试一试' : 'Try it', more, true), ...rest].join('\n');
}

function folded(name: string, items: readonly string[], open: boolean): string {
  if (items.length === 0) return '';
  return `<details${open ? ' open' : ''}><summary>${name}</summary><ul>${items.join('')}</ul></details>`;
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = `:root{color-scheme:light dark;--line:light-dark(#ddd,#3a3a3a);--soft:light-dark(#f5f5f3,#232323);--link:light-dark(#0b5cad,#7db7f0);--mark:light-dark(#fff0b3,#5a4a00)}
body{margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr);font:16px/1.6 system-ui,sans-serif;background:light-dark(#fff,#181818);color:light-dark(#1c1c1c,#e4e4e4)}
header,#menu{display:none}
nav{padding:1.5rem 1rem;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box;font-size:.9rem}
nav ul{list-style:none;padding:0;margin:0 0 .8rem}nav li{margin:.25rem 0}[aria-current]{font-weight:700}nav a{text-decoration:none}nav a:hover{text-decoration:underline}
summary{cursor:pointer;font-weight:600;padding:.2rem 0}
input[type=search]{width:100%;box-sizing:border-box;padding:.4rem .6rem;margin-bottom:1rem;font:inherit;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit}
main{padding:2rem 3rem;max-width:66rem;min-width:0;overflow-wrap:break-word}a{color:var(--link)}h1{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
code{background:var(--soft);padding:.1em .3em;border-radius:.25rem;font-size:.9em}pre{background:var(--soft);padding:1rem;border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}pre code{padding:0;background:none}
.wide{overflow-x:auto;margin-bottom:1rem}table{border-collapse:collapse;font-size:.92rem}th,td{min-width:3.6rem;border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
img{max-width:100%}mark{background:var(--mark);color:inherit}.other{float:right;margin:0}.within{font-size:.9rem}.hits{padding:0;list-style:none}.hits li{margin:1rem 0}:focus-visible{outline:2px solid var(--link)}
@media(max-width:50rem){body{display:block}header{display:flex;justify-content:space-between;padding:.6rem 1rem;border-bottom:1px solid var(--line);position:sticky;top:0;background:inherit;z-index:1}
header label{cursor:pointer;font-weight:600;padding:.3rem .6rem;border:1px solid var(--line);border-radius:.4rem}
#menu{display:block;position:absolute;top:.9rem;left:1rem;opacity:0;width:4rem;height:2rem;z-index:2}#menu:focus-visible+nav{outline:none}
nav{display:none;position:static;height:auto;border:0;border-bottom:1px solid var(--line)}#menu:checked~nav{display:block}nav li{margin:.5rem 0}main{padding:1rem}}`;
