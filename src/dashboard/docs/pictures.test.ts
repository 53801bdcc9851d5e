import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const files = (folder: string): string[] =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const pages = [...files('docs'), 'README.md', 'README.zh-CN.md'].filter((name) => name.endsWith('.md'));
const text = pages.map((name) => readFileSync(join(project, name), 'utf8')).join('\n');

it.each(['docs/screenshots', 'docs/figures'])('every picture in %s is shown by a page', (folder) => {
  const pictures = readdirSync(join(project, folder)).filter((name) => /\.(webp|svg|png)$/.test(name));
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((name) => !text.includes(name))).toEqual([]);
});
