import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isEnvironmentPackage, isInstalled } from './packages.ts';

const home = mkdtempSync(join(tmpdir(), 'agoge-packages-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function put(folder: string, name: string, manifest: string): void {
  const place = join(home, folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), manifest);
}

describe('packages that are environments', () => {
  it('say so by their keyword, and are found as Node finds them', () => {
    put('', 'dice', '{ "keywords": ["agoge-environment"] }');
    put('', '@me/boxes', '{ "keywords": ["games", "agoge-environment"] }');
    const deep = join(home, 'a/b');
    expect([isEnvironmentPackage('dice', deep), isEnvironmentPackage('@me/boxes', deep)]).toEqual([true, true]);
    expect([isEnvironmentPackage('none', deep), isInstalled('none', deep)]).toEqual([false, false]);
  });

  it('are not those that only happen to be installed, or whose manifest is broken', () => {
    put('', 'plain', '{}');
    put('', 'words', '{ "keywords": "agoge-environment" }');
    put('', 'broken', '{');
    for (const name of ['plain', 'words', 'broken']) expect(isEnvironmentPackage(name, home), name).toBe(false);
    expect([isInstalled('plain', home), isInstalled('words', home)]).toEqual([true, true]);
  });

  it('are hidden by a nearer package of the same name', () => {
    put('', 'both', '{ "keywords": ["agoge-environment"] }');
    put('near', 'both', '{}');
    expect(isEnvironmentPackage('both', join(home, 'near'))).toBe(false);
    expect(isEnvironmentPackage('both', home)).toBe(true);
  });
});
