/** Which unit tests lead to a source file by their imports, the nearest first. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files below `project`/src that import `file`, directly or through others: by the number of imports between them. */
export function testsOf(project: string, file: string): readonly string[] {
  const importers = importersOf(project);
  const tests: string[] = [];
  const seen = new Set([file]);
  for (let ring = [file]; ring.length > 0;) {
    ring = ring.flatMap((path) => importers.get(path) ?? []).filter((path) => !seen.has(path) && seen.add(path));
    tests.push(...ring.filter((path) => path.endsWith('.test.ts')));
  }
  return tests;
}

const known = new Map<string, ReadonlyMap<string, readonly string[]>>();

function importersOf(project: string): ReadonlyMap<string, readonly string[]> {
  const before = known.get(project);
  if (before) return before;
  const importers = new Map<string, string[]>();
  for (const name of readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const path = join('src', name);
    for (const wanted of imports(readFileSync(join(project, path), 'utf8'))) {
      const target = join(dirname(path), wanted);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  known.set(project, importers);
  return importers;
}

/** Relative imports, static and dynamic, and modules named by URL for workers and children; types alone cannot break. */
function imports(text: string): string[] {
  const code = text.replace(/^(?:import|export) type [^;]*;/gm, '');
  return [...code.matchAll(/(?:from|import|import\(|new URL\()\s*['"](\.{1,2}\/[^'"]+)['"]/g)].flatMap(([, path]) => path ?? []);
}
