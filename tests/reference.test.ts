/** docs/reference is what the code gives, and says something about everything. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referencePages } from '../scripts/reference/pages.ts';
import { recipesPage } from '../scripts/reference/recipes.ts';
import { root } from '../scripts/reference/source.ts';

const pages = await referencePages();
const folder = join(root, 'docs/reference');

describe('docs/reference', () => {
  it.each([...pages])('%s is what `npm run reference` writes', (name, text) => {
    expect(readFileSync(join(folder, name), 'utf8') === text, 'run: npm run reference').toBe(true);
  });

  it('has no other pages', () => {
    const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
    expect(there.filter((name) => name.endsWith('.md')).sort()).toEqual([...pages.keys()].sort());
  });

  it('says what every recipe key, error and route is for', () => {
    expect(recipesPage().silent).toEqual([]);
    const empty = (name: string): string[] => (pages.get(name) ?? '').split('\n').filter((line) => /\| *–? *\|$/.test(line));
    expect(empty('errors.md')).toEqual([]);
    expect(empty('http.md')).toEqual([]);
  });
});
