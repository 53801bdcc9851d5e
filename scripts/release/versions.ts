/** The places that name the version, which must agree: package.json, its lock, the packed file in both READMEs, and the log of changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const readmes = ['README.md', 'README.zh-CN.md'];
const packedFile = /agoge-\d+\.\d+\.\d+(?:-[\w.]+)?\.tgz/g;

/** What does not agree with package.json, in sentences; empty where all of it does. */
export function versionDoubts(root: string): string[] {
  const version = versionIn(root, 'package.json');
  const locked = JSON.parse(read(root, 'package-lock.json')) as {
    version: string;
    packages: Record<string, { version?: string }>;
  };
  const doubts: string[] = [];
  if (locked.version !== version || locked.packages['']?.version !== version)
    doubts.push(`package-lock.json says ${locked.version}, package.json ${version}: npm install --package-lock-only`);
  for (const name of readmes) {
    const others = [...read(root, name).matchAll(packedFile)]
      .map(([file]) => file)
      .filter((file) => file !== `agoge-${version}.tgz`);
    if (others.length > 0) doubts.push(`${name} names ${others.join(', ')}, not agoge-${version}.tgz`);
  }
  const newest = headings(root)[0];
  if (newest?.version !== version)
    doubts.push(`CHANGELOG.md begins with ${newest?.version ?? 'nothing'}, package.json says ${version}`);
  return doubts;
}

/** Is the section of this version dated? Undefined where there is no section. */
export function released(root: string, version: string): boolean | undefined {
  const found = headings(root).find((heading) => heading.version === version);
  return found === undefined ? undefined : !/not released/.test(found.rest);
}

/** Writes a version wherever it stands, and the day into the log of changes. */
export function writeVersion(root: string, version: string, day: string): void {
  const before = versionIn(root, 'package.json');
  const once = (name: string, from: string | RegExp, to: string): void =>
    writeFileSync(join(root, name), read(root, name).replace(from, to));
  once('package.json', `"version": "${before}"`, `"version": "${version}"`);
  // The lock names it twice at its head: for the file and for the package.
  const lock = read(root, 'package-lock.json').split('\n');
  const at = lock.findIndex((line) => line.includes(`"version": "${before}"`));
  for (const line of [at, lock.findIndex((text, i) => i > at && text.includes(`"version": "${before}"`))])
    lock[line] = lock[line]?.replace(before, version) ?? '';
  writeFileSync(join(root, 'package-lock.json'), lock.join('\n'));
  for (const name of readmes) once(name, packedFile, `agoge-${version}.tgz`);
  once('CHANGELOG.md', /^## .*not released.*$/m, `## ${version}, ${day}`);
}

function headings(root: string): { readonly version: string; readonly rest: string }[] {
  return [...read(root, 'CHANGELOG.md').matchAll(/^## (\S+?)(?:,(.*))?$/gm)].map(([, version = '', rest = '']) => ({
    version,
    rest,
  }));
}

function versionIn(root: string, name: string): string {
  return (JSON.parse(read(root, name)) as { version: string }).version;
}

function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}
