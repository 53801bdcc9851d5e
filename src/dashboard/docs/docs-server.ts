/**
 * The pages in a browser: rendered, in groups, with a search through their sections, light and dark as the system is, Chinese where it
 * exists. No program runs in them but in the one that shows runs. Files are only those that the package carries beside the pages, found by name in a list.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { frame, hitsHtml, pageHtml, type DocsPlace } from './docs-frame.ts';
import { runsPage, runsPath, tried } from './docs-runs.ts';
import { otherLanguage, packageRoot, readPages, type DocsPage } from './docs-pages.ts';
import { notFound, send, startLocal, type LocalOptions, type LocalServer } from '../server/local-server.ts';
import { contentPolicy } from '../server/page.ts';
import { searchSections, type Section } from './search.ts';
import { sectionsOf } from './sections.ts';

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
  const place: DocsPlace = { pages, address: (_, to) => `/${to}`, search: '', more: tried };
  const sections = { en: sectionsIn(pages, false), zh: sectionsIn(pages, true) };
  return startLocal({ ...options, policy }, (request, response) => answer(request, response, { place, sections, files }));
}

interface Book {
  readonly place: DocsPlace;
  readonly sections: { readonly en: readonly Section[]; readonly zh: readonly Section[] };
  readonly files: ReadonlySet<string>;
}

/** Pictures of pages, examples and recipes. */
export async function filesBeside(): Promise<ReadonlySet<string>> {
  const folders = await Promise.all(
    ['docs', 'examples', 'recipes', 'studies'].map(async (folder) => {
      const names = await readdir(join(packageRoot, folder), { recursive: true }).catch(() => []);
      return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
    }),
  );
  return new Set(folders.flat().filter((name) => extname(name) in types));
}

async function answer(request: IncomingMessage, response: ServerResponse, { place, sections, files }: Book): Promise<void> {
  const address = `http://docs${request.url ?? '/'}`;
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !URL.canParse(address)) throw notFound(request.url ?? '');
  const { pathname, searchParams } = new URL(address);
  // The addresses of the static site are known here too.
  const path = pathname === '/' || pathname === '/index.html' ? 'README.md' : pathname.slice(1).replace(/\.html$/, '.md');
  const query = searchParams.get('q');
  const page = place.pages.find((one) => one.path === path);
  const chinese = searchParams.get('lang') === 'zh';
  const html = (text: string): void => send(request, response, 200, 'text/html; charset=utf-8', text);
  if (pathname === `/${runsPath}`) {
    const runs = await runsPage();
    response.setHeader('content-security-policy', contentPolicy(runs));
    html(runs);
  } else if (query !== null) html(found(place, chinese ? sections.zh : sections.en, query.slice(0, 200), chinese));
  else if (page) html(pageHtml(place, page));
  else if (files.has(path)) send(request, response, 200, types[extname(path)] ?? '', await readFile(join(packageRoot, path)));
  else throw notFound(pathname);
}

/** Sections of the language that is asked for; Chinese pages first, then those that are in English only. */
export function sectionsIn(pages: readonly DocsPage[], chinese: boolean): Section[] {
  const listed = pages.filter((page) => (chinese ? page.chinese || !otherLanguage(page, pages) : !page.chinese));
  return listed.flatMap(sectionsOf);
}

function found(place: DocsPlace, sections: readonly Section[], query: string, chinese: boolean): string {
  const main = hitsHtml(place, '', query, searchSections(sections, query), chinese);
  return frame(place, { title: chinese ? '搜索' : 'Search', path: '', chinese, main, query });
}
