/**
 * The packages of a release, as folders that npm can pack and publish: `agoge` without native files and models, one package per platform
 * with ONNX Runtime's library, and one with the models. They are optional dependencies of `agoge`, at exactly its version. A clone knows
 * nothing of these names: there the libraries come from onnxruntime-node and the models from models/. What a clone bundles is published
 * under a name of ours, unchanged but for the Node it asks for, and stands in the main package under its own name.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimePackage, runtimePlatforms, type RuntimePlatform } from '../../src/engine/embedded/runtime/platforms.ts';
import { modelsPackage } from '../../src/policy/base-model.ts';
import { bundledLicences } from './licences.ts';
import { machineOf } from './native-format.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Staged {
  readonly name: string;
  readonly folder: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export const manifest = (): Manifest => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Writes all of them below a folder; the main package is the last, since it needs the others. Needs a build. */
export function stage(into: string): Staged[] {
  rmSync(into, { recursive: true, force: true });
  const optional = [...runtimePlatforms.map((platform) => stageRuntime(into, platform)), stageModels(into)];
  const copies = manifest().bundleDependencies.map((name) => stageCopy(into, name));
  return [...optional, ...copies, stageMain(into, optional)];
}

function stageRuntime(into: string, platform: RuntimePlatform): Staged {
  const name = runtimePackage(platform);
  const folder = join(into, name.slice('@agoge/'.length));
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  mkdirSync(folder, { recursive: true });
  cpSync(join(dirname(runtime), 'bin/napi-v6', platform.platform, platform.arch, platform.file), join(folder, platform.file));
  cpSync(join(root, 'scripts/release/LICENSE-onnxruntime.txt'), join(folder, 'LICENSE'));
  const machine = machineOf(join(folder, platform.file));
  if (machine !== `${platform.platform} ${platform.arch}`)
    throw new Error(`${platform.file} of ${name} is for ${machine ?? 'no machine we know'}: install onnxruntime-node anew`);
  const { version } = JSON.parse(readFileSync(runtime, 'utf8')) as { version: string };
  const what = `ONNX Runtime ${version} for ${platform.platform} ${platform.arch}, as agoge loads it`;
  writeManifest(folder, {
    ...common(name, what, 'MIT'),
    os: [platform.platform],
    cpu: [platform.arch],
    // Microsoft builds it against glibc.
    ...(platform.platform === 'linux' ? { libc: ['glibc'] } : {}),
    // The last one is added by notices.ts, since it comes from elsewhere.
    files: [platform.file, 'LICENSE', 'ThirdPartyNotices.txt'],
  });
  return { name, folder };
}

function stageModels(into: string): Staged {
  const folder = join(into, 'models');
  cpSync(join(root, 'models'), folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeManifest(folder, {
    ...common(modelsPackage, 'The small policies that agoge starts from', manifest().license),
    files: ['base', 'reader', 'LICENSE'],
  });
  return { name: modelsPackage, folder };
}

/** A package of others under a name of ours: its files as they are, and the Node that we have tested it with. */
function stageCopy(into: string, original: string): Staged {
  const name = copyOf(original);
  const folder = join(into, name.slice('@agoge/'.length));
  const source = join(root, 'node_modules', original);
  cpSync(source, folder, { recursive: true });
  const theirs = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Record<string, string>;
  if (!existsSync(join(folder, 'LICENSE'))) {
    // The text of this licence names nobody, so ours is theirs.
    if (theirs['license'] !== manifest().license) throw new Error(`${original} comes without its licence: put its text here`);
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  }
  const about = `${original} ${theirs['version']}, unchanged, for agoge`;
  const kept = Object.entries(theirs).filter(([key]) => !/^(scripts|workspaces|(dev|peer|optional)?[dD]ependencies)$/.test(key));
  writeManifest(folder, { ...Object.fromEntries(kept), ...common(name, about, theirs['license'] ?? '') });
  return { name, folder };
}

function copyOf(original: string): string {
  return `@agoge/${original.split('/').at(-1)}`;
}

function stageMain(into: string, parts: readonly Staged[]): Staged {
  const { bundleDependencies: copied, version, ...ours } = manifest();
  const folder = join(into, ours.name);
  const native = join(root, 'dist', 'native');
  const files = ours.files.filter((name) => name !== 'models');
  for (const name of [...files, 'README.md', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (source) => source !== native });
  writeFileSync(join(folder, 'LICENSES-bundled.txt'), bundledLicences());
  const kept = Object.entries(ours).filter(([key]) => !['scripts', 'devDependencies', 'allowScripts', 'overrides'].includes(key));
  const copies = copied.map((name): [string, string] => [name, `npm:${copyOf(name)}@${version}`]);
  writeManifest(folder, {
    ...Object.fromEntries(kept),
    ...repository(),
    version,
    files: [...files, 'CHANGELOG.md', 'LICENSES-bundled.txt'],
    dependencies: { ...ours.dependencies, ...Object.fromEntries(copies) },
    optionalDependencies: { ...ours.optionalDependencies, ...Object.fromEntries(parts.map(({ name }) => [name, version])) },
  });
  return { name: ours.name, folder };
}

function common(name: string, description: string, license: string): object {
  const { version, engines } = manifest();
  return { name, version, description, license, engines, ...repository() };
}

/** npm makes its statement of provenance only where a package names the repository that CI builds. */
function repository(): object {
  const name = process.env['GITHUB_REPOSITORY'];
  return name === undefined ? {} : { repository: { type: 'git', url: `git+https://github.com/${name}.git` } };
}

function writeManifest(folder: string, content: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}
