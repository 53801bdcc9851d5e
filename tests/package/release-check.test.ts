/** What a release is refused for, and what its packages say about themselves. tests/release publishes one for real. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { doubts } from '../../scripts/release/check.ts';
import { licenceDoubts } from '../../scripts/release/licences.ts';
import { machineOf } from '../../scripts/release/native-format.ts';
import { manifest, stage } from '../../scripts/release/stage.ts';
import { released, versionDoubts, writeVersion } from '../../scripts/release/versions.ts';
import { runtimePackage, runtimePlatforms } from '../../src/engine/embedded/runtime/platforms.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-release-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a package is refused', () => {
  it.each([
    ['what Windows cannot hold', ['docs/a:b.md'], 'Windows takes no such name'],
    ['what Windows has other plans for', ['src/aux.ts'], 'Windows takes no such name'],
    ['names that differ by case alone', ['Docs.md', 'docs.md'], 'by case alone'],
    ['secrets', ['config/.npmrc'], 'looks like a secret'],
    ['a command that is none', ['dist/cli/main.js'], 'that makes it a command'],
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

describe('a release is refused', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const names = ['package.json', 'package-lock.json', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md'];
  const copied = (name: string): string => {
    const place = join(folder, name);
    mkdirSync(place);
    for (const each of names) copyFileSync(join(root, each), join(place, each));
    return place;
  };

  it('for a version that does not stand everywhere; here it does', () => {
    expect(versionDoubts(root)).toEqual([]);
    const place = copied('other-version');
    const text = readFileSync(join(place, 'package.json'), 'utf8');
    writeFileSync(join(place, 'package.json'), text.replace(/"version": "[^"]+"/, '"version": "9.9.9"'));
    const named = versionDoubts(place).map((doubt) => doubt.split(' ')[0]);
    expect(named).toEqual(['package-lock.json', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md']);
  });

  it('until the changes of its version have their day, which --prepare writes with it', () => {
    const place = copied('prepared');
    writeFileSync(join(place, 'CHANGELOG.md'), '# Changes\n\n## 0.8.0, not released yet\n\n- All of it\n\n## 0.7.0\n');
    expect([released(place, '0.8.0'), released(place, '0.7.0'), released(place, '0.6.0')]).toEqual([false, true, undefined]);
    writeVersion(place, '0.9.0', '2030-01-02');
    expect(versionDoubts(place)).toEqual([]);
    expect(readFileSync(join(place, 'CHANGELOG.md'), 'utf8')).toContain('\n## 0.9.0, 2030-01-02\n');
    expect(released(place, '0.9.0')).toBe(true);
  });

  it('for licences that nobody has looked at', () => {
    const component = (name: string, ...ids: string[]) => ({ name, licenses: ids.map((id) => ({ license: { id } })) });
    const bill = { components: [component('a', 'MIT'), component('b', 'GPL-3.0-only'), component('c')] };
    expect(licenceDoubts(bill)).toEqual([
      'b: GPL-3.0-only is not among the licences that were looked at',
      'c: no licence is named',
    ]);
  });
});

it.each([
  ['linux arm64', 0, '7f454c46', 18, 'b700'],
  ['darwin arm64', 0, 'cffaedfe', 4, '0c000001'],
  ['linux x64', 0, '7f454c46', 18, '3e00'],
  [undefined, 0, '7f454c46', 18, '0300'],
  [undefined, 0, '00000000', 18, '3e00'],
])('a library for %s is told by its first bytes', (machine, at, magic, where, code) => {
  const bytes = Buffer.alloc(128);
  Buffer.from(magic, 'hex').copy(bytes, at);
  Buffer.from(code, 'hex').copy(bytes, where);
  writeFileSync(join(folder, 'library'), bytes);
  expect(machineOf(join(folder, 'library'))).toBe(machine);
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

  it('start no shell but the watch of a terminal, which Windows does without', () => {
    const dist = fileURLToPath(new URL('../../dist', import.meta.url));
    const shells = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => name.endsWith('.js') && /shell: true|'\/bin\/(ba)?sh'|execSync\(/.test(readFileSync(join(dist, name), 'utf8')),
      )
      .map((name) => name.replaceAll('\\', '/'));
    expect(shells).toEqual(['cli/terminal/busy-watch.js']);
  });

  it('are published by the release script alone, which rehearses on this machine only', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
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
