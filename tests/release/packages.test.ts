/** What was published: every package, what it carries and says about itself, where it comes from, and what each platform gets of it. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineOf } from '../../scripts/release/native-format.ts';
import { runtimePackage, runtimePlatforms } from '../../src/engine/embedded/runtime/platforms.ts';
import { project, published, release } from './user.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(release.packages, name), 'utf8'));

describe.skipIf(!published)('a release', () => {
  it('has every package, the main one last and without native files, models and links', () => {
    const names = [...release.said.matchAll(/^published (\S+)@/gm)].map(([, name]) => name);
    expect(names.at(-1)).toBe('agoge');
    expect(names).toHaveLength(8);
    const files = readdirSync(join(release.packages, 'agoge'), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isSymbolicLink() || /\.(so|dll|dylib|node|safetensors)\b/.test(file.name))).toEqual([]);
  });

  it('names what it is made of, with licences', () => {
    const bill = read('agoge.sbom.json') as { components: { name: string; licenses?: unknown[] }[] };
    const names = bill.components.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('onnxruntime runtime-'))).toHaveLength(5);
    // What vite builds into the dashboard is part of the product, although a clone has it for development.
    expect(names).toEqual(expect.arrayContaining(['preact', 'uplot', 'zod', '@sqlite.org/sqlite-wasm']));
    expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
    const licences = readFileSync(join(release.packages, 'agoge/LICENSES-bundled.txt'), 'utf8');
    for (const name of ['preact', 'uplot']) expect(licences).toContain(`${name} `);
    for (const folder of readdirSync(release.packages, { withFileTypes: true }).filter((each) => each.isDirectory()))
      expect(existsSync(join(release.packages, folder.name, 'LICENSE')), folder.name).toBe(true);
    const notices = readFileSync(join(release.packages, 'runtime-linux-x64/ThirdPartyNotices.txt'), 'utf8');
    expect(notices).toContain('THIRD PARTY SOFTWARE NOTICES');
  });

  it('says which commit it was made from, and the registry has those very bytes', async () => {
    const { subject, predicate } = read('agoge.provenance.json') as {
      subject: { name: string; digest: { sha512: string } }[];
      predicate: { buildDefinition: { resolvedDependencies: { digest: { gitCommit?: string } }[] } };
    };
    expect(subject).toHaveLength(8);
    expect(predicate.buildDefinition.resolvedDependencies[0]?.digest.gitCommit).toMatch(/^[0-9a-f]{40}$/);
    for (const { name, digest } of subject) {
      const [, pack = '', version = ''] = /^pkg:npm\/(.+)@(.+)$/.exec(decodeURIComponent(name)) ?? [];
      const described = (await (await fetch(`${release.url}${pack}`)).json()) as {
        versions: Record<string, { dist: { tarball: string } }>;
      };
      const tarball = await (await fetch(described.versions[version]?.dist.tarball ?? '')).arrayBuffer();
      expect(createHash('sha512').update(new Uint8Array(tarball)).digest('hex'), pack).toBe(digest.sha512);
    }
  });

  it.each(runtimePlatforms)('gives $platform $arch its own library and no other', async ({ platform, arch, file }) => {
    const libc = platform === 'linux' ? ['--libc', 'glibc'] : [];
    const args = ['install', 'agoge', '--os', platform, '--cpu', arch, ...libc, '--no-audit', '--no-fund'];
    const place = await project(`for-${platform}-${arch}`, 'npm', args);
    const modules = join(place, 'node_modules');
    expect(readdirSync(join(modules, '@agoge'))).toEqual(['models', `runtime-${platform}-${arch}`]);
    expect(readdirSync(join(modules, '@koromix'))).toEqual([`koffi-${platform}-${arch}`]);
    expect(machineOf(join(modules, runtimePackage({ platform, arch }), file))).toBe(`${platform} ${arch}`);
    const koffi = join(modules, `@koromix/koffi-${platform}-${arch}`);
    const addons = readdirSync(koffi, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.node'));
    expect(addons.map((name) => machineOf(join(koffi, name)))).toContain(`${platform} ${arch}`);
  });

  it('installs nothing that runs or fetches something on installation', async () => {
    const place = await project('scripts', 'npm', ['install', 'agoge', '--ignore-scripts', '--no-audit', '--no-fund']);
    const found = readdirSync(join(place, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^((@[^/\\]+[/\\])?[^/\\]+)[/\\]package\.json$/.test(name))
      .filter((name) => {
        const { scripts = {} } = JSON.parse(readFileSync(join(place, 'node_modules', name), 'utf8')) as {
          scripts?: Record<string, string>;
        };
        return ['preinstall', 'install', 'postinstall'].some((script) => script in scripts);
      });
    expect(found).toEqual([]);
  });
});
