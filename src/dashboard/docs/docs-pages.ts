/** The pages that ship, as a book: which there are, in which groups and order, in which languages. */
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

/** Parts of the book, in their order; within one, pages that are named come first and in that order. */
export interface Group {
  readonly name: string;
  readonly chinese: string;
  /** Shown unfolded on every page. */
  readonly open: boolean;
  readonly names: readonly string[];
}

const guides: Group = {
  name: 'Guides',
  chinese: '指南',
  open: true,
  names: ['gym', 'agents', 'training', 'evaluation', 'data', 'rewards', 'engine', 'view', 'study', 'library', 'serving'],
};
const environments: Group = {
  name: 'Environments',
  chinese: '环境',
  open: false,
  names: ['babyai', 'webshop', 'alfworld', 'sciworld', 'lmrlgym', 'sqlgym', 'searchqa', 'tools', 'webarena', 'invented'],
};
const results: Group = { name: 'Results', chinese: '结果', open: false, names: ['results'] };
const studies: Group = { name: 'Studies', chinese: '研究', open: false, names: [] };
const reference: Group = { name: 'Reference', chinese: '参考', open: false, names: [] };
export const groups: readonly Group[] = [
  { name: 'Start', chinese: '开始', open: true, names: ['README', 'tutorial', 'troubleshooting', 'not-learning', 'doctor'] },
  guides,
  environments,
  results,
  studies,
  reference,
  { name: 'Project', chinese: '项目', open: false, names: ['architecture', 'security', 'stability', 'chaos', 'CONTRIBUTING'] },
];

/** Where a page belongs; one that nobody placed is a guide. */
export function groupOf({ path }: Pick<DocsPage, 'path'>): Group {
  if (path.startsWith('docs/reference/')) return reference;
  if (path.startsWith('docs/results/')) return results;
  if (path.startsWith('studies/')) return studies;
  if (/^(docs\/results|studies|models)\//.test(path)) return results;
  const name = nameOf(path);
  return groups.find(({ names }) => names.includes(name)) ?? guides;
}

function nameOf(path: string): string {
  return path.replace(/^docs\//, '').replace(/(\.zh-CN)?\.md$/, '');
}

/** Reads all of them: some hundred kilobytes. */
export async function readPages(): Promise<DocsPage[]> {
  const within = await readdir(new URL('../../../docs', import.meta.url), { recursive: true });
  const written = within.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const named = await readdir(new URL('../../../studies', import.meta.url)).catch(() => []);
  const others = ['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'models/base/README.md', 'models/reader/README.md'];
  const pages = await Promise.all([...[...others, ...written].map(readPage), ...named.map(readStudy)]);
  return pages.filter((page) => page !== undefined).sort((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1));
}

async function readPage(path: string): Promise<DocsPage | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : pageOf(path, text);
}

/** What a study found; of one without results, what it asks and how. */
async function readStudy(name: string): Promise<DocsPage | undefined> {
  const path = `studies/${name}/page.md`;
  const written = await readIfThere(path);
  if (written !== undefined) return pageOf(path, written);
  const plan = await readIfThere(`studies/${name}/plan.yaml`);
  if (plan === undefined) return undefined;
  const question = /^question: *['"]?(.*?)['"]?$/m.exec(plan)?.[1] ?? '';
  const command = `agoge study studies/${name}/plan.yaml`;
  const text = [
    `# ${name}`,
    question,
    `No run of this study ships with Agoge. \`${command}\` makes them all and writes this page; see [studies](../../docs/study.md).`,
    '## The plan',
    `\`\`\`yaml\n${plan.trimEnd()}\n\`\`\``,
  ];
  return pageOf(path, `${text.join('\n\n')}\n`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8').catch(() => undefined);
}

function pageOf(path: string, text: string): DocsPage {
  return {
    path,
    text,
    title: (/^# (.+)$/m.exec(text)?.[1] ?? path).replaceAll(/[`*]/g, ''),
    chinese: path.endsWith('.zh-CN.md'),
  };
}

function rank(page: DocsPage): number {
  const group = groupOf(page);
  const place = group.names.indexOf(nameOf(page.path));
  return 1000 * groups.indexOf(group) + (place < 0 ? 900 : place);
}

/** The same page in the other language, where there is one. */
export function otherLanguage(page: DocsPage, pages: readonly DocsPage[]): DocsPage | undefined {
  const path = page.chinese ? page.path.replace('.zh-CN.md', '.md') : page.path.replace(/\.md$/, '.zh-CN.md');
  return pages.find((other) => other.path === path);
}
