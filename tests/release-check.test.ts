/** What a release is refused for, and what its packages say about themselves. tests/release/release.test.ts publishes one for real. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { doubts } from '../scripts/release/check.ts';
import { manifest, stage } from '../scripts/release/stage.ts';
import { runtimePackage, runtimePlatforms } from '../src/engine/embedded/runtime/platforms.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-release-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a package is refused', () => {
  it.each([
    ['what Windows cannot hold', ['docs/a:b.md'], 'Windows takes no such name'],
    ['what Windows has other plans for', ['src/aux.ts'], 'Windows takes no such name'],
    ['names that differ by case alone', ['Docs.md', 'docs.md'], 'by case alone'],
    ['secrets', ['config/.npmrc'], 'looks like a secret'],
    ['paths without end', [`docs/${'x'.repeat(180)}.md`], 'too long'],
  ])('for %s', (_, paths, reason) => {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    expect(doubts({ name: 'agoge', files: paths.map((path) => ({ path })) }, folder).join('\n')).toContain(reason);
  });

  it('for links, and for nothing else', () => {
    writeFileSync(join(folder, 'file.md'), '');
    symlinkSync('file.md', join(folder, 'link.md'));
    expect(doubts({ name: 'agoge', files: [{ path: 'file.md' }] }, folder)).toEqual([]);
    expect(doubts({ name: 'agoge', files: [{ path: 'link.md' }] }, folder)).toEqual(['link.md: is a link']);
  });
});

describe('the packages of a release', () => {
  it('depend on each other at one version, fit one platform each, and carry no name that a clone would ask for', () => {
    const staged = stage(join(folder, 'packages'));
    const { version, dependencies, optionalDependencies } = manifest();
    const read = (name: string): Record<string, unknown> => {
      const place = staged.find((one) => one.name === name)?.folder ?? '';
      return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Record<string, unknown>;
    };
    for (const platform of runtimePlatforms) {
      const { os, cpu } = read(runtimePackage(platform)) as { os: string[]; cpu: string[] };
      expect([os, cpu]).toEqual([[platform.platform], [platform.arch]]);
    }
    const main = read('agoge');
    const parts = [...runtimePlatforms.map(runtimePackage), '@agoge/models'];
    expect(staged.map(({ name }) => name)).toEqual([...parts, '@agoge/sqlite-wasm', 'agoge']);
    // One of our own, since the original refuses Node 20 where yarn installs it.
    expect(main['dependencies']).toMatchObject({ '@sqlite.org/sqlite-wasm': `npm:@agoge/sqlite-wasm@${version}` });
    expect(read('@agoge/sqlite-wasm')).toMatchObject({ engines: { node: '>=20.19' }, license: 'Apache-2.0' });
    expect(main['optionalDependencies']).toEqual({
      ...optionalDependencies,
      ...Object.fromEntries(parts.map((name) => [name, version])),
    });
    expect(main).not.toHaveProperty('scripts');
    expect(Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => name.startsWith('@agoge/'))).toEqual([]);
    expect(readdirSync(join(folder, 'packages/agoge/dist'))).not.toContain('native');
  });

  it('are published by the release script alone, which rehearses on this machine only', () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const elsewhere = ['--import', 'tsx', 'scripts/release.ts', '--rehearse', 'http://registry.example/'];
    const { status, stderr } = spawnSync(process.execPath, elsewhere, { cwd: root, encoding: 'utf8' });
    expect([status, stderr.trim()]).toEqual([
      1,
      'the release stops: http://registry.example/ is not on this machine: rehearse with one that is',
    ]);
    const direct = spawnSync('npm', ['run', '-s', 'prepublishOnly'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    expect(direct.status).not.toBe(0);
    expect(direct.stderr).toContain('npm run release');
  });
});
