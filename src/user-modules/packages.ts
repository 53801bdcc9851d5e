/**
 * Which installed packages are environments: those that say so by the keyword `agoge-environment` in their package.json. Names of
 * environments also come from data files, and no data file may choose code to run.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function isEnvironmentPackage(name: string, from = process.cwd()): boolean {
  return keywordsFrom(name, from)?.includes('agoge-environment') === true;
}

/** Is there a package of this name, whatever it holds? */
export function isInstalled(name: string, from = process.cwd()): boolean {
  return keywordsFrom(name, from) !== undefined;
}

/** Of the nearest package with this name, as Node would find it from the folder. */
function keywordsFrom(name: string, from: string): readonly unknown[] | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const keywords = keywordsOf(join(folder, 'node_modules', name, 'package.json'));
    if (keywords || folder === dirname(folder)) return keywords;
  }
}

/** Undefined where there is no such package. */
function keywordsOf(path: string): readonly unknown[] | undefined {
  try {
    const { keywords } = JSON.parse(readFileSync(path, 'utf8')) as { keywords?: unknown };
    return Array.isArray(keywords) ? (keywords as unknown[]) : [];
  } catch {
    return undefined;
  }
}
