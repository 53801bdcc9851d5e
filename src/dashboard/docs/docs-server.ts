/**
 * The pages in a browser: rendered, with a list of all of them, a search by word, light and dark as the system is, Chinese where it
 * exists. No program runs in them. Files are only those that the package carries beside the pages, found by name in a list.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { otherLanguage, packageRoot, readPages, searchPages, type DocsPage } from './docs-pages.ts';
import { notFound, send, startLocal, type LocalOptions, type LocalServer } from '../server/local-server.ts';
import { renderMarkdown } from './markdown.ts';

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
};

/** Serves the pages; throws REPORT_PORT_IN_USE or REPORT_CANNOT_LISTEN. */
export async function startDocs(options: LocalOptions): Promise<LocalServer> {
  const pages = await readPages();
  const files = await filesBeside();
  return startLocal({ ...options, policy }, (request, response) => answer(request, response, pages, files));
}

/** Pictures of pages, examples and recipes. */
async function filesBeside(): Promise<ReadonlySet<string>> {
  const folders = await Promise.all(
    ['docs', 'examples', 'recipes'].map(async (folder) => {
      const names = await readdir(join(packageRoot, folder), { recursive: true }).catch(() => []);
      return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
    }),
  );
  return new Set(folders.flat().filter((name) => extname(name) in types));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: readonly DocsPage[],
  files: ReadonlySet<string>,
): Promise<void> {
  const address = `http://docs${request.url ?? '/'}`;
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !URL.canParse(address)) throw notFound(request.url ?? '');
  const { pathname, searchParams } = new URL(address);
  const path = pathname === '/' ? 'README.md' : pathname.slice(1);
  const query = searchParams.get('q');
  const page = pages.find((one) => one.path === path);
  const html = (text: string): void => send(request, response, 200, 'text/html; charset=utf-8', text);
  if (query !== null) html(found(pages, query.slice(0, 200)));
  else if (page) html(shown(pages, page));
  else if (files.has(path)) send(request, response, 200, types[extname(path)] ?? '', await readFile(join(packageRoot, path)));
  else throw notFound(pathname);
}

function shown(pages: readonly DocsPage[], page: DocsPage): string {
  const { html, headings } = renderMarkdown(page.text);
  const other = otherLanguage(page, pages);
  const link = other ? `<p class="other"><a href="/${other.path}">${other.chinese ? '中文' : 'English'}</a></p>` : '';
  const within = headings.filter(({ depth }) => depth === 2).map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
  const contents =
    within.length > 2
      ? `<details open><summary>${page.chinese ? '本页' : 'On this page'}</summary><ul>${within.join('')}</ul></details>`
      : '';
  return frame(pages, page.title, `${link}${contents}${html}`, page);
}

function found(pages: readonly DocsPage[], query: string): string {
  const hits = searchPages(pages, query).map(
    ({ page, line }) => `<li><a href="/${page.path}">${safe(page.title)}</a> <small>${page.path}</small><br>${safe(line)}</li>`,
  );
  return frame(pages, 'Search', `<h1>${safe(query)}</h1><p>${hits.length} pages</p><ul class="hits">${hits.join('')}</ul>`);
}

function frame(pages: readonly DocsPage[], title: string, main: string, here?: DocsPage): string {
  const chinese = here?.chinese === true;
  const listed = pages.filter((page) => (chinese ? page.chinese || !otherLanguage(page, pages) : !page.chinese));
  const entry = (page: DocsPage): string =>
    `<li><a href="/${page.path}"${page === here ? ' aria-current="page"' : ''}>${safe(page.title)}</a></li>`;
  const isReference = ({ path }: DocsPage): boolean => path.startsWith('docs/reference/');
  const guides = listed.filter((page) => !isReference(page)).map(entry);
  const reference = listed.filter(isReference).map(entry);
  return `<!doctype html><html lang="${chinese ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(title)} · Agoge</title><style>${style}</style></head><body><nav aria-label="Pages"><form role="search" action="/"><input type="search" name="q" aria-label="${chinese ? '搜索' : 'Search'}" placeholder="${chinese ? '搜索' : 'Search'}"></form>
<ul>${guides.join('')}</ul><p>${chinese ? '参考' : 'Reference'}</p><ul>${reference.join('')}</ul></nav><main>${main}</main></body></html>`;
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = `:root{color-scheme:light dark;--line:light-dark(#ddd,#3a3a3a);--soft:light-dark(#f5f5f3,#232323);--link:light-dark(#0b5cad,#7db7f0)}
body{margin:0;display:grid;grid-template-columns:16rem minmax(0,1fr);font:16px/1.6 system-ui,sans-serif;background:light-dark(#fff,#181818);color:light-dark(#1c1c1c,#e4e4e4)}
nav{padding:1.5rem 1rem;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box;font-size:.9rem}
nav ul{list-style:none;padding:0;margin:0}nav p{margin:1rem 0 .3rem;font-weight:600}nav li{margin:.25rem 0}[aria-current]{font-weight:700}
input{width:100%;box-sizing:border-box;padding:.4rem .6rem;margin-bottom:1rem;font:inherit;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit}
main{padding:2rem 3rem;max-width:60rem;min-width:0}a{color:var(--link)}h1{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
code{background:var(--soft);padding:.1em .3em;border-radius:.25rem;font-size:.9em}pre{background:var(--soft);padding:1rem;overflow:auto;border-radius:.5rem}pre code{padding:0;background:none}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}th,td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
img{max-width:100%}.other{float:right;margin:0}details{font-size:.9rem}.hits li{margin:.8rem 0}:focus-visible{outline:2px solid var(--link)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`;
