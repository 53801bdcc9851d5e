/** The reference of the library: an index, and a page for each task with the signature, the meaning and an example of every export. */
import { entries, exportsOf, type Exported } from './library.ts';
import { tasks, type Task } from './library-tasks.ts';
import { cell } from './source.ts';

/** An export once, with all the entries that give it. */
interface Documented extends Exported {
  readonly from: readonly string[];
}

/** Pages by their file names below docs/reference. */
export function libraryPages(): ReadonlyMap<string, string> {
  const all = documented();
  const placed = tasks.flatMap(({ names }) => names);
  const lost = [...all.keys()].filter((name) => !placed.includes(name));
  const unknown = placed.filter((name, at) => !all.has(name) || placed.indexOf(name) !== at);
  if (lost.length + unknown.length > 0)
    throw new Error(
      `scripts/reference/library-tasks.ts: give a task to ${lost.join(', ') || 'nothing'}; take out ${unknown.join(', ') || 'nothing'}`,
    );
  const pages = tasks.map((task): [string, string] => [`library/${task.page}.md`, taskPage(task, all)]);
  return new Map([['library.md', indexPage(all)], ...pages]);
}

/** By name; where two entries give different things under one name, the second one's says whose it is. */
function documented(): Map<string, Documented> {
  const all = new Map<string, Documented>();
  for (const [entry, file] of entries)
    for (const one of exportsOf(entry, file)) {
      const before = all.get(one.name);
      if (!before) all.set(one.name, { ...one, from: [entry] });
      else if (before.file === one.file) all.set(one.name, { ...before, from: [...before.from, entry] });
      else all.set(`${one.name} of ${entry}`, { ...one, from: [entry] });
    }
  return all;
}

const generated = 'Generated from the declarations, their doc comments and the examples by `npm run reference`.';

function indexPage(all: ReadonlyMap<string, Documented>): string {
  const sections = tasks.map(({ page, title, about, names }) => {
    const rows = chosen(names, all).map(
      ([name, { type, doc }]) =>
        `| [\`${name}\`](library/${page}.md#${anchor(name)}) | ${type ? 'type' : ''} | ${cell(doc.replaceAll(/\s+/g, ' '))} |`,
    );
    // Links are written for the page of the task, which lies a folder deeper.
    return `## [${title}](library/${page}.md)\n\n${about.replaceAll('](../', '](')}\n\n| name | | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Library\n\n${generated} Everything below can be imported; nothing else can.\nEach task has a page with signatures, parameters and examples. [The guide](../library.md) is where to begin.\n\n${sections.join('\n')}`;
}

function taskPage({ title, about, names }: Task, all: ReadonlyMap<string, Documented>): string {
  const parts = chosen(names, all).map(([title, one]) => exportPart(title, one, all));
  return `# ${title}\n\n${about}\n\n${generated} A test compiles and runs every example. [All tasks](../library.md)\n\n${parts.join('\n')}`;
}

function exportPart(title: string, one: Documented, all: ReadonlyMap<string, Documented>): string {
  const { name, doc, declaration, example, from, type, named } = one;
  const imported = `import { ${type ? 'type ' : ''}${name} } from '${from[0] ?? ''}';`;
  const others =
    from.length > 1
      ? ` Also in ${from
          .slice(1)
          .map((entry) => `\`${entry}\``)
          .join(', ')}.`
      : '';
  // What a program cannot import is shown here; what it can has a place of its own.
  const direct = new Set(declaration.match(/\b[A-Z]\w*\b/g) ?? []);
  const within = [...named].filter(([other]) => direct.has(other) && !all.has(other)).map(([, text]) => text);
  const shown = [declaration, ...within.filter((text) => text.split('\n').length <= 30)];
  const lines = [`### ${title}`, '', `${doc}${others}`, '', '```ts', imported, '', shown.join('\n\n'), '```', ''];
  const places = [...named].flatMap(([word, text]) => {
    const seen = shown.some((code) => new RegExp(`\\b${word}\\b`).test(code));
    return seen ? ([...all].find(([, other]) => other.name === word && other.declaration === text)?.[0] ?? []) : [];
  });
  if (places.length > 0) lines.push(`Types: ${places.map((place) => linkTo(place)).join(', ')}.`, '');
  if (example !== '') lines.push('Example:', '', '```ts', example, '```', '');
  return lines.join('\n');
}

function linkTo(name: string): string {
  const page = tasks.find(({ names }) => names.includes(name))?.page ?? '';
  return `[\`${name}\`](${page}.md#${anchor(name)})`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

function chosen(names: readonly string[], all: ReadonlyMap<string, Documented>): [string, Documented][] {
  return names.flatMap((name): [string, Documented][] => {
    const one = all.get(name);
    return one ? [[name, one]] : [];
  });
}
