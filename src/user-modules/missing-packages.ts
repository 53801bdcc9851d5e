/** What Node's "Cannot find package" means for the one who reads it: the packages that a file needs, and the command that installs them. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isInstalled } from './packages.ts';

/** In words, with the command; undefined where something else went wrong. */
export function missingPackages(thrown: unknown, from = process.cwd()): string | undefined {
  const found = thrown instanceof Error ? /Cannot find package '([^']+)' imported from (.+?)\.?$/m.exec(thrown.message) : null;
  const [, first, file] = found ?? [];
  if (first === undefined || file === undefined || first.startsWith('agoge-own:')) return undefined;
  const missing = [...new Set([packageOf(first), ...importsOf(file)])].filter((name) => !isInstalled(name, dirname(file)));
  const wanting = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`;
  const declared = nearestDependencies(dirname(file));
  const folder = declared && missing.every((name) => declared.names.includes(name)) ? declared.folder : undefined;
  if (folder === undefined) return `${wanting}: run npm install ${missing.join(' ')}`;
  const place = relative(from, folder);
  return `${wanting}: run npm install${place === '' ? '' : ` --prefix ${place}`}`;
}

/** Packages that a file imports, without `agoge`, which is always there. */
function importsOf(file: string): string[] {
  const source = read(file) ?? '';
  const imported = [...source.matchAll(/^(?:import|export)\b[^;]*?from\s+['"]([^'"]+)['"]/gm)].map(([, name]) => name ?? '');
  return imported
    .filter((name) => !/^[./]|^[a-z]+:/.test(name) && !isBuiltin(name))
    .map(packageOf)
    .filter((name) => name !== 'agoge');
}

/** `@scope/name` of `@scope/name/part`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The nearest package.json above, and what it says is needed. */
function nearestDependencies(start: string): { readonly folder: string; readonly names: readonly string[] } | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const text = read(join(folder, 'package.json'));
    if (text !== undefined) {
      const { dependencies, devDependencies } = JSON.parse(text) as Record<
        'dependencies' | 'devDependencies',
        object | undefined
      >;
      return { folder, names: Object.keys({ ...dependencies, ...devDependencies }) };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
