/**
 * The book as static files for any host and any base path: every link is relative, pages are plain HTML, and only two
 * run a program: the one that searches and the one that plays tasks and shows runs, both as on the server. Reports of other runs stand beside.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join, posix, resolve } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { RunLibrary } from '../runs/library.ts';
import { writeReport } from '../server/single-file.ts';
import { frame, pageHtml, type DocsPlace } from './docs-frame.ts';
import { runsPage, runsPath, shippedRuns, tried, type Tried } from './docs-runs.ts';
import { packageRoot, readPages, type DocsPage } from './docs-pages.ts';
import { filesBeside, sectionsIn } from './docs-server.ts';

export interface WrittenSite {
  readonly pages: number;
  readonly files: number;
  readonly reports: number;
}

/** Writes it; `runs`: folders of runs, whose reports are added. */
export async function writeDocsSite(folder: string, runs: readonly string[]): Promise<WrittenSite> {
  const pages = await readPages();
  const files = await filesBeside();
  const own = await writeReports(folder, runs);
  await put(folder, runsPath, await runsPage());
  const more = [...tried, ...own];
  const place: DocsPlace = { pages, address: (from, to) => relative(from, addressOf(to)), search: 'search.html', more };
  const wanted = new Set<string>();
  for (const page of pages) {
    const html = pageHtml(place, page, (body) => linked(body, page, pages, files, wanted));
    await put(folder, addressOf(page.path), html);
  }
  for (const file of wanted) {
    await mkdir(dirname(join(folder, addressOf(file))), { recursive: true });
    await copyFile(join(packageRoot, file), join(folder, addressOf(file)));
  }
  await writeSearch(folder, place);
  return { pages: pages.length, files: wanted.size, reports: Object.keys(shippedRuns).length + own.length };
}

async function writeReports(folder: string, runs: readonly string[]): Promise<Tried[]> {
  const more: Tried[] = [];
  for (const run of runs) {
    const name = resolve(run).split(/[\\/]/).at(-1) ?? 'run';
    const path = `runs/${name}.html`;
    if (more.some((one) => one.path === path))
      throw new AgogeError('REPORT_SITE', `two runs are called ${name}: give runs with names of their own`);
    await mkdir(join(folder, 'runs'), { recursive: true });
    await writeReport(new RunLibrary(resolve(run)), '.', join(folder, path), { episodes: 100 });
    more.push({ title: name, path });
  }
  return more;
}

/** Pages become HTML; sources are given as text, which every host shows. */
function addressOf(path: string): string {
  if (path === 'README.md') return 'index.html';
  if (path.endsWith('.md')) return path.replace(/\.md$/, '.html');
  return ['.ts', '.yaml'].includes(extname(path)) ? `${path}.txt` : path;
}

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(addressOf(from)), to);
}

/** Links of a page to pages and files that are written; those to anything else of the repository become text. */
function linked(
  html: string,
  page: DocsPage,
  pages: readonly DocsPage[],
  files: ReadonlySet<string>,
  wanted: Set<string>,
): string {
  const target = (to: string): string | undefined => {
    const [path = '', id = ''] = to.split(/(?=#)/);
    if (path === '' || /^[a-z]+:/.test(path)) return to;
    const at = posix.normalize(posix.join(posix.dirname(page.path), path));
    if (files.has(at)) wanted.add(at);
    else if (!pages.some((one) => one.path === at)) return undefined;
    return relative(page.path, addressOf(at)) + id;
  };
  return html
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, to: string, label: string) => {
      const there = target(to);
      return there === undefined ? label : `<a href="${there}">${label}</a>`;
    })
    .replace(
      /<img alt="([^"]*)" src="([^"]*)">/g,
      (_, alt: string, to: string) => `<img alt="${alt}" src="${target(to) ?? to}">`,
    );
}

/** The page that searches: sections as data beside it, the search itself within, so that it works from a folder too. */
async function writeSearch(folder: string, place: DocsPlace): Promise<void> {
  const of = (chinese: boolean): unknown[] =>
    sectionsIn(place.pages, chinese).map((section) => ({ ...section, path: addressOf(section.path) }));
  const data = JSON.stringify({ en: of(false), zh: of(true) }).replaceAll('<', '\\u003c');
  await put(folder, 'search-sections.js', `globalThis.agogeSections = ${data};\n`);
  const main = `<div id="hits"></div><script src="search-sections.js"></script><script type="module">${await searchProgram()}
const asked = new URLSearchParams(location.search);
const query = asked.get('q') ?? '';
const chinese = asked.get('lang') === 'zh';
document.documentElement.lang = chinese ? 'zh-CN' : 'en';
const box = document.querySelector('input[name=q]');
box.value = query;
const made = (tag, text = '') => Object.assign(document.createElement(tag), { textContent: text });
const hits = document.getElementById('hits');
hits.append(made('h1', query));
const list = Object.assign(made('ul'), { className: 'hits' });
const found = searchSections(agogeSections[chinese ? 'zh' : 'en'], query);
for (const { section, snippet } of found) {
  const item = made('li');
  const link = Object.assign(made('a', section.heading), { href: section.path + (section.id === '' ? '' : '#' + section.id) });
  item.append(link, ' ', made('small', section.heading === section.title ? '' : section.title), made('br'));
  for (const part of snippet) item.append(part.found ? made('mark', part.text) : part.text);
  list.append(item);
}
hits.append(found.length > 0 ? list : made('p', chinese ? '没有找到。请换一个词。' : 'Nothing was found: try another word.'));
</script>`;
  await put(folder, 'search.html', frame(place, { title: 'Search', path: 'search.html', chinese: false, main }));
}

/** search.ts as a browser runs it: compiled beside this file, or compiled now where this runs from its sources. */
async function searchProgram(): Promise<string> {
  const here = import.meta.url.endsWith('.ts') ? './search.ts' : './search.js';
  const source = await readFile(new URL(here, import.meta.url), 'utf8');
  if (here.endsWith('.js')) return source.replace(/\n\/\/# sourceMappingURL=.*/, '');
  const { transformSync } = await import('@swc/wasm-typescript');
  return transformSync(source, { mode: 'strip-only', module: true }).code;
}

async function put(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
