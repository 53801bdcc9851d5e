/**
 * Which installed packages are environments: those that say so by the keyword `agoge-environment` in their package.json. Names of
 * environments also come from data files, and no data file may choose code to run.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function isEnvironmentPackage(name: string, from = process.cwd()): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    const keywords = keywordsOf(join(folder, 'node_modules', name, 'package.json'));
    if (keywords) return keywords.includes('agoge-environment');
    if (folder === dirname(folder)) return false;
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
