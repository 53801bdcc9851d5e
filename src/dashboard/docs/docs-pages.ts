/** The pages that ship, as a book: which there are, in which order, in which languages, and where a word stands. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url));

export interface DocsPage {
  /** Its path in the package, which is its address too: so links between pages work as they do on a hosting site. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly chinese: boolean;
}

export interface Hit {
  readonly page: DocsPage;
  readonly line: string;
}

/** Before the rest, which follow by their titles. */
const first = [
  'README',
  'docs/tutorial',
  'docs/gym',
  'docs/agents',
  'docs/training',
  'docs/evaluation',
  'docs/data',
  'docs/rewards',
  'docs/engine',
];
const last = ['docs/results', 'docs/security', 'docs/architecture', 'CONTRIBUTING'];

/** Reads all of them: some hundred kilobytes. */
export async function readPages(): Promise<DocsPage[]> {
  const within = await readdir(new URL('../../../docs', import.meta.url), { recursive: true });
  const guides = within.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const pages = await Promise.all(
    ['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'models/base/README.md', 'models/reader/README.md', ...guides].map(
      readPage,
    ),
  );
  return pages.filter((page) => page !== undefined).sort((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1));
}

async function readPage(path: string): Promise<DocsPage | undefined> {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return { path, text, title: /^# (.+)$/m.exec(text)?.[1] ?? path, chinese: path.endsWith('.zh-CN.md') };
}

function rank({ path }: DocsPage): number {
  const name = path.replace(/(\.zh-CN)?\.md$/, '');
  if (first.includes(name)) return first.indexOf(name);
  return last.includes(name) ? 200 + last.indexOf(name) : path.startsWith('docs/reference/') ? 150 : 100;
}

/** The same page in the other language, where there is one. */
export function otherLanguage(page: DocsPage, pages: readonly DocsPage[]): DocsPage | undefined {
  const path = page.chinese ? page.path.replace('.zh-CN.md', '.md') : page.path.replace(/\.md$/, '.zh-CN.md');
  return pages.find((other) => other.path === path);
}

/** Pages that hold all of the words, those with one in the title first, each with a line that shows one. */
export function searchPages(pages: readonly DocsPage[], query: string): Hit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const inTitle = (page: DocsPage): number => (words.some((word) => page.title.toLowerCase().includes(word)) ? 0 : 1);
  return pages
    .filter(({ text }) => holds(text))
    .sort((a, b) => inTitle(a) - inTitle(b))
    .map((page) => ({ page, line: lineWith(page.text, words) }));
}

function lineWith(text: string, words: readonly string[]): string {
  const lines = text.split('\n');
  const count = (line: string): number => words.filter((word) => line.toLowerCase().includes(word)).length;
  let best = '';
  for (const line of lines) if (count(line) > count(best)) best = line;
  const at = Math.max(0, best.toLowerCase().indexOf(words.find((word) => best.toLowerCase().includes(word)) ?? '') - 80);
  return `${at > 0 ? '…' : ''}${best.slice(at, at + 240)}${best.length > at + 240 ? '…' : ''}`;
}
