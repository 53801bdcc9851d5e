/**
 * Code in doc comments, on the pages and in examples/ is type-checked in one go, and the examples of the reference are run. Every export
 * of the package's entries has a doc comment, and everything that can be called has an example.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { writtenExamples } from '../../scripts/reference/examples.ts';
import { entries, exportsOf } from '../../scripts/reference/library.ts';
import { root } from '../../scripts/reference/source.ts';
import { pages } from './pages.ts';

const exported = entries.flatMap(([entry, file]) => exportsOf(entry, file));
// Inside the project, so that `agoge` is this package and dependencies are found.
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Imports of what a piece of code uses of ours, so that the examples of doc comments need not show them. */
function imports(code: string): string {
  if (code.startsWith('import ')) return '';
  const used = new Map<string, string>();
  for (const { name, entry, type } of exported)
    if (!used.has(name) && new RegExp(`\\b${name}\\b(?!:)`).test(code))
      used.set(name, `import { ${type ? 'type ' : ''}${name} } from '${entry}';`);
  return [...used.values()].join('\n');
}

const examples = exported
  .filter(({ example, name }, at) => example !== '' && exported.findIndex((one) => one.name === name) === at)
  .map(({ name, example }) => ({ name, file: `example-${name}.ts`, code: `${imports(example)}\n\n${example}\nexport {};\n` }));

/** Blocks of pages that are whole files: they begin with their imports. */
const blocks = pages().flatMap((page) =>
  Array.from(readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g), ([, code = ''], number) => ({
    file: `${page.replaceAll(/\W/g, '-')}-${number}.ts`,
    code,
  })).filter(({ code }) => /^(\/\/.*\n)?import /.test(code)),
);

describe('the library as it is documented', () => {
  it('has a doc comment on every export', () => {
    expect(exported.length).toBeGreaterThan(200);
    expect(exported.filter(({ doc }) => doc === '').map(({ name, file }) => `${name} of ${file}`)).toEqual([]);
  });

  it('has an example of everything that can be called', () => {
    expect(exported.filter(({ type, example }) => !type && example === '').map(({ name }) => name)).toEqual([]);
    const names = new Set(exported.filter(({ type }) => !type).map(({ name }) => name));
    for (const [name, code] of writtenExamples())
      expect([name, names.has(name), code.includes(name)]).toEqual([name, true, true]);
  });

  it('type-checks: doc comments, pages, examples/', () => {
    expect([examples.length > 15, blocks.length > 5]).toEqual([true, true]);
    for (const { file, code } of [...examples, ...blocks]) writeFileSync(join(folder, file), code);
    writeFileSync(
      join(folder, 'my-agent.ts'),
      'export declare function answer(question: string, model: object): Promise<string>;\n',
    );
    const config = {
      extends: '../../examples/tsconfig.json',
      include: ['*.ts', '../../examples/*.ts', '../../examples/reference/*.ts'],
      exclude: ['../../examples/*-agent.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, files: ['../../examples/own-agent.ts'] }));
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '-p', folder],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it.each(examples.map(({ name, file }) => [name, file]))('runs the example of %s', async (_name, file) => {
    await import(pathToFileURL(join(folder, file)).href);
  });
});
